#include "tools/autotune/task/task.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/ledger/slug.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

constexpr std::size_t kDateLength = 10;

std::string SlugOf(const Task& task) { return task.id.substr(kDateLength + 1); }

std::string Names(const std::vector<Task>& tasks) {
  std::vector<std::string> ids;
  for (const Task& task : tasks) ids.push_back(task.id);
  return absl::StrJoin(ids, ", ");
}

Hint StartsOne() { return {Autotune({"init", "TASK"}), " starts one"}; }

absl::StatusOr<Task> TaskByName(const std::vector<Task>& tasks,
                                const std::string& name) {
  std::vector<Task> matching;
  for (const Task& task : tasks) {
    if (task.id == name) return task;
    if (SlugOf(task) == name) matching.push_back(task);
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty()) {
    return WithHint(absl::FailedPreconditionError(
                        absl::StrCat("no task \"", name, "\" here; there is ",
                                     tasks.empty() ? "none" : Names(tasks))),
                    StartsOne());
  }
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          "--task ", name, " names several tasks: ", Names(matching))),
      "give the whole name with its date");
}

}  // namespace

absl::StatusOr<std::vector<Task>> ListTasks(const Repository& repository) {
  const std::string prefix = BranchRef(WorkingBranch(""));
  ASSIGN_OR_RETURN(const auto refs, repository.ListRefs(prefix));
  std::vector<Task> tasks;
  for (const auto& [name, commit] : refs) {
    const std::string id = name.substr(prefix.size());
    if (IsTaskName(id)) tasks.push_back({id});
  }
  std::sort(tasks.begin(), tasks.end(),
            [](const Task& a, const Task& b) { return a.id < b.id; });
  return tasks;
}

absl::StatusOr<Task> FindTask(const Session& session,
                              const Repository& repository) {
  ASSIGN_OR_RETURN(const std::vector<Task> tasks, ListTasks(repository));
  if (!session.task.empty()) return TaskByName(tasks, session.task);
  ASSIGN_OR_RETURN(const auto branch, repository.CurrentBranch());
  const std::string here = TaskOfBranch(branch.value_or(""));
  if (IsTaskName(here)) return TaskByName(tasks, here);
  if (tasks.size() == 1) return tasks.front();
  if (tasks.empty()) {
    return WithHint(
        absl::FailedPreconditionError("this repository has no autotune task"),
        StartsOne());
  }
  return WithHint(absl::FailedPreconditionError(absl::StrCat(
                      "this repository has several tasks: ", Names(tasks))),
                  "say which with --task NAME");
}

absl::StatusOr<std::string> ReadTaskFile(const Repository& repository,
                                         const Task& task,
                                         const std::string& treeish,
                                         std::string_view name) {
  absl::StatusOr<std::string> text =
      repository.ReadBlob(treeish, task.File(name));
  if (absl::IsNotFound(text.status())) return std::string();
  return text;
}

absl::StatusOr<TaskState> LoadTask(const Repository& repository,
                                   const Task& task) {
  TaskState state;
  state.task = task;
  ASSIGN_OR_RETURN(const auto tip, repository.ResolveCommit(task.branch_ref()));
  if (!tip.has_value()) {
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            "task ", task.id, ": branch ", task.branch(), " does not exist")),
        StartsOne());
  }
  state.tip = *tip;
  ASSIGN_OR_RETURN(const std::string settings,
                   ReadTaskFile(repository, task, state.tip, "task.toml"));
  if (settings.empty()) {
    return WithHint(absl::FailedPreconditionError(absl::StrCat(
                        task.branch(), ": ", task.File("task.toml"),
                        " is missing: not a task of this program")),
                    StartsOne());
  }
  ASSIGN_OR_RETURN(state.settings,
                   ParseTaskSettings(settings, task.File("task.toml")));
  ASSIGN_OR_RETURN(state.metric_text,
                   ReadTaskFile(repository, task, state.tip, "metric.toml"));
  ASSIGN_OR_RETURN(state.log_text,
                   ReadTaskFile(repository, task, state.tip, "log.md"));
  state.ledger = ParseMetricFile(state.metric_text, task.File("metric.toml"));
  return state;
}

}  // namespace autotune
