#ifndef AUTOTUNE_COMPARATOR_STATISTICS_RANK_DISTRIBUTION_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_RANK_DISTRIBUTION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace autotune {

// Null distributions of rank statistics. A ...Cdf's entry k is
// P(statistic <= k), the last one 1; a ...Counts' the number of equally likely
// arrangements in which the statistic is k.

// Largest n_x * n_y for which the Mann-Whitney distribution is counted: 50 x 50
// and everything smaller, such as 3 x 833.
inline constexpr std::size_t kLargestExactProduct = 2500;

// True when n_x * n_y <= kLargestExactProduct; sizes >= 1, cannot overflow.
bool IsCountable(std::size_t x_size, std::size_t y_size,
                 std::size_t largest_product = kLargestExactProduct);

// U of two samples of these sizes without ties, 0 <= U <= n_x * n_y. Counted in
// integers as the coefficients of the Gaussian binomial, so every entry
// is right to the last digit. The sizes must be countable.
// O(min(n_x, n_y) * n_x * n_y).
// Source: Mann & Whitney (1947), Ann. Math. Stat. 18(1), 50-60; Andrews (1976),
// The Theory of Partitions, chapter 3.
std::vector<double> MannWhitneyCdf(std::size_t x_size, std::size_t y_size);

// The same with ties: 30 x 30 and smaller, up to binomial(60, 30) < 2^57
// splits.
inline constexpr std::size_t kLargestTiedProduct = 900;

// Twice the U of two samples whose pooled ascending values fall into groups of
// equal ones of these sizes (their sum is n_x + n_y): U counts ties one half,
// so entry k counts the splits of the pooled values with 2 U = k, k up to
// 2 n_x n_y. Counted group by group in integers: exact, so swapping the samples
// mirrors the result. n_x * n_y must be at most kLargestTiedProduct.
// O(groups * n^2 * n_x * n_y), n the smaller size, at worst.
std::vector<std::uint64_t> TiedMannWhitneyCounts(
    std::size_t x_size, std::size_t y_size,
    std::span<const std::size_t> groups);

// P(Z <= z) of the standard normal distribution.
double NormalCdf(double z);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_RANK_DISTRIBUTION_H_
