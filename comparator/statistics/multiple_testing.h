#ifndef AUTOTUNE_COMPARATOR_STATISTICS_MULTIPLE_TESTING_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_MULTIPLE_TESTING_H_

#include <span>
#include <vector>

namespace autotune {

// Each function returns adjusted values in the order of its input: rejecting
// those that are at most the level keeps the promise of its comment. p-values
// must lie in [0, 1]; an empty list gives an empty list. O(n log n), the
// e-values O(n^2) at worst.

// Family-wise error (any false rejection), whatever the dependence.
// Source: Holm (1979), Scand. J. Stat. 6(2), 65-70.
std::vector<double> AdjustHolm(std::span<const double> p_values);

// False discovery rate (expected share of false rejections) for independent or
// positively dependent p-values.
// Source: Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57(1), 289-300.
std::vector<double> AdjustBenjaminiHochberg(std::span<const double> p_values);

// Family-wise adjustment of e-values by closed testing with averages, whatever
// the dependence: rejecting where the result reaches ln(1 / alpha) makes any
// false rejection with probability at most alpha, also at any stopping time
// when the inputs are betting products of the same rounds. Natural logarithms
// in and out (an e-value of 0 is -infinity in; not NaN).
// Source: Vovk & Wang (2021), Ann. Stat. 49(3), 1736-1754, algorithm 1.
std::vector<double> AdjustLogEValues(std::span<const double> log_e_values);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_MULTIPLE_TESTING_H_
