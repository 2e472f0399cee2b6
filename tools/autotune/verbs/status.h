#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What the decisions so far say of the next one, as fields of the JSON answer
// and lines of text: phase, gains as claimed and as measured, keep rate,
// largest parts of the profile, near misses worth combining, predictions
// against results.
void AddProgress(const TaskState& state, const TaskProgress& progress,
                 const std::vector<HistoryEntry>& history,
                 const std::optional<TaskProfile>& profile, VerbResult& result);

// `autotune status`: the task, its tip, open and decided attempts, the level of
// the next decision and what is left of the horizon. Reads only.
absl::StatusOr<VerbResult> Status(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_STATUS_H_
