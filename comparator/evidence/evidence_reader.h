#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_READER_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_READER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"

namespace autotune {

// What ParseEvidence does.
absl::StatusOr<Evidence> ReadEvidence(std::string_view text,
                                      std::string_view source_name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_READER_H_
