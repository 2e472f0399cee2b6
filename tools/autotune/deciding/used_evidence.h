#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_USED_EVIDENCE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_USED_EVIDENCE_H_

#include <string>

#include "absl/status/status.h"
#include "comparator/evidence/evidence.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"

namespace autotune {

// One measurement is the evidence of one attempt. FailedPrecondition, naming
// the file that holds it and the row of its attempt, when a round of `evidence`
// (or, without rounds, its start and programs) is in any evidence of the task
// already. `file` is what the user called it.
absl::Status CheckNotUsed(const Repository& repository, const TaskState& state,
                          const Evidence& evidence, const std::string& file);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_USED_EVIDENCE_H_
