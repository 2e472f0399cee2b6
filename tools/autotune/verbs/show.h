#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SHOW_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SHOW_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What `show` can be asked for.
const std::vector<std::string>& ShowSubjects();

struct ShowOptions {
  std::string what;      // one of ShowSubjects
  std::string approach;  // for prompt and attempt
};

// `autotune show`: a file of the task as the working branch's tip has it, or
// what is known of one attempt. Reads only; no checkout is needed.
absl::StatusOr<VerbResult> Show(const TaskContext& context,
                                const ShowOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_SHOW_H_
