#include "tools/report/comparison_lists.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

constexpr std::string_view kNotRandomised =
    "recorded files: the order of the runs was not randomised, so drift counts "
    "as change";

std::vector<std::string> UnusableTexts(const std::vector<UnusableRow>& rows) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const UnusableRow& row : rows) {
    texts.push_back(
        absl::StrFormat("%s %s%s%s", row.name, UnusableWord(row.kind),
                        row.reason.empty() ? "" : ": ", row.reason));
  }
  return texts;
}

void AddNotes(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto add = [&](const std::string& text) {
    notes.push_back(absl::StrCat(comparison.name, ": ", text));
  };
  if (!comparison.cannot_judge.empty()) add(comparison.cannot_judge);
  if (!comparison.suspicion.empty()) add(comparison.suspicion);
  if (!comparison.waiver.empty()) add("waived " + comparison.waiver);
  for (const std::string& warning : comparison.warnings) add(warning);
}

}  // namespace

std::vector<LeftOut> LeftOutOf(const ComparisonTable& table) {
  std::vector<LeftOut> all = {
      {"only in the baseline", table.only_in_baseline},
      {"only in the contender", table.only_in_contender},
      {"without the metric", table.without_metric},
      {"unusable in the baseline", UnusableTexts(table.unusable_baseline)},
      {"unusable in the contender", UnusableTexts(table.unusable_contender)},
  };
  std::erase_if(
      all, [](const LeftOut& left_out) { return left_out.entries.empty(); });
  return all;
}

std::vector<std::string> NotesOf(const ComparisonTable& table) {
  std::vector<std::string> notes;
  for (const Comparison& comparison : table.comparisons) {
    AddNotes(comparison, notes);
  }
  notes.insert(notes.end(), table.warnings.begin(), table.warnings.end());
  if (!table.comparisons.empty()) notes.emplace_back(kNotRandomised);
  return notes;
}

std::string_view UnusableWord(UnusableRow::Kind kind) {
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

std::string SizesText(const Comparison& comparison) {
  return absl::StrFormat(
      "%d+%d%s", comparison.baseline_size, comparison.contender_size,
      comparison.unit == SamplingUnit::kRepetition ? " reps" : "");
}

bool HasMixedMetrics(const ComparisonTable& table) {
  return std::any_of(table.comparisons.begin(), table.comparisons.end(),
                     [&table](const Comparison& comparison) {
                       return comparison.metric !=
                              table.comparisons.front().metric;
                     });
}

}  // namespace autotune
