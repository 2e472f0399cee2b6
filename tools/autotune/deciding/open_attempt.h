#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OPEN_ATTEMPT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OPEN_ATTEMPT_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/program/verb_result.h"

namespace autotune {

// One attempt on its way into history.
struct OpenAttempt {
  const Session& session;
  const Repository& repository;
  Task task;
  Attempt attempt;
  std::string base;        // B
  std::string hypothesis;  // from its prompt
};

// The recorded entry of `attempt`; nothing while it is open.
absl::StatusOr<std::optional<HistoryEntry>> RecordedEntry(
    const Repository& repository, const TaskState& state,
    const Attempt& attempt);

// Checks that the attempt's worktree is clean and finds its base and
// hypothesis. An attempt without a commit of its own gets an empty one, so that
// history can hold it; `has_commit` then becomes false.
absl::Status CompleteAttempt(const TaskState& state, OpenAttempt& open,
                             bool& has_commit);

// Integrates a record that does not depend on the tip's code.
absl::StatusOr<HistoryEntry> IntegrateAnyway(const OpenAttempt& open,
                                             const AttemptRecord& record);

// Integrates the attempt without a measurement: "crash", "violation" or a
// "discard" for no change. `merge_trees` as in AttemptRecord.
absl::StatusOr<HistoryEntry> RecordUnmeasured(const OpenAttempt& open,
                                              const TaskState& state,
                                              std::string_view decision,
                                              std::string_view reason,
                                              bool merge_trees);

// The answer for a recorded attempt, after removing what only an open one
// needs: worktree, builds, journals. What cannot be removed is warned about.
absl::StatusOr<VerbResult> FinishRecorded(const Session& session,
                                          const Repository& repository,
                                          const Task& task,
                                          const Attempt& attempt,
                                          const HistoryEntry& entry);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OPEN_ATTEMPT_H_
