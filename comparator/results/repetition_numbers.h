#ifndef AUTOTUNE_COMPARATOR_RESULTS_REPETITION_NUMBERS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_REPETITION_NUMBERS_H_

#include <vector>

#include "comparator/results/result_file.h"
#include "comparator/results/row_facts.h"

namespace autotune {

// Sets repetition_index and registration of each measurement of `file`, whose
// `facts` stand at the same places, and adds a suspicion for each name that
// more than one benchmark has.
//
// Rows of one name belong together when they name the same family and instance
// and each says another repetition index, in whatever order; without indices,
// when no row of another name stands between them. O(number of rows).
void NumberRepetitions(const std::vector<RowFacts>& facts, ResultFile& file);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_REPETITION_NUMBERS_H_
