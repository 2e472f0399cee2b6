#include "tools/autotune/verbs/start.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

VerbResult DryRunResult(const Task& task, const std::string& approach) {
  VerbResult result;
  result.lines = {absl::StrCat(
      "would commit ", task.File(approach + "/prompts.md"), " to ",
      task.branch(), " and make the attempt's branch and worktree")};
  result.fields.Add("dry_run", true);
  result.fields.Add("approach", approach);
  return result;
}

}  // namespace

absl::StatusOr<VerbResult> Start(const TaskContext& context,
                                 const StartOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const std::string approach, Slug(options.approach));
  RETURN_IF_ERROR(CheckNotDecided(repository, state, approach));
  if (session.dry_run) return DryRunResult(task, approach);
  RETURN_IF_ERROR(TaskStateDirectory(session, repository, task).status());
  ASSIGN_OR_RETURN(
      const Attempt attempt,
      EnsureAttempt(session, repository, task,
                    {approach, options.hypothesis, options.details}));
  FaultPoint("attempt-branch-created");
  ASSIGN_OR_RETURN(const std::string worktree,
                   EnsureAttemptWorktree(session, repository, task, attempt));
  return StartedResult(task, attempt, worktree);
}

}  // namespace autotune
