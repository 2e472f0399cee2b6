#ifndef AUTOTUNE_COMPARATOR_STATISTICS_MANN_WHITNEY_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_MANN_WHITNEY_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "comparator/statistics/sample.h"

namespace autotune {

// How a rank test's p-value was computed.
enum class PValueMethod {
  kExact,           // no ties: counted over all arrangements
  kExactGivenTies,  // ties: counted over all arrangements of these very values
  kNormalApproximation  // tie and continuity correction
};

// "exact", "exact given ties", "normal approximation".
std::string_view PValueMethodName(PValueMethod method);

// Result of the Mann-Whitney test of "no difference" between two independent
// samples.
struct MannWhitney {
  // Pairs in which the baseline's value is the larger one, ties counting one
  // half: in [0, n_b * n_c]. Large when the contender's values are lower.
  double u = 0.0;
  double p_two_sided = 1.0;  // in (0, 1]: twice the smaller one, at most 1
  double p_contender_lower = 1.0;   // against "contender lower": small if so
  double p_contender_higher = 1.0;  // against "contender higher"
  // Smallest two-sided p that these sizes (given these ties, when counted
  // exactly) can give: a test at a level below it can never reject.
  double smallest_p = 1.0;
  PValueMethod method = PValueMethod::kExact;
};

// Mann-Whitney U test. Exact while n_b * n_c <= 2500 without ties (so up to
// 50 x 50) and <= 900 with ties (30 x 30); beyond, the normal approximation
// with tie and continuity correction. All values equal: every p is 1.
//
// Swapping the samples mirrors u and the one-sided p-values and leaves the
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
