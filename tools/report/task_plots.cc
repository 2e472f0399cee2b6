#include "tools/report/task_plots.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "comparator/statistics/estimate.h"
#include "tools/report/comparison_plots.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/task_report.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

using Attempt = TaskReport::Attempt;
using Harvest = TaskReport::Harvest;

constexpr char kCourseView[] = "0 0 780 270";
constexpr double kLeft = 58.0;
constexpr double kRight = 770.0;
constexpr double kTop = 24.0;
constexpr double kBottom = 244.0;

// Every ratio to the start that the course shows.
std::vector<double> CourseLogs(const TaskReport& report) {
  std::vector<double> logs;
  const auto add = [&logs](double before, const std::optional<double>& ratio) {
    if (ratio.has_value() && *ratio > 0.0 && before > 0.0) {
      logs.push_back(std::log(before * *ratio));
    }
  };
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    const Attempt& attempt = report.attempts[i];
    add(1.0, attempt.claimed_ratio);
    add(RatioBefore(report, i), attempt.predicted_ratio);
    if (!attempt.estimate.has_value()) continue;
    add(RatioBefore(report, i), attempt.estimate->ratio);
  }
  for (const Harvest& harvest : report.harvests) {
    if (harvest.estimate.has_value()) add(1.0, harvest.estimate->ratio);
  }
  return logs;
}

class Course {
 public:
  Course(const TaskReport& report, MarkupWriter& html)
      : report_(report),
        html_(html),
        axis_(CourseLogs(report), kBottom, kTop) {}

  void Write() {
    BeginPlot("The tip against the task's start, attempt by attempt",
              absl::StrCat(CountText(report_.attempts.size(), "attempt"), ". ",
                           TaskGainText(report_),
                           ". The numbers are in the table below."),
              kCourseView, html_);
    WriteGrid();
    WriteTip();
    for (std::size_t i = 0; i < report_.attempts.size(); ++i) WriteAttempt(i);
    for (const Harvest& harvest : report_.harvests) WriteHarvest(harvest);
    html_.End();
    html_.End();
  }

 private:
  double X(double place) const {
    const double count = static_cast<double>(report_.attempts.size());
    return kLeft + place / (count + 1.0) * (kRight - kLeft);
  }
  double AttemptX(std::size_t i) const {
    return X(static_cast<double>(i) + 1.0);
  }

  void WriteGrid() {
    std::string grid;
    for (const double ratio : axis_.TickRatios()) {
      const double y = axis_.At(ratio);
      grid += AcrossPath(kLeft, y, kRight);
      PlotText(kLeft - 6, y + 3.5, "ae", axis_.TickText(ratio), html_);
    }
    WritePath("g", grid, html_);
    WritePath("z", AcrossPath(kLeft, axis_.At(1.0), kRight), html_);
    std::string phase;
    for (std::size_t i = 0; i < report_.attempts.size(); ++i) {
      const std::string& now = report_.attempts[i].phase;
      if (now.empty() || now == phase) continue;
      const double x = X(static_cast<double>(i) + 0.5);
      WritePath("ph", DownPath(x, kTop - 12, kBottom), html_);
      PlotText(x + 4, kTop - 8, "", now, html_);
      phase = now;
    }
    const std::size_t step = 1 + report_.attempts.size() / 25;
    for (std::size_t i = 0; i < report_.attempts.size(); i += step) {
      PlotText(AttemptX(i), kBottom + 14, "am", absl::StrCat(i + 1), html_);
    }
    PlotText(kLeft - 6, kBottom + 14, "ae", "attempt", html_);
  }

  // What the tip is worth by the keeps' claims, as stairs.
  void WriteTip() {
    PlotLine line;
    line.Add(kLeft, axis_.At(1.0));
    for (std::size_t i = 0; i < report_.attempts.size(); ++i) {
      line.Add(AttemptX(i), axis_.At(RatioBefore(report_, i)));
      line.Add(AttemptX(i), axis_.At(report_.attempts[i].claimed_ratio));
    }
    if (!report_.attempts.empty()) {
      line.Add(kRight, axis_.At(report_.attempts.back().claimed_ratio));
    }
    WriteLine("gain", line, html_);
  }

  void WriteWhisker(double x, double before, const RatioEstimate& estimate) {
    const auto place = [&](const std::optional<double>& ratio, double edge) {
      return ratio.has_value() ? axis_.At(before * *ratio) : edge;
    };
    WritePath("i",
              DownPath(x, place(estimate.interval.lower, kBottom),
                       place(estimate.interval.upper, kTop)),
              html_);
  }

  void WriteAttempt(std::size_t i) {
    const Attempt& attempt = report_.attempts[i];
    const double before = RatioBefore(report_, i);
    const double x = AttemptX(i);
    html_.Begin("g");
    html_.Element("title",
                  absl::StrCat(attempt.approach, ": ", attempt.decision, ", ",
                               attempt.reason));
    if (attempt.predicted_ratio.has_value()) {
      WritePath(
          "pred",
          AcrossPath(x - 8, axis_.At(before * *attempt.predicted_ratio), x + 8),
          html_);
    }
    if (!attempt.estimate.has_value()) {
      const std::string y = PlaceText(kTop + 2);
      WritePath("crash",
                absl::StrCat("M", PlaceText(x - 4), " ", y, "l8 8m0-8l-8 8"),
                html_);
    } else {
      WriteWhisker(x, before, *attempt.estimate);
      WriteMark(attempt, x, axis_.At(before * attempt.estimate->ratio));
    }
    html_.End();
  }

  // Keeps are discs, discards rings, what is undecided a diamond.
  void WriteMark(const Attempt& attempt, double x, double y) {
    if (DecisionStyle(attempt.decision) == TextStyle::kDoubtful) {
      WritePath("open",
                absl::StrCat("M", PlaceText(x - 5), " ", PlaceText(y),
                             "l5-5 5 5-5 5z"),
                html_);
      return;
    }
    html_.Empty("circle", {{"class", attempt.kept ? "keep" : "drop"},
                           {"cx", PlaceText(x)},
                           {"cy", PlaceText(y)},
                           {"r", "4.5"}});
  }

  void WriteHarvest(const Harvest& harvest) {
    if (!harvest.estimate.has_value()) return;
    const double x = X(static_cast<double>(harvest.after) + 0.5);
    const double y = axis_.At(harvest.estimate->ratio);
    html_.Begin("g");
    html_.Element("title",
                  absl::StrCat("measured start against tip: ",
                               ChangeText(harvest.estimate->ratio), " ",
                               IntervalText(harvest.estimate->interval)));
    WriteWhisker(x, 1.0, *harvest.estimate);
    WritePath(
        "harvest",
        absl::StrCat("M", PlaceText(x - 5), " ", PlaceText(y + 4), "h10l-5-9z"),
        html_);
    html_.End();
  }

  const TaskReport& report_;
  MarkupWriter& html_;
  ChangeAxis axis_;
};

}  // namespace

double RatioBefore(const TaskReport& report, std::size_t i) {
  return i == 0 ? 1.0 : report.attempts[i - 1].claimed_ratio;
}

void WriteCourse(const TaskReport& report, MarkupWriter& html) {
  Course(report, html).Write();
}

void WritePredictions(const TaskReport& report, MarkupWriter& html) {
  std::vector<double> logs;
  std::vector<const Attempt*> predicted;
  for (const Attempt& attempt : report.attempts) {
    if (!attempt.predicted_ratio.has_value() || !attempt.estimate.has_value() ||
        !(*attempt.predicted_ratio > 0.0)) {
      continue;
    }
    predicted.push_back(&attempt);
    logs.push_back(std::log(*attempt.predicted_ratio));
    logs.push_back(std::log(attempt.estimate->ratio));
  }
  if (predicted.empty()) return;
  const ChangeAxis x_axis(logs, 70, 370);
  const ChangeAxis y_axis(logs, kPlotBottom, kPlotTop);
  BeginPlot("Predictions against results",
            absl::StrCat(CountText(predicted.size(), "attempt"),
                         " with a prediction; on the line they agree. The "
                         "numbers are in the table."),
            "0 0 380 190", html);
  std::string grid;
  for (const double ratio : x_axis.TickRatios()) {
    grid += DownPath(x_axis.At(ratio), kPlotTop, kPlotBottom) +
            AcrossPath(70, y_axis.At(ratio), 370);
    PlotText(x_axis.At(ratio), kPlotLabels - 4, "am", x_axis.TickText(ratio),
             html);
    PlotText(65, y_axis.At(ratio) + 3.5, "ae", y_axis.TickText(ratio), html);
  }
  WritePath("g", grid, html);
  WritePath("z", "M70 150L370 8", html);
  for (const Attempt* const attempt : predicted) {
    html.Begin("g");
    html.Element("title", attempt->approach);
    html.Empty("circle",
               {{"class", attempt->kept ? "keep" : "drop"},
                {"cx", PlaceText(x_axis.At(*attempt->predicted_ratio))},
                {"cy", PlaceText(y_axis.At(attempt->estimate->ratio))},
                {"r", "4.5"}});
    html.End();
  }
  PlotText(220, 186, "am", "predicted across, measured upwards", html);
  html.End();
  html.End();
}

}  // namespace autotune
