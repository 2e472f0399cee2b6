#ifndef AUTOTUNE_COMPARATOR_RESULTS_PUBLISHED_MEANS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_PUBLISHED_MEANS_H_

#include <string>
#include <vector>

#include "comparator/results/result_file.h"
#include "comparator/results/row_facts.h"

namespace autotune {

// Names of the benchmarks whose row "mean" differs from the mean of their
// repetitions' real or CPU times by more than a millionth and more than
// rounding to the digits that they are written with explains (`facts`, by
// place), in file order. Only of those whose repetitions are all there, with
// one iteration count, and not rounded to whole nanoseconds. O(number of rows).
std::vector<std::string> BenchmarksWithAnotherMean(
    const std::vector<RowFacts>& facts, const ResultFile& file);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_PUBLISHED_MEANS_H_
