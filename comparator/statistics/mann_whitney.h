#ifndef AUTOTUNE_COMPARATOR_STATISTICS_MANN_WHITNEY_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_MANN_WHITNEY_H_

#include <cstddef>
#include <span>

#include "comparator/statistics/sample.h"

namespace autotune {

// Result of the Mann-Whitney test of "no difference" between two independent
// samples.
struct MannWhitney {
  double p_two_sided = 1.0;  // in (0, 1]: twice the smaller one, at most 1
  double p_contender_lower = 1.0;   // against "contender lower": small if so
  double p_contender_higher = 1.0;  // against "contender higher"
};

// Mann-Whitney U test. Exact while n_b * n_c <= 2500 without ties (so up to
// 50 x 50) and <= 900 with ties (30 x 30); beyond, the normal approximation
// with tie and continuity correction. All values equal: every p is 1.
//
// Swapping the samples mirrors the one-sided p-values and leaves the
// two-sided one; any increasing transform of all values changes nothing.
// Assumes independent values within and between the samples: repetitions of one
// process are not. O(n log n) plus the counting.
// Source: Mann & Whitney (1947), Ann. Math. Stat. 18(1), 50-60.
MannWhitney MannWhitneyTest(const Sample& baseline, const Sample& contender);

// The same with a distribution counted before, MannWhitneyCdf(n_b, n_c): many
// pairs of equal sizes share one. Empty where the sizes are not countable.
MannWhitney MannWhitneyTest(const Sample& baseline, const Sample& contender,
                            std::span<const double> cdf);

// Smallest two-sided p of samples of these sizes without ties,
// 2 / binomial(n_b + n_c, n_b), at most 1: 3 against 3 cannot go below 0.1.
// Sizes >= 1. May underflow to 0 for sizes in the hundreds.
double SmallestTwoSidedP(std::size_t baseline_size, std::size_t contender_size);

// Probability that a contender value is below a baseline value, ties counting
// one half:  A = (#{c < b} + #{c = b} / 2) / (n_b * n_c).
//
// Dimensionless, in [0, 1]: 0.5 is no difference. O((n_b + n_c) log).
// Source: Vargha & Delaney (2000), J. Educ. Behav. Stat. 25(2), 101-132.
double ProbabilityOfSuperiority(const Sample& baseline,
                                const Sample& contender);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_MANN_WHITNEY_H_
