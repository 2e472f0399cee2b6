// The page of a tuning task: how far it got, attempt by attempt, what each was
// expected to bring and what it brought.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/version.h"
#include "comparator/outcome/outcome.h"
#include "comparator/statistics/metric.h"
#include "tools/report/comparison_plots.h"
#include "tools/report/html_page.h"
#include "tools/report/markup.h"
#include "tools/report/plot.h"
#include "tools/report/task_plots.h"
#include "tools/report/task_report.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

using Attempt = TaskReport::Attempt;
using Harvest = TaskReport::Harvest;

std::string Classes(std::string_view decision) {
  return std::string(StyleClass(DecisionStyle(decision)));
}

void WriteCourseKey(MarkupWriter& html) {
  const auto key = [&html](std::string_view tag, std::string_view style,
                           std::string_view shape, std::string_view text) {
    html.Begin(
        "svg",
        {{"class", "key"}, {"viewBox", "0 0 14 12"}, {"aria-hidden", "true"}});
    const bool disc = tag == "circle";
    html.Empty(tag, {{"class", std::string(style)},
                     {"d", disc ? "" : std::string(shape)},
                     {"cx", disc ? "7" : ""},
                     {"cy", disc ? "6" : ""},
                     {"r", disc ? "4" : ""}});
    html.End();
    html.Text(text);
  };
  html.Begin("p", {{"class", "soft small"}});
  key("circle", "keep", "", " kept, ");
  key("circle", "drop", "", " discarded, ");
  key("path", "open", "M2 6l5-5 5 5-5 5z", " undecided, ");
  key("path", "crash", "M3 2l8 8m0-8l-8 8",
      " nothing measured (crash, "
      "violation); ");
  key("path", "gain", "M0 6H14", " the tip by what its keeps claim, ");
  key("path", "pred", "M0 6H14", " what was predicted, ");
  key("path", "harvest", "M2 10h10l-5-9z",
      " start against tip, measured "
      "afresh. ");
  html.Text("Upright lines are intervals.");
  html.End();
}

void WritePhases(const TaskReport& report, MarkupWriter& html) {
  struct Sum {
    std::string phase;
    std::size_t attempts = 0;
    std::size_t kept = 0;
    double ratio = 1.0;
    double seconds = 0.0;
  };
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    const Attempt& attempt = report.attempts[i];
    const std::string phase =
        attempt.phase.empty() ? "not said" : attempt.phase;
    if (sums.empty() || sums.back().phase != phase) sums.push_back({phase});
    Sum& sum = sums.back();
    ++sum.attempts;
    sum.kept += attempt.kept;
    sum.ratio *= attempt.claimed_ratio / RatioBefore(report, i);
    sum.seconds += attempt.seconds.value_or(0.0);
  }
  html.Begin("figure");
  html.Element("figcaption", "Phases");
  html.Begin("table", {{"class", "num"}});
  html.Begin("thead");
  html.Begin("tr");
  for (const char* const name :
       {"phase", "attempts", "kept", "gain claimed", "measured for"}) {
    html.Element("th", name, {{"scope", "col"}});
  }
  html.End();
  html.End();
  for (const Sum& sum : sums) {
    html.Begin("tr");
    html.Element("th", sum.phase, {{"scope", "row"}});
    html.Element("td", absl::StrCat(sum.attempts));
    html.Element("td", absl::StrCat(sum.kept));
    html.Element("td", ChangeText(sum.ratio));
    html.Element("td", SecondsText(sum.seconds));
    html.End();
  }
  html.End();
  html.End();
}

void WriteCommit(const TaskReport& report, const std::string& commit,
                 MarkupWriter& html) {
  const std::string name = commit.substr(0, 10);
  if (report.commit_url.empty() || commit.empty()) {
    html.Element("code", name);
    return;
  }
  html.Begin("a", {{"href", report.commit_url + commit}});
  html.Element("code", name);
  html.End();
}

// "micro, part parse, 12 rounds, 2.5 s, 1a2b3c4d5e".
void WriteEffort(const TaskReport& report, const Attempt& attempt,
                 MarkupWriter& html) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    absl::StrAppend(&text, part, ", ");
  };
  if (!attempt.phase.empty()) add(attempt.phase);
  if (!attempt.part.empty()) add("part " + attempt.part);
  if (attempt.rounds.has_value()) {
    add(CountText(static_cast<std::size_t>(*attempt.rounds), "round"));
  }
  if (attempt.seconds.has_value()) add(SecondsText(*attempt.seconds));
  html.Begin("div", {{"class", "soft small"}});
  html.Text(text);
  WriteCommit(report, attempt.commit, html);
  html.End();
}

void WriteAttemptRow(const TaskReport& report, const Attempt& attempt,
                     const ChangeAxis& axis, MarkupWriter& html) {
  const bool measured = attempt.estimate.has_value();
  const std::string style = Classes(attempt.decision);
  html.Begin("tr", {{"class", style}});
  html.Begin("th", {{"class", "n"}, {"scope", "row"}});
  html.Text(attempt.approach);
  if (!attempt.hypothesis.empty()) {
    html.Element("div", attempt.hypothesis, {{"class", "soft small"}});
  }
  WriteEffort(report, attempt, html);
  html.End();
  html.Begin("td", {{"class", "w"}});
  html.Element(
      "b",
      absl::StrCat(std::string(StyleSign(DecisionStyle(attempt.decision))),
                   attempt.decision),
      {{"class", style}});
  html.End();
  html.Begin("td", {{"class", "f"}});
  Comparison comparison;
  comparison.estimate = attempt.estimate;
  WriteForestRow(comparison, axis, html);
  html.End();
  html.Element("td", measured ? ChangeText(attempt.estimate->ratio) : "",
               {{"class", "t"}});
  html.Element("td", measured ? IntervalText(attempt.estimate->interval) : "",
               {{"class", "r"}});
  html.Element("td",
               attempt.predicted_ratio.has_value()
                   ? ChangeText(*attempt.predicted_ratio)
                   : "",
               {{"class", "o"}});
  html.Element("td", ChangeText(attempt.claimed_ratio), {{"class", "o"}});
  html.End();
}

void WriteAttempts(const TaskReport& report, MarkupWriter& html) {
  constexpr std::size_t kRoom = 2'500'000;
  std::vector<double> logs;
  for (const Attempt& attempt : report.attempts) {
    if (!attempt.estimate.has_value()) continue;
    for (const std::optional<double>& ratio :
         {std::optional(attempt.estimate->ratio),
          attempt.estimate->interval.lower, attempt.estimate->interval.upper}) {
      if (ratio.has_value() && *ratio > 0.0) logs.push_back(std::log(*ratio));
    }
  }
  const ChangeAxis axis(logs, 12, 288);
  html.Element("h2", "Every attempt", {{"id", "all"}});
  html.Begin("div", {{"class", "wide"},
                     {"tabindex", "0"},
                     {"role", "region"},
                     {"aria-labelledby", "all"}});
  html.Begin("table", {{"class", "all"}});
  html.Begin("thead");
  html.Begin("tr");
  const auto heading = [&html](std::string_view text, std::string_view style) {
    html.Element("th", text, {{"class", std::string(style)}, {"scope", "col"}});
  };
  heading("attempt", "n h");
  heading("decision", "w h");
  html.Begin("th", {{"class", "f"}, {"scope", "col"}});
  WriteForestHead(axis, "attempt", report.metric.direction, html);
  html.End();
  heading("change", "h");
  heading("interval", "h");
  for (const char* const name : {"predicted", "so far"}) {
    heading(name, "o");
  }
  html.End();
  html.End();
  html.Begin("tbody", {{"data-orders", "in order|last first|by name"}});
  std::size_t shown = 0;
  for (const Attempt& attempt : report.attempts) {
    if (html.size() > kRoom) break;
    WriteAttemptRow(report, attempt, axis, html);
    ++shown;
  }
  html.End();
  html.End();
  html.End();
  if (shown < report.attempts.size()) {
    html.Element("p", absl::StrCat(report.attempts.size() - shown,
                                   " more; the JSON report has them all."));
  }
}

void WriteHead(const TaskReport& report, MarkupWriter& html) {
  const double ratio = TaskRatio(report);
  const bool gained = report.metric.direction == Direction::kLowerIsBetter
                          ? ratio < 1.0
                          : ratio > 1.0;
  html.Begin("header");
  html.Element("h1", absl::StrCat("Tuning task ", report.task));
  html.Begin("div", {{"class", gained ? "verdict good" : "verdict"}});
  html.Element("div", report.target, {{"class", "word"}});
  html.Element("div", ChangeText(ratio), {{"class", "big"}});
  html.Element("div", TaskGainText(report), {{"class", "why"}});
  html.End();
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const Attempt& attempt : report.attempts) {
    const auto found = std::find_if(
        counts.begin(), counts.end(),
        [&](const auto& count) { return count.first == attempt.decision; });
    if (found == counts.end()) {
      counts.emplace_back(attempt.decision, 1);
    } else {
      ++found->second;
    }
  }
  html.Begin("ul", {{"class", "tally"}});
  for (const auto& [decision, count] : counts) {
    html.Begin("li");
    html.Element(
        "b",
        absl::StrCat(std::string(StyleSign(DecisionStyle(decision))), count),
        {{"class", Classes(decision)}});
    html.Text(" " + decision);
    html.End();
  }
  html.End();
  html.End();
}

void WriteFacts(const TaskReport& report, MarkupWriter& html) {
  html.Element("h2", "The task");
  html.Begin("dl");
  html.Element("dt", "branch");
  html.Element("dd", report.branch);
  for (const auto& [name, commit] :
       {std::pair("start", &report.base), std::pair("tip", &report.tip)}) {
    html.Element("dt", name);
    html.Begin("dd");
    WriteCommit(report, *commit, html);
    html.End();
  }
  html.Element("dt", "metric");
  html.Element("dd", report.metric.name);
  for (const Harvest& harvest : report.harvests) {
    if (!harvest.estimate.has_value()) continue;
    html.Element("dt", absl::StrCat("start against tip after ",
                                    CountText(harvest.after, "attempt")));
    html.Element("dd", absl::StrCat(ChangeText(harvest.estimate->ratio), " ",
                                    IntervalText(harvest.estimate->interval)));
  }
  html.End();
  for (const std::string& warning : report.warnings) {
    html.Element("p", warning);
  }
}

}  // namespace

std::string TaskReportHtml(const TaskReport& report) {
  MarkupWriter html;
  html.Element("a", "Skip to the attempts",
               {{"class", "skip"}, {"href", "#all"}});
  WriteHead(report, html);
  html.Begin("main");
  if (!report.attempts.empty()) {
    html.Element("h2", "The course of the task");
    html.Begin("div", {{"class", "card course wide"}, {"tabindex", "0"}});
    WriteCourse(report, html);
    html.End();
    WriteCourseKey(html);
    html.Begin("div", {{"class", "card plots"}});
    WritePredictions(report, html);
    WritePhases(report, html);
    html.End();
  }
  WriteAttempts(report, html);
  WriteFacts(report, html);
  html.End();
  html.Element("footer", absl::StrCat("autotune ", kVersion,
                                      ". This page loads nothing and works "
                                      "without its script."));
  return HtmlPage(
      absl::StrCat(report.task, ": ", TaskGainText(report), " - autotune"),
      html.Take());
}

}  // namespace autotune
