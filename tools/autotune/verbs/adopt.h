#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_ADOPT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_ADOPT_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct AdoptOptions {
  std::string branch;      // any revision; its commits become the attempt
  std::string approach;    // empty: the last part of the branch's name
  std::string hypothesis;  // empty: the subject of its last commit
};

// `autotune adopt`: takes commits made elsewhere as an attempt, by the same
// base rule as our own: they must start from the working branch's line. The
// branch itself is left alone. Adopting it again while the attempt is open
// takes its newer commits.
absl::StatusOr<VerbResult> Adopt(const TaskContext& context,
                                 const AdoptOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_ADOPT_H_
