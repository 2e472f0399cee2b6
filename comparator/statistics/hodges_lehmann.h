#ifndef AUTOTUNE_COMPARATOR_STATISTICS_HODGES_LEHMANN_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_HODGES_LEHMANN_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sample.h"

namespace autotune {

// How far the values of one sample lie above those of another, by ranks: the
// Hodges-Lehmann estimate (median of all differences x - y) and the bounds that
// the Mann-Whitney test gives by inversion.
//
// Assumes that the two distributions differ by a shift and that values are
// independent. Exact while n_x * n_y <= 2500, else by the normal approximation;
// ties make the bounds wider than asked for, never narrower.
// Source: Hodges & Lehmann (1963), Ann. Math. Stat. 34(2), 598-611; Lehmann
// (1975), Nonparametrics, sections 2.5 and 2.6.
class TwoSampleShift {
 public:
  TwoSampleShift(const Sample& x, const Sample& y);
  // The same with a distribution counted before, MannWhitneyCdf(n_x, n_y): many
  // pairs of equal sizes share one. Null where the sizes are not countable.
  TwoSampleShift(const Sample& x, const Sample& y,
                 std::shared_ptr<const std::vector<double>> cdf);

  // Median of the differences x_i - y_j. O((n_x + n_y) log).
  double estimate() const;

  // Largest difference that is a lower bound of the shift with error at most
  // `error` (in (0, 1)); its level is the one achieved. Absent when the sizes
  // cannot reach it.
  ConfidenceBound LowerBound(double error) const;
  ConfidenceBound UpperBound(double error) const;

 private:
  double Difference(std::size_t k) const;  // the k-th smallest, from 1

  std::vector<double> x_;  // ascending
  std::vector<double> y_;
  // When the sizes are small enough to count: all differences, ascending, and
  // the distribution of U.
  std::vector<double> differences_;
  std::shared_ptr<const std::vector<double>> cdf_;  // null: approximated
};

// Centre of at least one value by ranks: the median of all means of two values,
// each with itself too. `sorted` is ascending. Exact, and no list of the
// n (n + 1) / 2 means is made: O(n) memory, O(n log) time.
// Source: Hodges & Lehmann (1963), Ann. Math. Stat. 34(2), 598-611.
double PseudoMedianOfSorted(std::span<const double> sorted);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_HODGES_LEHMANN_H_
