#ifndef AUTOTUNE_COMPARATOR_RECORDED_CONCLUSION_H_
#define AUTOTUNE_COMPARATOR_RECORDED_CONCLUSION_H_

#include <string>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"

namespace autotune {

// Rules on a table whose comparisons stand. `mismatch` says how the sides'
// machines differ, which withdraws every verdict; empty: it does not count.
void Conclude(const Policy& policy, const std::string& mismatch,
              ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_CONCLUSION_H_
