#ifndef AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_DECISION_H_
#define AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_DECISION_H_

#include <string>
#include <string_view>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"

namespace autotune {

// Fills decision, cannot_judge, reason and more_visits of a table whose
// comparisons and overall figure are complete. `overall_reason` is why the
// overall verdict is inconclusive. Pure and total: the rules of a change (tune)
// and of a gate.
void DecideTable(ComparisonTable& table, std::string_view overall_reason,
                 const Policy& policy, const CompareOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_DECISION_H_
