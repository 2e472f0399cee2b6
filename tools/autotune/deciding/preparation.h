#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_PREPARATION_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_PREPARATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"

namespace autotune {

// Both sides of a decision, built and tested.
struct Sides {
  std::string tip_code;  // tree of T without the ledger
  std::string
      merged_code;  // tree of the merge of T and I, sealed files as in T
  // Why nothing needs to be measured ("the sources are equal"); empty: measure.
  std::string no_change;
  // Lines that name what the merge would have changed outside the scope and
  // why; nothing of it is in merged_code.
  std::vector<std::string> taken_back;
  // Lines that say how the attempt's compile commands differ from the tip's,
  // which sealed files its build wrote over, or which symbols of libraries it
  // defines; not tested then.
  std::vector<std::string> build_violations;
  // Lines that say what a person has to look at before it may be a keep.
  std::vector<std::string> needs_review;
  Build tip;
  Build attempt;
};

// Merges in the object store, lays the tip's copy of every sealed file over,
// builds both sides in fresh folders and runs the tests on the merge. Errors:
// ConflictError; Aborted when a build or test fails.
absl::StatusOr<Sides> PrepareSides(const Session& session,
                                   const Repository& repository,
                                   const TaskState& state,
                                   const Attempt& attempt);

// The base B of the attempt on the tip's line, by the base rule.
absl::StatusOr<std::string> BaseOf(const Repository& repository,
                                   const TaskState& state,
                                   const Attempt& attempt);

// Whether the attempt has no commit of its own.
absl::StatusOr<bool> HasNoCommit(const Repository& repository,
                                 const TaskState& state,
                                 const Attempt& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_PREPARATION_H_
