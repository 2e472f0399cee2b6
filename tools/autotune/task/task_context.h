#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_CONTEXT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_CONTEXT_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What a verb on a task works with.
struct TaskContext {
  const Session& session;
  // Opened where the user stands; from a worktree that the tool made, and that
  // goes with its attempt, at another one of the same repository.
  Repository repository;
  Task task;
};

// The repository and the task where the user stands. FailedPrecondition when
// there is none or it is not clear which.
absl::StatusOr<TaskContext> OpenTask(const Session& session);

// `hint` of a verb on no task, with -C as the user gave it in its commands.
Hint LedHint(const Session& session, Hint hint);

// The answer of a verb with commands that work as they are when pasted where
// they are read: `autotune` in its next steps and hints gets -C as the user
// gave it, and --task where the branch does not tell. When the verb removed the
// folder the user stands in, it says where to go on.
absl::StatusOr<VerbResult> CompleteResult(const TaskContext& context,
                                          absl::StatusOr<VerbResult> result);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_CONTEXT_H_
