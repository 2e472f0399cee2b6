#ifndef AUTOTUNE_COMPARATOR_STATISTICS_STRATIFIED_SHIFT_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_STRATIFIED_SHIFT_H_

#include <optional>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sample.h"

namespace autotune {

// Values that may be compared with each other: of one machine, say.
struct Stratum {
  Sample x;
  Sample y;
};

// How far x lies above y where values are comparable within strata only: the
// statistic is the sum over the strata of their Mann-Whitney U, the pairs of
// one stratum with x > y. Under no difference the strata are independent, so
// its distribution is the convolution of theirs. One stratum: the Mann-Whitney
// test and the bounds that it gives by inversion.
//
// Assumes one shift in all strata. Exact with ties too while the strata have at
// most 900 pairs in all, else by the normal approximation; ties make the bounds
// wider than asked for, never narrower.
// Source: Lehmann (1975), Nonparametrics, section 3.3 (blocked comparisons),
// with equal weights.
class StratifiedShift {
 public:
  // At least one stratum.
  explicit StratifiedShift(std::vector<Stratum> strata);

  // Median of the differences x_i - y_j within strata.
  double estimate() const;

  // As those of TwoSampleShift.
  ConfidenceBound LowerBound(double error) const;
  ConfidenceBound UpperBound(double error) const;

  // One-sided p-values of "x lies `theta` above y": small when it lies further
  // above, further below.
  double PAbove(double theta) const;
  double PBelow(double theta) const;

  // The smallest one-sided p-value that such sizes can give.
  double SmallestP() const;
  // Chance that x > y within a stratum, ties one half.
  double ProbabilityAbove() const;
  // Standard deviation of one value within its stratum; nothing when no stratum
  // has two values on a side.
  std::optional<double> Deviation() const;

 private:
  struct Cut {
    std::size_t count;
    double error;
  };
  Cut CutFor(double error) const;
  // P(U >= u) and P(U <= u) of the u observed at `theta`.
  std::vector<double> TailsAt(double theta) const;

  std::vector<Stratum> strata_;
  std::vector<double> differences_;  // within strata, ascending
  std::vector<double> cdf_;          // of U without ties; empty: approximated
  double variance_ = 0.0;            // of U without ties
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_STRATIFIED_SHIFT_H_
