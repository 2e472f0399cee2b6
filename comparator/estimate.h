#ifndef AUTOTUNE_COMPARATOR_ESTIMATE_H_
#define AUTOTUNE_COMPARATOR_ESTIMATE_H_

#include <optional>

namespace autotune {

// A confidence interval. An absent end is not yet bounded by the evidence.
// `confidence_level` is the level achieved, in (0, 1), not the one asked for.
struct Interval {
  std::optional<double> lower;
  std::optional<double> upper;
  double confidence_level = 0.0;
};

// ratio = contender / baseline on the metric, > 0 and dimensionless: 0.9 means
// the contender's value is 10 % lower. `interval` is on the same scale.
struct RatioEstimate {
  double ratio = 1.0;
  Interval interval;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_ESTIMATE_H_
