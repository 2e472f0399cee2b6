#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CHECK_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CHECK_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// `autotune check`: the scope, build and test of what `decide` would measure,
// and nothing else: no measuring, nothing recorded. The result's exit code is 4
// outside the scope; a failed build or test is Aborted.
absl::StatusOr<VerbResult> Check(const TaskContext& context,
                                 const std::string& approach);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_CHECK_H_
