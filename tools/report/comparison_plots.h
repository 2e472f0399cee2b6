#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_PLOTS_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_PLOTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "comparator/outcome/outcome.h"
#include "comparator/statistics/metric.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/series.h"

namespace autotune {

// The shapes that plots refer to; once a page.
void WriteShapes(MarkupWriter& html);

// <figure> with its caption, and <svg> with title and description, up to where
// the drawing begins; the caller ends both.
void BeginPlot(std::string_view title, std::string_view description,
               std::string_view view_box, MarkupWriter& html);
// `style`: classes; "am" centres the text, "ae" ends it there.
void PlotText(double x, double y, std::string_view style, std::string_view text,
              MarkupWriter& html);

// The drawing of every plot but the forest's: its view box, where the plotted
// part begins and ends, and the height of the labels below.
inline constexpr char kPlotView[] = "0 0 380 176";
inline constexpr double kPlotTop = 8.0;
inline constexpr double kPlotBottom = 150.0;
inline constexpr double kPlotLabels = 168.0;

// The place of the i-th of `count` in the order of the run.
double OrderX(std::size_t i, std::size_t count, double left, double right);

// Shapes of a class of the style sheet; a line without points is left out.
void WriteLine(std::string_view style, const PlotLine& line,
               MarkupWriter& html);
void WritePath(std::string_view style, const std::string& path,
               MarkupWriter& html);

// The words for what the two bets of a comparison are about: "better" and "no
// gain of 1 %", or, under a margin, "within 2 %" and "worse than 2 %".
struct BetWords {
  std::string gain;
  std::string against;
};
BetWords BetWordsOf(const Comparison& comparison, double min_effect);

// An e-value for people: "35.2", "1.2e+08", "0.04".
std::string EvidenceText(double log_e);

// The head of a forest plot of `row`s ("benchmark"), with its title,
// description and labels (which way is better, where all rows agree), and the
// row of one comparison; both as wide as the axis.
void WriteForestHead(const ChangeAxis& axis, std::string_view row,
                     const std::optional<Direction>& direction,
                     MarkupWriter& html);
void WriteForestRow(const Comparison& comparison, const ChangeAxis& axis,
                    MarkupWriter& html);

// All values of both sides in their order and, beside them, by side with
// medians, the interval and the margin.
void WriteVisitsPlot(const Comparison& comparison, const Series& series,
                     MarkupWriter& html);

// The ratio of each round of a run, with all together.
void WriteRatioPlot(const Comparison& comparison, const Series& series,
                    MarkupWriter& html);

// Both e-values by round, as they grow until one reaches its limit; nothing for
// a series without bets.
void WriteEvidencePlot(const Comparison& comparison, const Series& series,
                       const BetWords& words, MarkupWriter& html);

// The numbers of both plots, folded.
void WriteNumbers(const Comparison& comparison, const Series& series,
                  const BetWords& words, MarkupWriter& html);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_PLOTS_H_
