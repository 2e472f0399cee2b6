#ifndef AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_

#include <optional>
#include <span>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sample.h"

namespace autotune {

// Standard deviation of normal noise over its median absolute deviation:
// 1 / the 75 % point of the normal distribution, as R's mad() rounds it.
inline constexpr double kNormalConsistency = 1.4826;

// Arithmetic mean, in the sample's unit. O(n); the sum cannot overflow.
double Mean(const Sample& sample);

// Middle value, the mean of the two middle ones for even sizes. O(1).
double Median(const Sample& sample);

// The same of at least one value in any order. O(n log n).
double Median(std::vector<double> values);

// The same of values that are already in ascending order, at least one.
double MedianOfSorted(std::span<const double> sorted);

// Standard deviation with n - 1 in the denominator. Nothing for n = 1.
std::optional<double> StandardDeviation(const Sample& sample);

// Standard deviation over the mean, dimensionless. Nothing for n = 1 or a mean
// that is not positive.
std::optional<double> CoefficientOfVariation(const Sample& sample);

// Median distance from the median, times 1.4826 so that it estimates the
// standard deviation of normal noise; half of the values may be wild.
// Source: Hampel (1974), J. Am. Stat. Assoc. 69(346), 383-393.
double MedianAbsoluteDeviation(const Sample& sample);

// Interval for the median from two order statistics, symmetric in rank, the
// narrowest whose level is at least `confidence_level` (in (0, 1)), whatever
// the distribution. Both ends are absent when even the extremes do not reach
// it: a 95 % interval needs 6 values. `confidence_level` of the result is the
// level achieved, that of the extremes when it is too low.
// Source: David & Nagaraja (2003), Order Statistics, 3rd ed., section 7.1.
Interval MedianInterval(const Sample& sample, double confidence_level);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_DESCRIPTIVE_H_
