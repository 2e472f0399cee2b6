#include "tools/autotune/verbs/task_set.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/task_edit.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

// The file with the value set: one value as it is, or as a list of one; several
// as a list.
absl::StatusOr<std::string> WithValue(const std::string& text,
                                      const std::string& path,
                                      const TaskSetOptions& options) {
  const std::string list = TomlStringArray(options.values);
  if (options.values.size() != 1) {
    return SetTaskValue(text, path, options.key, list);
  }
  const absl::StatusOr<std::string> single =
      SetTaskValue(text, path, options.key, options.values.front());
  if (single.ok()) return single;
  const absl::StatusOr<std::string> listed =
      SetTaskValue(text, path, options.key, list);
  if (listed.ok()) return listed;
  // Neither TOML nor text where the key wants some: say so of the text.
  const bool no_toml =
      absl::StrContains(single.status().message(), "Error while parsing");
  return no_toml ? SetTaskValue(text, path, options.key,
                                TomlString(options.values.front()))
                 : single;
}

absl::StatusOr<LedgerCommit> SetCommit(const Repository& repository,
                                       const TaskState& state,
                                       const TaskSetOptions& options) {
  const std::string path = state.task.File("task.toml");
  ASSIGN_OR_RETURN(const std::string old_text,
                   repository.ReadBlob(state.tip, path));
  ASSIGN_OR_RETURN(std::string text, WithValue(old_text, path, options));
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
  result.fields.Add("task", task.id);
  result.fields.Add("key", options.key);
  result.fields.Add("value", options.values);
  return result;
}

}  // namespace autotune
