#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RESUME_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RESUME_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// `autotune resume`: finishes whatever an interruption left half done: prompts
// without a branch, attempts without a worktree, decisions that had begun to
// measure or that a person merged by hand, and what recorded attempts left
// behind. Nothing is done twice.
absl::StatusOr<VerbResult> Resume(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RESUME_H_
