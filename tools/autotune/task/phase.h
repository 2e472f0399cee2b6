#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PHASE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PHASE_H_

#include <cstdint>
#include <string_view>

#include "tools/ledger/metric_file.h"

namespace autotune {

// How deep the next attempt should cut: small local changes first, then other
// data structures and algorithms, then another design.
enum class Phase { kMicro, kStructural, kArchitectural };

// "micro", "structural", "architectural".
std::string_view PhaseName(Phase phase);
// One clause for people: what to try in this phase.
std::string_view PhaseAdvice(Phase phase);

// Measured decisions since the last keep, by which the phase moves on.
std::int64_t DecisionsSinceKeep(const MetricFile& ledger);

// Micro until 5 measured decisions in a row kept nothing, then structural until
// 10, then architectural; a keep starts over. Only measured rows count: not
// crashes, claimed rows or unmeasured discards.
Phase PhaseOf(const MetricFile& ledger);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PHASE_H_
