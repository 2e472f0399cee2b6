#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/task/verb_result.h"

namespace autotune {

// `autotune status`: the task, its tip, open and decided attempts, the level of
// the next decision and what is left of the horizon. Reads only.
absl::StatusOr<VerbResult> Status(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_
