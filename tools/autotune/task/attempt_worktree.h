#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_WORKTREE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_WORKTREE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"

namespace autotune {

// <state folder>/<task>: builds, journals and worktrees of one task.
absl::StatusOr<std::string> TaskStateDirectory(const Session& session,
                                               const Repository& repository,
                                               const Task& task);

// The worktree that has the attempt's branch checked out, wherever it is;
// nothing when there is none.
absl::StatusOr<std::optional<std::string>> FindAttemptWorktree(
    const Repository& repository, const Attempt& attempt);

// The attempt's worktree, made at <task state folder>/attempt-<NNN> when it is
// not there: paths of one task have one length, so that paths inside binaries
// do. One left half-made by a crash is made again.
absl::StatusOr<std::string> EnsureAttemptWorktree(const Session& session,
                                                  const Repository& repository,
                                                  const Task& task,
                                                  const Attempt& attempt);

// Removes the worktree if the tool made it; one that a person made elsewhere
// stays.
absl::Status RemoveAttemptWorktree(const Session& session,
                                   const Repository& repository,
                                   const Task& task, const Attempt& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_ATTEMPT_WORKTREE_H_
