#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/git/names.h"
#include "tools/git/repository.h"
#include "tools/ledger/metric_file.h"
#include "tools/ledger/task_settings.h"

namespace autotune {

// The names of one task, all made from its id "<YYYY-MM-DD>-<slug>".
struct Task {
  std::string id;

  std::string branch() const { return WorkingBranch(id); }
  std::string branch_ref() const { return BranchRef(branch()); }
  std::string folder() const { return "docs/autotune/" + id; }
  std::string File(std::string_view name) const {
    return folder() + "/" + std::string(name);
  }
  // Refs of the attempts' branches and of their recorded commits start so.
  std::string attempt_prefix() const { return BranchRef(AttemptFolder(id)); }
  std::string record_prefix() const { return RecordFolder(id); }
};

// A task as the tip of its working branch has it.
struct TaskState {
  Task task;
  std::string tip;  // T
  TaskSettings settings;
  std::string metric_text;  // metric.toml; empty when it is not there
  std::string log_text;     // log.md; likewise
  MetricFile ledger;
};

// The tasks that have a working branch here, sorted.
absl::StatusOr<std::vector<Task>> ListTasks(const Repository& repository);

// The task a verb is about: --task (id, or slug of one task), else the task of
// the branch checked out where the user stands, else the only one.
absl::StatusOr<Task> FindTask(const Session& session,
                              const Repository& repository);

// Reads the task's settings and ledger from its tip's tree.
absl::StatusOr<TaskState> LoadTask(const Repository& repository,
                                   const Task& task);

// The file `name` of the task's folder at `treeish`; empty when not there.
absl::StatusOr<std::string> ReadTaskFile(const Repository& repository,
                                         const Task& task,
                                         const std::string& treeish,
                                         std::string_view name);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_H_
