#ifndef AUTOTUNE_TOOLS_REPORT_EVIDENCE_FACTS_H_
#define AUTOTUNE_TOOLS_REPORT_EVIDENCE_FACTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"

namespace autotune {

// Figures of a run that reports share.

// Rounds that count, and those that were void; rounds that only check the
// decision are neither.
std::size_t ValidRounds(const Evidence& evidence);
std::size_t VoidedRounds(const Evidence& evidence);

// The mode of the last round that was no check; the policy's when there was
// none.
MeasureMode ModeOf(const Evidence& evidence);

// Median over the valid rounds of a side's number of this name: a benchmark's
// visit value, or what GuardValue gives. Nothing when no round has it.
std::optional<double> MedianOf(const Evidence& evidence, std::string_view name,
                               VisitEvidence RoundEvidence::*side);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_EVIDENCE_FACTS_H_
