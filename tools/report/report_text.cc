#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "comparator/outcome/outcome.h"
#include "tools/report/next_step.h"
#include "tools/report/report.h"
#include "tools/report/report_parts.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer lists are cut; --json has them whole.
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostNotes = 8;

constexpr std::size_t kBaselineColumn = 2;
constexpr std::size_t kContenderColumn = 3;

using Cell = TextTable::Cell;

std::string NameText(const Comparison& comparison) {
  return absl::StrCat(
      PrintableText(comparison.name),
      comparison.role == ComparisonRole::kGuard ? " (guard)" : "");
}

// "p=0.0022 n=6+6"; a run's bets are no p-value.
std::string TestText(const Comparison& comparison) {
  if (comparison.rounds > 0) return "";
  return absl::StrFormat(
      "%s n=%d+%d%s",
      comparison.p_value.has_value()
          ? absl::StrCat("p=", PValueText(*comparison.p_value))
          : "no test",
      comparison.baseline_size, comparison.contender_size,
      comparison.unit == SamplingUnit::kRepetition ? " reps" : "");
}

std::vector<Cell> RowOf(const Comparison& comparison, bool with_metric) {
  const RowOutcome outcome = RowOutcomeOf(comparison);
  std::vector<Cell> cells = {{NameText(comparison)}};
  cells.push_back({with_metric ? PrintableText(comparison.metric.name) : "",
                   TextStyle::kFaint});
  if (!comparison.estimate.has_value()) {
    cells.insert(cells.end(), 5, Cell{});
    cells.push_back({outcome.word, outcome.style});
    return cells;
  }
  const std::string& metric = comparison.metric.name;
  cells.push_back({ValueText(metric, comparison.baseline_median)});
  cells.push_back({ValueText(metric, comparison.contender_median)});
  cells.push_back({ChangeText(comparison.estimate->ratio), outcome.style});
  cells.push_back({IntervalText(comparison.estimate->interval)});
  cells.push_back({TestText(comparison), TextStyle::kFaint});
  cells.push_back({outcome.word, outcome.style});
  return cells;
}

std::vector<Cell> MeanRow(const Outcome& outcome) {
  const RowOutcome mean = MeanOutcomeOf(outcome);
  const RatioEstimate& estimate = *outcome.overall->estimate;
  return {{absl::StrFormat("geomean of %d", outcome.overall_size),
           TextStyle::kStrong},
          {},
          {},
          {},
          {ChangeText(estimate.ratio), TextStyle::kStrong},
          {IntervalText(estimate.interval)},
          {},
          {mean.word, mean.style}};
}

std::string TableText(const Outcome& outcome, const TextLayout& layout) {
  if (outcome.comparisons.empty()) return "";
  TextTable text;
  std::vector<Cell> heading;
  for (const char* name : {"benchmark", "metric", "baseline", "contender",
                           "change", "interval", "two-sided", "verdict"}) {
    heading.push_back({name, TextStyle::kFaint});
  }
  text.AddRow(std::move(heading));
  const bool with_metric = HasMixedMetrics(outcome);
  for (const Comparison& comparison : outcome.comparisons) {
    text.AddRow(RowOf(comparison, with_metric));
  }
  if (outcome.overall_size > 1 && outcome.overall->estimate.has_value()) {
    text.AddRow(MeanRow(outcome));
  }
  if (text.Width() > static_cast<std::size_t>(layout.width)) {
    text.ClearColumn(kBaselineColumn);
    text.ClearColumn(kContenderColumn);
  }
  return text.Render(layout.color);
}

// "A, B and 3 more".
std::string ListText(const std::vector<Report::LeftOut::Entry>& entries) {
  std::vector<std::string> shown;
  for (const Report::LeftOut::Entry& entry : entries) {
    if (shown.size() == kMostListed) break;
    shown.push_back(PrintableText(EntryText(entry)));
  }
  std::string text = absl::StrJoin(shown, ", ");
  if (entries.size() > shown.size()) {
    absl::StrAppend(&text, " and ", entries.size() - shown.size(), " more");
  }
  return text;
}

void AppendLines(std::span<const std::string> lines, std::string_view label,
                 std::size_t most, std::string& text) {
  const std::size_t shown = std::min(lines.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, std::string(label), PrintableText(lines[i]), "\n");
  }
  if (shown < lines.size()) {
    absl::StrAppend(&text, std::string(label), lines.size() - shown,
                    " more; see --json\n");
  }
}

}  // namespace

std::string ReportText(const Report& report, const TextLayout& layout) {
  std::string text = TableText(report.outcome, layout);
  for (const Report::LeftOut& left_out : LeftOutOnce(report)) {
    absl::StrAppend(&text, absl::StrFormat("%s (%d): %s\n", left_out.label,
                                           left_out.entries.size(),
                                           ListText(left_out.entries)));
  }
  for (const std::string& line : report.effort) {
    absl::StrAppend(&text, PrintableText(line), "\n");
  }
  AppendLines(report.review, "review: ", kMostNotes, text);
  const std::span<const std::string> notes = report.notes;
  AppendLines(notes.subspan(report.general_notes), "note: ", kMostNotes, text);
  AppendLines(notes.first(report.general_notes), "note: ", report.general_notes,
              text);
  if (!report.last_note.empty()) {
    absl::StrAppend(&text, "note: ", report.last_note, "\n");
  }
  absl::StrAppend(&text, OutcomeLine(report.outcome, layout.color),
                  NextText(report.next));
  return text;
}

}  // namespace autotune
