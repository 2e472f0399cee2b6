#include "tools/autotune/verbs/task_set.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/task_edit.h"

namespace autotune {
namespace {

absl::StatusOr<LedgerCommit> SetCommit(const Repository& repository,
                                       const TaskState& state,
                                       const TaskSetOptions& options) {
  const std::string path = state.task.File("task.toml");
  ASSIGN_OR_RETURN(const std::string old_text,
                   repository.ReadBlob(state.tip, path));
  ASSIGN_OR_RETURN(std::string text,
                   SetTaskValue(old_text, path, options.key, options.values));
  LedgerCommit commit;
  if (text == old_text) return commit;
  commit.message = absl::StrCat("task: set ", OneLine(options.key, 80), "\n");
  commit.edits = {{path, std::move(text)}};
  return commit;
}

}  // namespace

absl::StatusOr<VerbResult> TaskSet(const TaskContext& context,
                                   const TaskSetOptions& options) {
  const Session& session = context.session;
  const Repository& repository = context.repository;
  const Task& task = context.task;
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task, [&](const TaskState& state) {
        return SetCommit(repository, state, options);
      }).status());
  VerbResult result;
  result.lines = {absl::StrCat(session.dry_run ? "would set " : "", options.key,
                               " = ", absl::StrJoin(options.values, " "))};
  result.fields.Text("task", task.id);
  result.fields.Text("key", options.key);
  result.fields.Texts("value", options.values);
  return result;
}

}  // namespace autotune
