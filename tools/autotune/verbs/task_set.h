#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_TASK_SET_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_TASK_SET_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct TaskSetOptions {
  std::string key;                  // "policy.budget", "scope.edit", ...
  std::vector<std::string> values;  // several for a list
};

// `autotune task set`: changes one setting in task.toml and commits it to the
// working branch. Later decisions use it; what is recorded keeps the policy it
// was decided by. The new file must be valid, or nothing is written.
absl::StatusOr<VerbResult> TaskSet(const TaskContext& context,
                                   const TaskSetOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_TASK_SET_H_
