#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_CHECK_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_CHECK_H_

#include "absl/status/status.h"
#include "comparator/evidence/evidence.h"

namespace autotune {

// InvalidArgument naming the field when a number is out of its range or the
// rounds do not fit the settings: what can be told without recomputing.
absl::Status CheckEvidence(const Evidence& evidence);

// OK when the comparisons and the ruling's decision and code of both agree
// within 1e-9 (relative beyond 1); else FailedPrecondition naming the first
// that differs.
absl::Status SameOutcome(const Evidence& computed, const Evidence& stored);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_CHECK_H_
