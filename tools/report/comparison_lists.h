#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_LISTS_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_LISTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Parts of a comparison that all forms for people share, as they are: making
// them printable is the form's part.

// Benchmarks that are not in the table, by why.
struct LeftOut {
  std::string_view label;  // "only in the baseline"
  std::vector<std::string> entries;
};
// Without those that are empty.
std::vector<LeftOut> LeftOutOf(const ComparisonTable& table);

// Everything to be said besides the numbers, the files' order of runs last.
std::vector<std::string> NotesOf(const ComparisonTable& table);

// "errored", "skipped", "not measured".
std::string_view UnusableWord(UnusableRow::Kind kind);

// "6+6", or "10+10 reps" when repetitions of single runs were compared.
std::string SizesText(const Comparison& comparison);

// Whether the benchmarks were not all compared on one metric.
bool HasMixedMetrics(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_LISTS_H_
