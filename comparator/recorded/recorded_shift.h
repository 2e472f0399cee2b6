#ifndef AUTOTUNE_COMPARATOR_RECORDED_RECORDED_SHIFT_H_
#define AUTOTUNE_COMPARATOR_RECORDED_RECORDED_SHIFT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/sample.h"
#include "comparator/statistics/stratified_shift.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// The three bounds on a log-improvement y that verdicts are read from.
struct RecordedBounds {
  ConfidenceBound low;         // y >= low, error alpha
  ConfidenceBound high;        // y <= high, error beta
  ConfidenceBound high_alpha;  // y <= high_alpha, error alpha
};

// improved when low > floor, regressed when high_alpha < 0, equivalent when
// -m < low and high < m, no_gain when high <= floor + m (m =
// MinLogImprovement(policy)), the first that holds; else inconclusive.
Verdict VerdictFromBounds(const RecordedBounds& bounds, const Policy& policy);

// exp of minus y (lower better) with the interval [low, high] on the metric's
// scale, at the level achieved: 1 - alpha - beta or more.
RatioEstimate RatioOf(double y, const RecordedBounds& bounds,
                      const Policy& policy, Direction direction);

// Null distributions of U by sizes, each counted once: a table of thousands of
// benchmarks needs only a few.
class RankTables {
 public:
  // MannWhitneyCdf of the sizes; null when they are not countable.
  std::shared_ptr<const std::vector<double>> Cdf(std::size_t baseline_size,
                                                 std::size_t contender_size);

 private:
  std::map<std::pair<std::size_t, std::size_t>,
           std::shared_ptr<const std::vector<double>>>
      cdfs_;
};

// What independent values recorded once say about one log-improvement y
// (positive: contender better), of one benchmark or of a geometric mean.
//
// Works on costs: ln of a lower-is-better metric, -ln of a higher-is-better
// one; y is the shift of the baseline's costs above the contender's, and all is
// by ranks (hodges_lehmann.h, mann_whitney.h). No coin was tossed, so drift
// between the two recordings is not told from the change.
class RecordedShift {
 public:
  RecordedShift(Sample baseline_costs, Sample contender_costs,
                RankTables& tables);
  // Of values that may only be compared within strata, x the baseline's costs:
  // recorded on several hosts. At least one stratum.
  explicit RecordedShift(std::vector<Stratum> strata);

  double y() const;
  // y >= bound, y <= bound, with this one-sided error.
  ConfidenceBound LowerBound(double error) const;
  ConfidenceBound UpperBound(double error) const;

  // One-sided p-values: small disproves y <= theta, y >= theta.
  double PAtMost(double theta) const;
  double PAtLeast(double theta) const;
  // Two-sided p-value of y = 0.
  double PTwoSided() const;
  // The smallest one-sided p-value that these sizes can give.
  double SmallestP() const;
  // Chance that a contender's value is better than a baseline's, ties half.
  double ProbabilityOfSuperiority() const;
  // Fewest visits a side, as many on both (in strata: one of each a stratum),
  // of which SmallestP is at most `error` (in (0, 1)).
  std::int64_t VisitsNeeded(double error) const;

  std::size_t baseline_size() const { return baseline_.size(); }
  std::size_t contender_size() const { return contender_.size(); }
  // Standard deviation of one value's logarithm, pooled over the sides; nothing
  // when neither side has two values.
  std::optional<double> Noise() const;

  // The bounds at the policy's errors.
  RecordedBounds Bounds(const Policy& policy) const;

 private:
  MannWhitney TestAgainst(double theta) const;

  Sample baseline_;
  Sample contender_;
  std::shared_ptr<const std::vector<double>> cdf_;
  TwoSampleShift shift_;
  std::optional<StratifiedShift> strata_;  // then all is read from it
};

// The shift of one side's costs above the other's, by the visits (`units`) they
// are of: within the hosts' strata when there are some. Nothing when no host
// has visits of both sides.
std::optional<RecordedShift> ShiftOfVisits(
    std::vector<double> baseline_costs,
    std::span<const std::size_t> baseline_units,
    std::vector<double> contender_costs,
    std::span<const std::size_t> contender_units, const HostStrata& strata,
    RankTables& tables);

// ln(value), or its negative when higher is better. Values must be > 0.
std::vector<double> CostsOf(std::span<const double> values,
                            Direction direction);

// How the p-values of a table are adjusted for their number.
enum class ErrorAdjustment { kHolm, kBenjaminiHochberg };

// "Holm", "Benjamini-Hochberg".
std::string_view ErrorAdjustmentName(ErrorAdjustment adjustment);

std::vector<double> AdjustPValues(std::span<const double> p_values,
                                  ErrorAdjustment adjustment);

// A verdict with, when inconclusive, why, and how many more visits a side would
// probably decide at the observed spread (absent: nothing to base it on).
struct RecordedVerdict {
  Verdict verdict = Verdict::kInconclusive;
  std::string reason;
  std::optional<std::int64_t> more_visits;
};

// The verdict of each test of a family: by VerdictFromBounds, where a bound
// counts as beyond a shift only when the p-value against that shift, adjusted
// over the family, agrees.
std::vector<RecordedVerdict> DecideFamily(
    std::span<const RecordedShift* const> family, const Policy& policy,
    ErrorAdjustment adjustment);

// Errors allowed: `within` that a loss beyond the margin counts as within, each
// test for itself because all must be within; `beyond` that any test within its
// margin counts as beyond it, over the family.
struct MarginErrors {
  double within = 0.05;
  double beyond = 0.05;
};

// Where each test of a family stands against "not worse by more than its
// margin", y > -ln(1 + margin).
std::vector<MarginStanding> StandFamily(
    std::span<const RecordedShift* const> family,
    std::span<const double> margins, const MarginErrors& errors,
    ErrorAdjustment adjustment);

// Whether some numbers of the test's sizes would reach a one-sided p-value of
// at most `error`.
bool CanReach(const RecordedShift& test, double error);

// Fewest values a side, as many on both, whose smallest one-sided p-value,
// 1 / binomial(2 n, n), is at most `error` (in (0, 1)).
std::int64_t VisitsNeededFor(double error);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_RECORDED_SHIFT_H_
