#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVIVE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVIVE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct ReviveOptions {
  std::vector<std::string> approaches;  // decided attempts, in this order
  std::string name;  // of the new attempt; empty: the first one's with -2, -3
};

// `autotune revive`: opens a new attempt on the current tip with the commits of
// one or several decided attempts picked anew: to try again, or to combine.
// (Merging a reverted branch again would bring nothing.) Repeating it while the
// new attempt is open returns it.
absl::StatusOr<VerbResult> Revive(const TaskContext& context,
                                  const ReviveOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVIVE_H_
