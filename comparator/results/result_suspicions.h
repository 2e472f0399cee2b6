#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_SUSPICIONS_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_SUSPICIONS_H_

#include <vector>

#include "comparator/results/result_file.h"
#include "comparator/results/row_facts.h"

namespace autotune {

// Adds to file.suspicions what its context and numbers show, each once, where
// `facts` holds those of each measurement. O(number of rows).
void AddSuspicions(const std::vector<RowFacts>& facts, ResultFile& file);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_SUSPICIONS_H_
