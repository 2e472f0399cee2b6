#include "tools/report/comparison_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "comparator/comparison.h"
#include "comparator/recorded_shift.h"
#include "comparator/result_file.h"
#include "comparator/verdict.h"
#include "comparator/visit_values.h"
#include "tools/report/next_steps.h"
#include "tools/report/outcome.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer lists are cut; --json has them whole.
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostWarnings = 8;

using Cell = TextTable::Cell;

bool HasMixedMetrics(const ComparisonTable& table) {
  return std::any_of(table.comparisons.begin(), table.comparisons.end(),
                     [&table](const Comparison& comparison) {
                       return comparison.metric !=
                              table.comparisons.front().metric;
                     });
}

std::string NameText(const Comparison& comparison) {
  return absl::StrCat(
      PrintableText(comparison.name),
      comparison.role == ComparisonRole::kGuard ? " (guard)" : "");
}

std::string SizesText(const Comparison& comparison) {
  return absl::StrFormat(
      "%d+%d%s", comparison.baseline_size, comparison.contender_size,
      comparison.unit == SamplingUnit::kRepetition ? " reps" : "");
}

std::vector<Cell> RowOf(const Comparison& comparison, bool with_metric) {
  const RowOutcome outcome = OutcomeOf(comparison);
  std::vector<Cell> cells = {{NameText(comparison)}};
  cells.push_back({with_metric ? PrintableText(comparison.metric.name) : "",
                   TextStyle::kFaint});
  if (!comparison.estimate.has_value()) {
    cells.insert(cells.end(), 5, Cell{});
    cells.push_back({outcome.word, outcome.style});
    return cells;
  }
  const std::string& metric = comparison.metric.name;
  const double p = comparison.p_value.value_or(1.0);
  cells.push_back({ValueText(metric, comparison.baseline_median)});
  cells.push_back({ValueText(metric, comparison.contender_median)});
  cells.push_back({ChangeText(comparison.estimate->ratio), outcome.style});
  cells.push_back({IntervalText(comparison.estimate->interval)});
  cells.push_back(
      {absl::StrCat("p=", PValueText(p), " n=", SizesText(comparison)),
       TextStyle::kFaint});
  cells.push_back({outcome.word, outcome.style});
  return cells;
}

std::vector<Cell> OverallRow(const ComparisonTable& table) {
  return {{absl::StrFormat("geomean of %d", table.overall_size),
           TextStyle::kStrong},
          {},
          {},
          {},
          {ChangeText(table.overall->ratio), TextStyle::kStrong},
          {IntervalText(table.overall->interval)},
          {},
          {table.kind == PolicyKind::kGate
               ? ""
               : std::string(VerdictWord(table.overall_verdict)),
           StyleOf(table.overall_verdict)}};
}

std::string TableText(const ComparisonTable& table, bool color) {
  if (table.comparisons.empty()) return "";
  TextTable text;
  text.AddRow({{"benchmark", TextStyle::kFaint},
               {"metric", TextStyle::kFaint},
               {"baseline", TextStyle::kFaint},
               {"contender", TextStyle::kFaint},
               {"change", TextStyle::kFaint},
               {"interval", TextStyle::kFaint},
               {"two-sided", TextStyle::kFaint},
               {"verdict", TextStyle::kFaint}});
  const bool with_metric = HasMixedMetrics(table);
  for (const Comparison& comparison : table.comparisons) {
    text.AddRow(RowOf(comparison, with_metric));
  }
  if (table.overall.has_value() && table.overall_size > 1) {
    text.AddRow(OverallRow(table));
  }
  return text.Render(color);
}

std::string ListText(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kMostListed) break;
    shown.push_back(PrintableText(name));
  }
  std::string text = absl::StrJoin(shown, ", ");
  if (names.size() > shown.size()) {
    absl::StrAppend(&text, " and ", names.size() - shown.size(), " more");
  }
  return text;
}

// "LABEL (N): A, B" on a line, nothing for an empty list.
std::string ListLine(std::string_view label,
                     const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return absl::StrFormat("%s (%d): %s\n", label, names.size(), ListText(names));
}

std::string_view KindWord(UnusableRow::Kind kind) {
  switch (kind) {
    case UnusableRow::Kind::kErrored:
      return "errored";
    case UnusableRow::Kind::kSkipped:
      return "skipped";
    case UnusableRow::Kind::kNotMeasured:
      break;
  }
  return "not measured";
}

std::vector<std::string> UnusableNames(const std::vector<UnusableRow>& rows) {
  std::vector<std::string> names;
  for (const UnusableRow& row : rows) {
    names.push_back(absl::StrFormat("%s %s%s%s", row.name, KindWord(row.kind),
                                    row.reason.empty() ? "" : ": ",
                                    row.reason));
  }
  return names;
}

std::string ListsText(const ComparisonTable& table) {
  return absl::StrCat(
      ListLine("only in the baseline", table.only_in_baseline),
      ListLine("only in the contender", table.only_in_contender),
      ListLine("without the metric", table.without_metric),
      ListLine("unusable in the baseline",
               UnusableNames(table.unusable_baseline)),
      ListLine("unusable in the contender",
               UnusableNames(table.unusable_contender)));
}

// Notes about single benchmarks: doubts, waivers, how their values came.
std::vector<std::string> BenchmarkNotes(const ComparisonTable& table) {
  std::vector<std::string> notes;
  for (const Comparison& comparison : table.comparisons) {
    const auto add = [&](const std::string& text) {
      notes.push_back(absl::StrCat(comparison.name, ": ", text));
    };
    if (!comparison.cannot_judge.empty()) add(comparison.cannot_judge);
    if (!comparison.suspicion.empty()) add(comparison.suspicion);
    if (!comparison.waiver.empty()) add("waived " + comparison.waiver);
    for (const std::string& warning : comparison.warnings) add(warning);
  }
  return notes;
}

std::string NotesText(const ComparisonTable& table) {
  std::vector<std::string> notes = BenchmarkNotes(table);
  notes.insert(notes.end(), table.warnings.begin(), table.warnings.end());
  std::string text;
  for (std::size_t i = 0; i < notes.size() && i < kMostWarnings; ++i) {
    absl::StrAppend(&text, "note: ", PrintableText(notes[i]), "\n");
  }
  if (notes.size() > kMostWarnings) {
    absl::StrAppend(&text, "note: ", notes.size() - kMostWarnings,
                    " more; see --json\n");
  }
  if (!table.comparisons.empty()) {
    absl::StrAppend(&text,
                    "note: recorded files: the order of the runs was not "
                    "randomised, so drift counts as change\n");
  }
  return text;
}

}  // namespace

std::string ComparisonText(const ComparisonTable& table, bool color) {
  std::string text = TableText(table, color);
  absl::StrAppend(&text, ListsText(table), NotesText(table),
                  OutcomeLine(table, color), NextText(NextSteps(table)));
  return text;
}

}  // namespace autotune
