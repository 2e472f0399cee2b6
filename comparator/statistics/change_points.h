#ifndef AUTOTUNE_COMPARATOR_STATISTICS_CHANGE_POINTS_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_CHANGE_POINTS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace autotune {

// Where the level of a series of measurements changed.
struct ChangePoint {
  // The first value of the new level is probably in [first, last], most
  // probably `at`: those whose evidence is within a factor of 20 of the most.
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t at = 0;
  std::size_t found = 0;  // the value at which it was found
  double before = 0.0;    // median of the level before, and of the new one
  double after = 0.0;
};

// Finds the changes of level of `values`, in order, as they come: each value
// looks at earlier ones only, and after a change the search starts anew where
// it was.
//
// The rank of a value among those since the last change is independent of the
// ranks before it and uniform while the values are exchangeable, whatever their
// distribution. So exp(lambda z) over its mean, z the normal score of the rank
// (averaged over ties), is an e-value L(n), and
//   M(n) = L(n) max(1, M(n - 1)),
// averaged over lambda in {-2, -1, 1, 2}, an e-detector: found when it reaches
// `mean_run`, the mean number of values between false alarms is at least
// `mean_run` (> 1). A clear change is found after about
// log(mean_run) / 1.5 + 1 values. O(n^2) in the values of one level.
// Source: Shin, Ramdas & Rinaldo (2024), New Engl. J. Stat. Data Sci. 2(2),
// 229-260, for e-detectors; McDonald (1990), Nav. Res. Logist. 37(5), 627-646,
// for charts on sequential ranks.
std::vector<ChangePoint> FindChangePoints(std::span<const double> values,
                                          double mean_run);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_CHANGE_POINTS_H_
