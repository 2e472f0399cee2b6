#include "tools/autotune/verbs/rework.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/git/integration.h"
#include "tools/git/names.h"
#include "tools/git/replay.h"

namespace autotune {
namespace {

// Keeps an older branch's commits as a record and deletes the branch.
absl::Status RetireBranch(const Session& session, const Repository& repository,
                          const Task& task, const Attempt& old) {
  RETURN_IF_ERROR(RemoveAttemptWorktree(session, repository, task, old));
  const absl::Status kept =
      CreateRef(repository, AttemptRef(task.id, old.number), old.head);
  if (!kept.ok() && !absl::IsAlreadyExists(kept)) return kept;
  FaultPoint("old-attempt-kept");
  return DeleteRef(repository, "refs/heads/" + old.branch, old.head);
}

// What an interrupted rework left: branches of the same approach with lower
// numbers.
absl::Status RetireOlderBranches(const Session& session,
                                 const Repository& repository, const Task& task,
                                 const Attempt& current) {
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   ListAttempts(repository, task));
  for (const Attempt& attempt : attempts) {
    if (attempt.approach == current.approach &&
        attempt.number < current.number) {
      RETURN_IF_ERROR(RetireBranch(session, repository, task, attempt));
    }
  }
  return absl::OkStatus();
}

absl::Status StoppedError(const Attempt& attempt, const Replay& replay,
                          const std::string& head,
                          const std::string& worktree) {
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          attempt.approach, ": commit ", replay.stopped_at.substr(0, 12),
          " conflicts with the tip: ", absl::StrJoin(replay.conflicts, ", "))),
      absl::StrCat("in ", worktree, ": git cherry-pick ",
                   replay.stopped_at.substr(0, 12), "^..", head.substr(0, 12),
                   ", resolve, git cherry-pick --continue"));
}

// Picks the attempt's commits onto the tip and gives them a branch.
absl::StatusOr<VerbResult> MoveOntoTip(const Session& session,
                                       const Repository& repository,
                                       const TaskState& state,
                                       const Attempt& attempt,
                                       const std::string& base) {
  ASSIGN_OR_RETURN(const Replay replay,
                   ReplayCommits(repository, base, attempt.head, state.tip));
  FaultPoint("attempt-replayed");
  ASSIGN_OR_RETURN(
      const Attempt fresh,
      CreateAttempt(repository, state.task, attempt.approach, replay.commit));
  FaultPoint("reworked-branch-created");
  RETURN_IF_ERROR(RetireOlderBranches(session, repository, state.task, fresh));
  ASSIGN_OR_RETURN(
      const std::string worktree,
      EnsureAttemptWorktree(session, repository, state.task, fresh));
  if (!replay.stopped_at.empty()) {
    return StoppedError(attempt, replay, attempt.head, worktree);
  }
  return StartedResult(state.task, fresh, worktree);
}

}  // namespace

absl::StatusOr<VerbResult> Rework(const TaskContext& context,
                                  const std::string& approach) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const Attempt attempt,
                   FindAttempt(repository, task, approach));
  ASSIGN_OR_RETURN(const FileLock lock,
                   LockAttempt(repository, attempt.branch));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  RETURN_IF_ERROR(CheckNotDecided(repository, state, attempt.approach));
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  RETURN_IF_ERROR(CheckAttemptAtRest(repository, attempt.branch));
  RETURN_IF_ERROR(CheckAttemptClean(repository, attempt.branch));
  ASSIGN_OR_RETURN(const bool empty, HasNoCommit(repository, state, attempt));
  std::string base = attempt.head;
  if (!empty) {
    ASSIGN_OR_RETURN(base, BaseOf(repository, state, attempt));
  }
  if (session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would pick the commits after ",
                                 base.substr(0, 12), " onto ",
                                 state.tip.substr(0, 12))};
    return result;
  }
  if (base != state.tip) {
    return MoveOntoTip(session, repository, state, attempt, base);
  }
  RETURN_IF_ERROR(RetireOlderBranches(session, repository, task, attempt));
  ASSIGN_OR_RETURN(const std::string worktree,
                   EnsureAttemptWorktree(session, repository, task, attempt));
  return StartedResult(task, attempt, worktree);
}

}  // namespace autotune
