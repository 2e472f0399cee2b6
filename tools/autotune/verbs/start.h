#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/task/verb_result.h"

namespace autotune {

struct StartOptions {
  std::string approach;    // any text; its slug names the attempt
  std::string hypothesis;  // what should make it faster, and why
  std::string details;     // further text of the prompt; may be empty
};

// `autotune start`: commits <approach>/prompts.md to the working branch, makes
// the attempt's branch at that commit and its worktree. Repeating it finishes
// what is missing and returns the same result.
absl::StatusOr<VerbResult> Start(const TaskContext& context,
                                 const StartOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_
