#ifndef AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_
#define AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/result_file.h"

namespace autotune {

// How recorded files are compared.
struct CompareOptions {
  MatchOptions match;
  // Count the repetitions of a side's only visit as independent.
  bool assume_independent = false;
  ErrorAdjustment adjustment = ErrorAdjustment::kHolm;
  // Judge what both sides have and only list the rest; otherwise a benchmark
  // that the contender lacks cannot be judged, nor, unless the policy lists
  // them, one that only it has, and so neither can the change.
  bool common_only = false;
  // Let files of different machines or libraries be decided on all the same.
  bool ignore_context = false;
  std::string today;  // YYYY-MM-DD, for waivers; empty: none has expired
};

// All benchmarks of two sides and the decision by the policy's rule, with what
// is beside the comparisons.
struct ComparisonTable : Outcome {
  // What `comparisons` were made from, in their order; absent: cannot judge.
  std::vector<std::optional<PairValues>> values;
  ErrorAdjustment adjustment = ErrorAdjustment::kHolm;
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  std::vector<std::string> only_in_baseline;
  std::vector<std::string> only_in_contender;
  std::vector<std::string> without_metric;  // carry no such metric: left out
  std::vector<IdleSetting> idle;            // settings that take no part
  bool may_lose = false;  // what only the baseline has is no failure
  bool may_add = false;   // nor what only the contender has
  std::vector<UnusableRow> unusable_baseline;
  std::vector<UnusableRow> unusable_contender;
};

// Compares the files of two sides, each at least one, by `policy` (which must
// pass CheckPolicy). The unit of replication is the visit; see
// docs/statistics.md for the rule. Time is linear in the rows.
ComparisonTable CompareFiles(std::span<const ResultFile> baseline,
                             std::span<const ResultFile> contender,
                             const Policy& policy,
                             const CompareOptions& options = {});

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_
