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

// Commits what an implementer left uncommitted in the attempt's worktree,
// inside the scope or in the attempt's own folder, and says so: `attempt.head`
// is then that commit. Everything else there (settings of tools, logs, files it
// may not change) is listed and left out. FailedPrecondition when a merge,
// rebase or the like is half done there.
absl::Status CommitLeftovers(const Session& session,
                             const Repository& repository,
                             const TaskState& state, Attempt& attempt);

// Commits what was left and finds the attempt's base and hypothesis. An attempt
// without a commit of its own gets an empty one, so that history can hold it;
// `has_commit` then becomes false.
absl::Status CompleteAttempt(const TaskState& state, OpenAttempt& open,
                             bool& has_commit);

// Integrates a record that does not depend on the tip's code.
absl::StatusOr<HistoryEntry> IntegrateAnyway(const OpenAttempt& open,
                                             const AttemptRecord& record);

// Integrates the attempt without a measurement: kCrash, kViolation, or kDiscard
// for no change. `merge_trees` as in AttemptRecord.
absl::StatusOr<HistoryEntry> RecordUnmeasured(const OpenAttempt& open,
                                              const TaskState& state,
                                              AttemptStatus decision,
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
