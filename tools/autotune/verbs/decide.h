#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DECIDE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DECIDE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct DecideOptions {
  std::string approach;
  // Record the attempt as a crash for this reason instead of measuring it.
  std::optional<std::string> crash;
};

// `autotune decide`: checks the scope, builds and tests the merge of the tip
// and the attempt, measures it against the tip, and records the decision with
// one atomic move of the working branch. A failed build or test is Aborted and
// leaves the attempt open. Repeating a decided attempt returns what was
// recorded, with its exit code.
absl::StatusOr<VerbResult> Decide(const TaskContext& context,
                                  const DecideOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_DECIDE_H_
