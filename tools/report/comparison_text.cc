#include "tools/report/comparison_text.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "comparator/recorded/comparison.h"
#include "comparator/statistics/verdict.h"
#include "tools/report/comparison_lists.h"
#include "tools/report/next_steps.h"
#include "tools/report/outcome.h"
#include "tools/report/text_table.h"
#include "tools/report/value_text.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// Longer lists are cut; --json has them whole.
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostNotes = 8;

using Cell = TextTable::Cell;

std::string NameText(const Comparison& comparison) {
  return absl::StrCat(
      PrintableText(comparison.name),
      comparison.role == ComparisonRole::kGuard ? " (guard)" : "");
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
  cells.push_back({ValueText(metric, comparison.baseline_median)});
  cells.push_back({ValueText(metric, comparison.contender_median)});
  cells.push_back({ChangeText(comparison.estimate->ratio), outcome.style});
  cells.push_back({IntervalText(comparison.estimate->interval)});
  const std::string test =
      comparison.p_value.has_value()
          ? absl::StrCat("p=", PValueText(*comparison.p_value))
          : "no test";
  cells.push_back(
      {absl::StrCat(test, " n=", SizesText(comparison)), TextStyle::kFaint});
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

// "A, B and 3 more".
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

std::string ListsText(const ComparisonTable& table) {
  std::string text;
  for (const LeftOut& left_out : LeftOutOf(table)) {
    absl::StrAppend(&text, absl::StrFormat("%s (%d): %s\n", left_out.label,
                                           left_out.entries.size(),
                                           ListText(left_out.entries)));
  }
  return text;
}

// The last note, about the order of the runs, is always shown.
std::string NotesText(const ComparisonTable& table) {
  const std::vector<std::string> notes = NotesOf(table);
  std::string text;
  const bool cut = notes.size() > kMostNotes;
  const std::size_t shown = cut ? kMostNotes - 1 : notes.size();
  for (std::size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, "note: ", PrintableText(notes[i]), "\n");
  }
  if (cut) {
    absl::StrAppend(&text, "note: ", notes.size() - kMostNotes,
                    " more; see --json\nnote: ", PrintableText(notes.back()),
                    "\n");
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
