#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOG_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOG_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// `autotune log`: adds `text` to log.md under today's date and commits it to
// the working branch. A text that stands there already is not added again.
absl::StatusOr<VerbResult> Log(const TaskContext& context,
                               const std::string& text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOG_H_
