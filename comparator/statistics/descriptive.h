#ifndef AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_

#include <optional>
#include <span>
#include <vector>

#include "comparator/statistics/sample.h"

namespace autotune {

// Standard deviation of normal noise over its median absolute deviation:
// 1 / the 75 % point of the normal distribution, as R's mad() rounds it.
inline constexpr double kNormalConsistency = 1.4826;

// Middle value, the mean of the two middle ones for even sizes. O(1).
double Median(const Sample& sample);

// The same of at least one value in any order. O(n log n).
double Median(std::vector<double> values);

// The same of values that are already in ascending order, at least one.
double MedianOfSorted(std::span<const double> sorted);

// Standard deviation with n - 1 in the denominator. Nothing for n = 1.
std::optional<double> StandardDeviation(const Sample& sample);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_
