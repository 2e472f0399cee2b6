#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_FOLDER_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"

namespace autotune {

// Where the loop of a task keeps its files, outside the repository.
struct LoopFolder {
  std::string path;
  std::string File(const std::string& name) const {
    return JoinPath(path, name);
  }
  std::string Events() const { return File("loop.jsonl"); }
  std::string StopFile() const { return File("loop.stop"); }
  std::string Steering() const { return File("loop.steer"); }
};

// Made when missing.
absl::StatusOr<LoopFolder> LoopFolderOf(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_FOLDER_H_
