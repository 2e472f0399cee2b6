#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "comparator/outcome/outcome.h"
#include "comparator/statistics/metric.h"
#include "tools/report/comparison_plots.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"

namespace autotune {

void WriteForestHead(const ChangeAxis& axis, std::string_view row,
                     const std::optional<Direction>& direction,
                     MarkupWriter& html) {
  html.Begin("svg", {{"viewBox", "0 0 300 30"}, {"role", "img"}});
  html.Element("title", "Change with its interval");
  html.Element("desc",
               absl::StrCat("A row for each ", std::string(row),
                            ": the point is the change, the line its "
                            "interval, the dashed mark the margin if there "
                            "is one. The numbers stand beside it."));
  for (const double ratio : axis.TickRatios()) {
    PlotText(axis.At(ratio), 26, "am", axis.TickText(ratio), html);
    WritePath("z", DownPath(axis.At(ratio), 29, 30), html);
  }
  if (direction.has_value()) {
    const bool lower = *direction == Direction::kLowerIsBetter;
    PlotText(axis.At(1.0) - 7, 11, "ae",
             lower ? "\u2190 better" : "\u2190 worse", html);
    PlotText(axis.At(1.0) + 7, 11, "", lower ? "worse \u2192" : "better \u2192",
             html);
  }
  html.End();
}

void WriteForestRow(const Comparison& comparison, const ChangeAxis& axis,
                    MarkupWriter& html) {
  if (!comparison.estimate.has_value()) return;
  constexpr double kMiddle = 10.0;
  html.Begin("svg", {{"viewBox", "0 0 300 20"}, {"aria-hidden", "true"}});
  WritePath("z", DownPath(axis.At(1.0), 0, 20), html);
  if (comparison.margin.has_value()) {
    const bool lower = comparison.metric.direction == Direction::kLowerIsBetter;
    const double factor = 1.0 + *comparison.margin;
    const double limit = lower ? factor : 1.0 / factor;
    if (axis.Holds(limit)) {
      WritePath("m", DownPath(axis.At(limit), 1, 19), html);
    }
  }
  const Interval& interval = comparison.estimate->interval;
  WritePath("i",
            axis.IntervalPath(interval.lower, interval.upper, kMiddle, 4.0),
            html);
  const double x = axis.At(comparison.estimate->ratio);
  WritePath("p", absl::StrCat("M", PlaceText(x - 4), " 10l4-4 4 4-4 4z"), html);
  html.End();
}

}  // namespace autotune
