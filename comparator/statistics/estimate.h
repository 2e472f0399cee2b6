#ifndef AUTOTUNE_COMPARATOR_STATISTICS_ESTIMATE_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_ESTIMATE_H_

#include <optional>

#include "comparator/statistics/metric.h"

namespace autotune {

// A confidence interval. An absent end is not yet bounded by the evidence.
// `confidence_level` is the level achieved, in (0, 1), not the one asked for.
struct Interval {
  std::optional<double> lower;
  std::optional<double> upper;
  double confidence_level = 0.0;
};

// One end of a one-sided statement: the unknown lies on the far side of `value`
// with at least `confidence_level`. No value: the data cannot bound it at the
// level asked for.
struct ConfidenceBound {
  std::optional<double> value;
  double confidence_level = 0.0;
};

// ratio = contender / baseline on the metric, > 0 and dimensionless: 0.9 means
// the contender's value is 10 % lower. `interval` is on the same scale.
struct RatioEstimate {
  double ratio = 1.0;
  Interval interval;
};

// The log-improvement y (positive: contender better) of one pair of values,
// ln(baseline / contender) when lower is better, else its negative. Both values
// must be > 0 and finite. Swapping them gives exactly the negative; the result
// is finite even where their ratio is not.
double LogImprovement(double baseline, double contender, Direction direction);

// A log-improvement y and its interval as the ratio contender / baseline:
// exp(-y) when lower is better, exp(y) when higher is better. The interval's
// ends change places with the sign; an absent end stays absent.
RatioEstimate RatioFromLogImprovement(double log_improvement,
                                      const Interval& interval,
                                      Direction direction);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_ESTIMATE_H_
