#ifndef AUTOTUNE_COMPARATOR_RESULTS_UNTYPED_ROWS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_UNTYPED_ROWS_H_

#include <string>
#include <vector>

#include "comparator/results/measurement.h"

namespace autotune {

// For each of `rows`, in file order, the name of the statistic when it is an
// aggregate ("mean", "median", "stddev" or the user's own), else empty: how
// rows of Google Benchmark before 1.5.0, which do not say, are told apart.
//
// Aggregates are rows X_mean, [X_median,] X_stddev in this order, right after
// at least two rows X or, when only aggregates were written, after none, with
// one iteration count (1.1 and 1.2: 0 for X_stddev), and single rows X_<other>
// of that count right after them. So a benchmark whose own name ends in _mean
// stays a benchmark. `cut`: the file ends early, so that the last group may
// lack its end. O(number of rows).
std::vector<std::string> UntypedAggregateNames(
    const std::vector<Measurement>& rows, bool cut);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_UNTYPED_ROWS_H_
