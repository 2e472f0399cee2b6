#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WRITER_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WRITER_H_

#include <string>

#include "comparator/evidence/evidence.h"

namespace autotune {

// What EvidenceToJson, EvidenceHeaderLine and EvidenceRoundLine do.
std::string WriteEvidence(const Evidence& evidence);
std::string WriteEvidenceHeader(const Evidence& evidence);
std::string WriteEvidenceRound(const RoundEvidence& round);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WRITER_H_
