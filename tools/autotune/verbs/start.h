#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct StartOptions {
  std::string approach;    // any text; its slug names the attempt
  std::string hypothesis;  // what should make it faster, and why
  std::string details;     // further text of the prompt; may be empty
  std::optional<std::string> targets;  // a section or function of the profile
  std::optional<std::string> expect;   // what it saves of that part: "35%"
  std::optional<std::string> no_profile;  // why there is none
  std::vector<std::string> include;       // files of the tip for the prompt
  bool preserve = false;                  // kept changes for the prompt
};

// `autotune start`: commits <approach>/prompts.md to the working branch, makes
// the attempt's branch at that commit and its worktree. Repeating it finishes
// what is missing and returns the same result.
//
// A task's first attempt needs a profile (`autotune profile`), or a reason to
// go without, which is recorded. With `targets` and `expect` the end-to-end
// gain that can be expected (share of the part times the gain on it, Amdahl's
// law) is printed, committed with the plan and told in the prompt; below 2 % it
// warns.
absl::StatusOr<VerbResult> Start(const TaskContext& context,
                                 const StartOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_START_H_
