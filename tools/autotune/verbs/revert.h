#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVERT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVERT_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct RevertOptions {
  std::string approach;
  std::string reason;  // may be empty
};

// `autotune revert`: takes an older keep out of the working branch again: a
// revert of its merge, then a ledger commit with a "discard" row, in one move.
// Later keeps stay. FailedPrecondition naming the files when they build on it.
// Repeating it changes nothing.
absl::StatusOr<VerbResult> Revert(const TaskContext& context,
                                  const RevertOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_REVERT_H_
