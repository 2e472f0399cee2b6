#ifndef AUTOTUNE_TOOLS_MEASURE_BUDGET_CHECK_H_
#define AUTOTUNE_TOOLS_MEASURE_BUDGET_CHECK_H_

#include <string>

#include "comparator/evidence/evidence.h"
#include "tools/measure/preparation.h"

namespace autotune {

// Seconds of one round as the pilot expects them: both sides' visits.
double ExpectedRoundSeconds(const Preparation& prepared);

// "a round takes about 0.2 s, a decision 5 rounds or more", in a one-CPU mode
// with the rounds that check it for the bias: what a run is going to cost.
std::string CostNote(const Preparation& prepared);

// Why the run's budget is too small to decide anything, rounds taking
// `round_seconds` each, and what would do; empty when it is not.
std::string BudgetWarning(const Evidence& evidence, double round_seconds);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_BUDGET_CHECK_H_
