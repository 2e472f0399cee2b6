#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/task/verb_result.h"

namespace autotune {

// `autotune next`: the one command worth running now, and why: an open attempt
// to decide, a harvest that is due, or a new attempt and how deep it should
// cut. Reads only.
absl::StatusOr<VerbResult> Next(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_
