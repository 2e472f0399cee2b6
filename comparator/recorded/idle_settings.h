#ifndef AUTOTUNE_COMPARATOR_RECORDED_IDLE_SETTINGS_H_
#define AUTOTUNE_COMPARATOR_RECORDED_IDLE_SETTINGS_H_

#include <span>
#include <vector>

#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/comparison_rows.h"
#include "comparator/results/result_file.h"

namespace autotune {

// What FindIdleSettings looks at: two compared sides.
struct ComparedSides {
  std::span<const ResultFile> baseline;
  std::span<const ResultFile> contender;
  const MatchedBenchmarks& matched;
  std::span<const ComparisonRow> rows;
};

// Adds to `table` the filters, renames, guards, margins, waivers and the metric
// that take no part in its comparisons. What only a benchmark that was added
// would use is none, and of what a filter leaves out a warning is made.
void FindIdleSettings(const ComparedSides& sides, const ComparisonRules& rules,
                      const Policy& policy, const CompareOptions& options,
                      ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_IDLE_SETTINGS_H_
