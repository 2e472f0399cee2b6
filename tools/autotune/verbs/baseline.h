#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_BASELINE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_BASELINE_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// `autotune baseline`: builds and tests the tip, measures its target and guards
// and records the numbers as a "baseline" row. Decisions never use them: they
// measure against the tip each time. A tip that has its row already is not
// measured again.
absl::StatusOr<VerbResult> Baseline(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_BASELINE_H_
