#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_BASELINE_ROW_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_BASELINE_ROW_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/ledger/metric_file.h"

namespace autotune {

// The last row of the ledger that `wanted` takes and whose commit is here and
// has the code tree `code` (CodeTree): what was measured of that code already.
// Null when there is none; else it lives as long as `state`.
absl::StatusOr<const MetricRow*> FindRowOfCode(
    const Repository& repository, const TaskState& state,
    const std::string& code,
    const std::function<bool(const MetricRow&)>& wanted);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_BASELINE_ROW_H_
