#ifndef AUTOTUNE_COMPARATOR_COMPARISON_H_
#define AUTOTUNE_COMPARATOR_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/estimate.h"
#include "comparator/measurement.h"
#include "comparator/policy.h"
#include "comparator/result_file.h"
#include "comparator/verdict.h"

namespace autotune {

// One benchmark on both sides of recorded files.
struct Comparison {
  std::string name;
  Metric metric;
  // Sampling unit: visits when there are several a side, else repetitions.
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  std::size_t baseline_size = 0;  // values compared
  std::size_t contender_size = 0;
  double baseline_median = 0.0;
  double contender_median = 0.0;
  std::optional<RatioEstimate> estimate;   // absent: cannot judge
  std::optional<double> p_value;           // two-sided Mann-Whitney
  std::optional<double> adjusted_p_value;  // over the table
  std::optional<double> probability_of_superiority;
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;        // of an inconclusive verdict
  std::string cannot_judge;  // why there is no verdict at all; else empty
  std::vector<std::string> warnings;
};

// All benchmarks of two sides, and the decision by `decision.md`'s rules.
struct ComparisonTable {
  std::vector<Comparison> comparisons;  // in the baseline's order
  std::vector<std::string> only_in_baseline;
  std::vector<std::string> only_in_contender;
  std::vector<UnusableRow> unusable_baseline;
  std::vector<UnusableRow> unusable_contender;
  std::optional<RatioEstimate> overall;  // geometric mean of the matched, valid
  Decision decision = Decision::kInconclusive;
  bool cannot_judge = false;  // exit 2, wins over everything
  std::string reason;
  std::vector<std::string> warnings;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_COMPARISON_H_
