#ifndef AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_
#define AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// What a benchmark is to the decision.
enum class ComparisonRole {
  kTarget,  // what the change is about; in a gate, everything
  kGuard    // must not get worse by more than its margin
};

// One benchmark on both sides of recorded files.
struct Comparison {
  std::string name;
  Metric metric;
  ComparisonRole role = ComparisonRole::kTarget;
  SamplingUnit unit = SamplingUnit::kVisit;
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  std::size_t baseline_size = 0;  // values compared, one a unit
  std::size_t contender_size = 0;
  double baseline_median = 0.0;  // of the values compared
  double contender_median = 0.0;
  bool from_aggregates = false;  // repetitions were not published
  // Absent: cannot judge, or an exact guard with a value of 0.
  std::optional<RatioEstimate> estimate;
  // Two-sided Mann-Whitney; absent with the estimate, and where single runs
  // published aggregates only.
  std::optional<double> p_value;
  std::optional<double> adjusted_p_value;  // over the table
  std::optional<double> probability_of_superiority;
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;  // of an inconclusive verdict
  std::optional<std::int64_t>
      more_visits;  // a side, that would probably decide
  // False when no numbers of these sizes could decide: too few visits, or one
  // run each.
  bool can_be_decided = true;
  // Guards and gates: the loss tolerated, a fraction, and where the benchmark
  // stands against it. Absent for a tune policy's targets.
  std::optional<double> margin;
  MarginStanding standing = MarginStanding::kUndecided;
  GuardMode guard_mode = GuardMode::kProve;
  std::string waiver;        // gate: why a larger loss is tolerated; else empty
  std::string cannot_judge;  // why there is no verdict at all; else empty
  std::string suspicion;     // why its numbers are doubted; else empty
  std::vector<std::string> warnings;
};

// How recorded files are compared.
struct CompareOptions {
  MatchOptions match;
  // Count the repetitions of a side's only visit as independent.
  bool assume_independent = false;
  ErrorAdjustment adjustment = ErrorAdjustment::kHolm;
  // Judge what both sides have and only list the rest; otherwise a benchmark
  // missing on one side cannot be judged, and so neither can the change.
  bool common_only = false;
  // Let files of different machines or libraries be decided on all the same.
  bool ignore_context = false;
  std::string today;  // YYYY-MM-DD, for waivers; empty: none has expired
};

// All benchmarks of two sides, and the decision by the policy's rule.
struct ComparisonTable {
  PolicyKind kind = PolicyKind::kTune;
  ErrorAdjustment adjustment = ErrorAdjustment::kHolm;
  std::size_t baseline_visits = 0;
  std::size_t contender_visits = 0;
  std::vector<Comparison> comparisons;  // in the baseline's order
  std::vector<std::string> only_in_baseline;
  std::vector<std::string> only_in_contender;
  std::vector<std::string> without_metric;  // carry no such metric: left out
  std::vector<std::string> missing_guards;  // metrics that no target carries
  std::vector<UnusableRow> unusable_baseline;
  std::vector<UnusableRow> unusable_contender;
  // Geometric mean over the matched, valid and unsuspected targets; absent when
  // there are none.
  std::optional<RatioEstimate> overall;
  std::size_t overall_size = 0;  // benchmarks in it
  Verdict overall_verdict = Verdict::kInconclusive;
  // In a gate keep stands for "pass" and discard for "regression".
  Decision decision = Decision::kInconclusive;
  bool cannot_judge = false;  // exit 2, wins over everything
  std::string reason;
  std::optional<std::int64_t> more_visits;  // a side, for the decision
  std::vector<std::string> warnings;
};

// Compares the files of two sides, each at least one, by `policy` (which must
// pass CheckPolicy). The unit of replication is the visit; see
// docs/statistics.md for the rule. Time is linear in the rows.
ComparisonTable CompareFiles(std::span<const ResultFile> baseline,
                             std::span<const ResultFile> contender,
                             const Policy& policy,
                             const CompareOptions& options = {});

// "keep", "discard", "inconclusive"; in a gate "pass", "regression",
// "inconclusive"; "cannot judge" when it cannot.
std::string_view OutcomeName(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_H_
