#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_RECOVERY_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_RECOVERY_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"

namespace autotune {

// The merge of `attempt` that a person made by hand on the working branch and
// for which nothing is recorded.
absl::StatusOr<std::optional<HistoryEntry>> FindHandMerge(
    const Repository& repository, const TaskState& state,
    const Attempt& attempt);

// Completes it: the attempt is judged as it was merged, against what the merge
// was made on; then the revert (unless kept, or made by hand too) and the
// ledger commit are added. FailedPrecondition when the merge is not the one git
// makes of its parents, for then nobody can say what was measured.
absl::StatusOr<HistoryEntry> RecordHandMerge(
    OpenAttempt& open, const TaskState& state, const HistoryEntry& by_hand,
    const std::optional<std::string>& crash);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_RECOVERY_H_
