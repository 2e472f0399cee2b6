// Every drawing is 380 wide whatever the screen, so that its letters stay
// readable where two stand side by side and on a telephone alike. The values
// are polylines whose points are marked by the style sheet: about seven bytes a
// visit, which is what a page of a thousand benchmarks lives by.
#include "tools/report/comparison_plots.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/series.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

constexpr double kOrderLeft = 62.0;
constexpr double kOrderRight = 254.0;
constexpr double kSidesLeft = 272.0;
constexpr double kSidesRight = 380.0;
constexpr double kBaselineX = 298.0;
constexpr double kContenderX = 350.0;

using Value = std::optional<double> SeriesPoint::*;

// The values of a side that count.
std::vector<double> ValuesOf(const Series& series, Value side) {
  std::vector<double> values;
  for (const SeriesPoint& point : series.points) {
    if (point.use.empty() && (point.*side).has_value()) {
      values.push_back(*(point.*side));
    }
  }
  return values;
}

// Keeps equal values of one side apart.
double Beside(std::size_t i) {
  return 3.0 * (static_cast<double>((i * 7) % 5) - 2.0);
}

// One side in the order of the run, and by side at `x`.
void WriteSide(const Series& series, Value side, const PlotScale& scale,
               std::string_view style, double x, MarkupWriter& html) {
  PlotLine order;
  PlotLine beside;
  PlotLine unused;
  const std::size_t count = series.points.size();
  for (std::size_t i = 0; i < count; ++i) {
    const SeriesPoint& point = series.points[i];
    if (!(point.*side).has_value()) continue;
    const double y = scale.At(*(point.*side));
    const double place = OrderX(i, count, kOrderLeft + 6, kOrderRight - 6);
    if (!point.use.empty()) {
      unused.Add(place, y);
      continue;
    }
    order.Add(place, y);
    beside.Add(x + Beside(i), y);
  }
  WriteLine(style, order, html);
  WriteLine(absl::StrCat(std::string(style), " s"), beside, html);
  WriteLine(absl::StrCat("v", std::string(style)), unused, html);
}

// An upright line with a mark at each end that is bounded.
std::string IntervalPath(double low, double high, const Interval& interval,
                         double x) {
  std::string path = DownPath(x, low, high);
  if (interval.lower.has_value()) path += AcrossPath(x - 3, low, x + 3);
  if (interval.upper.has_value()) path += AcrossPath(x - 3, high, x + 3);
  return path;
}

// Both medians, the interval as values of the contender, and the margin.
void WriteFigures(const Comparison& comparison, const PlotScale& scale,
                  MarkupWriter& html) {
  const double base = comparison.baseline_median;
  const auto at = [&](double value) { return scale.At(value); };
  WritePath("tb", AcrossPath(kBaselineX - 16, at(base), kBaselineX + 16), html);
  WritePath("tc",
            AcrossPath(kContenderX - 16, at(comparison.contender_median),
                       kContenderX + 16),
            html);
  if (comparison.margin.has_value() && base > 0.0) {
    const bool lower = comparison.metric.direction == Direction::kLowerIsBetter;
    const double factor = 1.0 + *comparison.margin;
    const double limit = lower ? base * factor : base / factor;
    if (scale.Holds(limit)) {
      WritePath("m", AcrossPath(kSidesLeft + 4, at(limit), kSidesRight), html);
    }
  }
  if (!comparison.estimate.has_value() || !(base > 0.0)) return;
  const Interval& interval = comparison.estimate->interval;
  const double x = kContenderX + 22;
  const double low =
      at(interval.lower.has_value() ? base * *interval.lower : scale.low);
  const double high =
      at(interval.upper.has_value() ? base * *interval.upper : scale.high);
  WritePath("ic", IntervalPath(low, high, interval, x), html);
}

void WriteValueAxis(const std::string& metric, const PlotScale& scale,
                    MarkupWriter& html) {
  constexpr int kAbout = 4;
  std::string grid;
  const std::vector<double> ticks = Ticks(scale.low, scale.high, kAbout);
  for (const double tick : ticks) {
    const double y = scale.At(tick);
    grid += AcrossPath(kOrderLeft, y, kOrderRight) +
            AcrossPath(kSidesLeft, y, kSidesRight);
  }
  WritePath("g", grid, html);
  for (const double tick : ticks) {
    PlotText(kOrderLeft - 5, scale.At(tick) + 3.5, "ae",
             ValueText(metric, tick), html);
  }
}

std::string SideText(std::string_view side, std::string_view metric,
                     const std::vector<double>& values, double median) {
  if (values.empty()) return "";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return absl::StrFormat(" %s: %d values from %s to %s, median %s.", side,
                         values.size(), ValueText(metric, *low),
                         ValueText(metric, *high), ValueText(metric, median));
}

std::string_view VisitsTitle(const Comparison& comparison) {
  if (comparison.rounds > 0) return "Visits in the order they ran";
  return comparison.unit == SamplingUnit::kVisit
             ? "Visits in the order of the files"
             : "Repetitions in the order they ran";
}

}  // namespace

double OrderX(std::size_t i, std::size_t count, double left, double right) {
  if (count <= 1) return 0.5 * (left + right);
  return left + static_cast<double>(i) / static_cast<double>(count - 1) *
                    (right - left);
}

void WriteLine(std::string_view style, const PlotLine& line,
               MarkupWriter& html) {
  if (line.text().empty()) return;
  html.Empty("polyline",
             {{"class", std::string(style)}, {"points", line.text()}});
}

void WritePath(std::string_view style, const std::string& path,
               MarkupWriter& html) {
  html.Empty("path", {{"class", std::string(style)}, {"d", path}});
}

void WriteShapes(MarkupWriter& html) {
  html.Begin("svg", {{"width", "0"},
                     {"height", "0"},
                     {"aria-hidden", "true"},
                     {"class", "skip"}});
  const auto marker = [&html](std::string_view id) {
    html.Begin("marker", {{"id", std::string(id)},
                          {"viewBox", "-4 -4 8 8"},
                          {"markerWidth", "8"},
                          {"markerHeight", "8"},
                          {"markerUnits", "userSpaceOnUse"}});
  };
  html.Begin("g", {{"id", "labels"}});
  PlotText(0.5 * (kOrderLeft + kOrderRight), kPlotLabels, "am", "in order",
           html);
  PlotText(kBaselineX, kPlotLabels, "am", "baseline", html);
  PlotText(kContenderX, kPlotLabels, "am", "contender", html);
  html.End();
  marker("mb");
  html.Empty("circle", {{"r", "2.5"}});
  html.End();
  marker("mc");
  html.Empty("path", {{"d", "M-3.2 0L0-3.2 3.2 0 0 3.2z"}});
  html.End();
  for (const char* const id : {"mu", "md"}) {
    marker(id);
    html.Empty("circle", {{"r", "2"}});
    html.End();
  }
  marker("mw");
  html.Empty("path", {{"d", "M-3 0H3M0-3V3"}});
  html.End();
  marker("mv");
  html.Empty("path", {{"d", "M-2.5-2.5L2.5 2.5M-2.5 2.5L2.5-2.5"}});
  html.End();
  html.End();
}

void BeginPlot(std::string_view title, std::string_view description,
               std::string_view view_box, MarkupWriter& html) {
  html.Begin("figure");
  html.Element("figcaption", title);
  html.Begin("svg", {{"viewBox", std::string(view_box)}, {"role", "img"}});
  html.Element("title", title);
  html.Element("desc", description);
}

void PlotText(double x, double y, std::string_view style, std::string_view text,
              MarkupWriter& html) {
  html.Element("text", text,
               {{"x", PlaceText(x)},
                {"y", PlaceText(y)},
                {"class", std::string(style)}});
}

void WriteVisitsPlot(const Comparison& comparison, const Series& series,
                     MarkupWriter& html) {
  const std::string& metric = comparison.metric.name;
  const std::vector<double> before = ValuesOf(series, &SeriesPoint::baseline);
  const std::vector<double> after = ValuesOf(series, &SeriesPoint::contender);
  if (before.empty() && after.empty()) return;
  std::vector<double> values = before;
  values.insert(values.end(), after.begin(), after.end());
  const PlotScale scale = ScaleOf(std::move(values), kPlotBottom, kPlotTop);
  const auto beyond = [&scale](const std::vector<double>& side) {
    return std::count_if(side.begin(), side.end(),
                         [&](double value) { return !scale.Holds(value); });
  };
  const auto outside = beyond(before) + beyond(after);
  BeginPlot(
      VisitsTitle(comparison),
      absl::StrCat(
          metric, " of ", comparison.name, ".",
          SideText("Baseline", metric, before, comparison.baseline_median),
          SideText("Contender", metric, after, comparison.contender_median),
          outside == 0 ? ""
                       : absl::StrCat(" ", outside, " drawn on the edge.")),
      kPlotView, html);
  WriteValueAxis(metric, scale, html);
  WriteSide(series, &SeriesPoint::baseline, scale, "b", kBaselineX, html);
  WriteSide(series, &SeriesPoint::contender, scale, "c", kContenderX, html);
  if (comparison.estimate.has_value()) WriteFigures(comparison, scale, html);
  PlotText(kOrderLeft + 6, kPlotLabels, "am",
           absl::StrCat(series.points.front().index), html);
  PlotText(kOrderRight - 6, kPlotLabels, "am",
           absl::StrCat(series.points.back().index), html);
  html.Empty("use", {{"href", "#labels"}});
  html.End();
  html.End();
}

void WriteRatioPlot(const Comparison& comparison, const Series& series,
                    MarkupWriter& html) {
  const std::vector<double> ratios = ValuesOf(series, &SeriesPoint::ratio);
  if (ratios.empty() || !comparison.estimate.has_value()) return;
  const RatioEstimate& estimate = *comparison.estimate;
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  for (const auto& end : {estimate.interval.lower, estimate.interval.upper}) {
    if (end.has_value() && *end > 0.0) logs.push_back(std::log(*end));
  }
  const ChangeAxis axis(logs, kPlotBottom, kPlotTop);
  BeginPlot("Change by round",
            absl::StrCat("Change of ", comparison.name, " in each of ",
                         CountText(ratios.size(), "round"),
                         ", and all together ", ChangeText(estimate.ratio), " ",
                         IntervalText(estimate.interval), "."),
            kPlotView, html);
  std::string grid;
  for (const double tick : axis.TickRatios()) {
    grid += AcrossPath(kOrderLeft, axis.At(tick), kSidesRight);
    PlotText(kOrderLeft - 5, axis.At(tick) + 3.5, "ae", axis.TickText(tick),
             html);
  }
  WritePath("g", grid, html);
  WritePath("z", AcrossPath(kOrderLeft, axis.At(1.0), kSidesRight), html);
  PlotLine line;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    line.Add(OrderX(i, ratios.size(), kOrderLeft + 6, kOrderRight - 6),
             axis.At(ratios[i]));
  }
  WriteLine("c", line, html);
  const double x = 0.5 * (kSidesLeft + kSidesRight);
  const auto place = [&axis](const std::optional<double>& end, double edge) {
    return end.has_value() && *end > 0.0 ? axis.At(*end) : edge;
  };
  WritePath("tc", AcrossPath(x - 16, axis.At(estimate.ratio), x + 16), html);
  WritePath("ic",
            IntervalPath(place(estimate.interval.lower, kPlotBottom),
                         place(estimate.interval.upper, kPlotTop),
                         estimate.interval, x),
            html);
  PlotText(0.5 * (kOrderLeft + kOrderRight), kPlotLabels, "am",
           "rounds that count", html);
  PlotText(x, kPlotLabels, "am", "all together", html);
  html.End();
  html.End();
}

void WriteNumbers(const Comparison& comparison, const Series& series,
                  const BetWords& words, MarkupWriter& html) {
  if (series.points.empty()) return;
  const bool bets = comparison.rounds > 0 && series.log_for_limit > 0.0;
  const bool values = !ValuesOf(series, &SeriesPoint::baseline).empty() ||
                      !ValuesOf(series, &SeriesPoint::contender).empty();
  const std::string& metric = comparison.metric.name;
  html.Begin("details");
  html.Element("summary", "Numbers");
  html.Begin("table", {{"class", "num"}});
  html.Begin("thead");
  html.Begin("tr");
  html.Element("th", comparison.rounds > 0 ? "round" : "");
  if (values) {
    html.Element("th", "baseline");
    html.Element("th", "contender");
  }
  if (comparison.rounds > 0) html.Element("th", "change");
  if (bets) {
    html.Element("th", "e: " + words.gain);
    html.Element("th", "e: " + words.against);
  }
  html.End();
  html.End();
  for (const SeriesPoint& point : series.points) {
    const auto value = [&](const std::optional<double>& number) {
      html.Element("td", number.has_value() ? ValueText(metric, *number) : "");
    };
    const auto log_e = [&](const std::optional<double>& number) {
      html.Element("td", number.has_value() ? EvidenceText(*number) : "");
    };
    html.Begin("tr");
    html.Element("th", absl::StrCat(point.index, point.use.empty() ? "" : " ",
                                    std::string(point.use)));
    if (values) {
      value(point.baseline);
      value(point.contender);
    }
    if (comparison.rounds > 0) {
      html.Element("td",
                   point.ratio.has_value() ? ChangeText(*point.ratio) : "");
    }
    if (bets) {
      log_e(point.log_e_for);
      log_e(point.log_e_against);
    }
    html.End();
  }
  html.End();
  html.End();
}

}  // namespace autotune
