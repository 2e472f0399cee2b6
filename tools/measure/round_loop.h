#ifndef AUTOTUNE_TOOLS_MEASURE_ROUND_LOOP_H_
#define AUTOTUNE_TOOLS_MEASURE_ROUND_LOOP_H_

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/journal.h"
#include "tools/measure/preparation.h"
#include "tools/measure/round.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"

namespace autotune {

// Measures rounds of a prepared run until the decision is proven or the budget
// is spent, then checks the decision: the mode's bias (a decision that does not
// hold without it is settled by a fresh test at longer turns) and, before a
// keep in a one-CPU mode, some rounds of one visit after the other. Errors are
// those of RunInterleaved; `journal` must have begun with the same evidence.
absl::StatusOr<Evidence> RunRounds(const RunPlan& plan, Preparation prepared,
                                   Journal& journal, Clock& clock,
                                   Entropy& entropy, RoundMaker& rounds,
                                   RunObserver& observer);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ROUND_LOOP_H_
