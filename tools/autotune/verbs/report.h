#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REPORT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REPORT_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/report/task_report.h"

namespace autotune {

// What `autotune report` tells of the task: every decided attempt with what it
// set out to do, what was expected and measured, and what the task gained so
// far. Reads only.
absl::StatusOr<TaskReport> ReportTask(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REPORT_H_
