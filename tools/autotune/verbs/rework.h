#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REWORK_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REWORK_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// `autotune rework`: brings an open attempt onto the current tip: a fresh
// branch there with its commits picked anew, and a fresh worktree. The old
// commits stay reachable as refs/autotune/<task>/<NNN>. When a commit
// conflicts, the branch holds what came before it, and the error says how to go
// on by hand.
absl::StatusOr<VerbResult> Rework(const TaskContext& context,
                                  const std::string& approach);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REWORK_H_
