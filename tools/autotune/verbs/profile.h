#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct ProfileOptions {
  std::string filter;       // benchmarks; empty: the task's target
  std::int64_t visits = 3;  // runs of the program, at least 1
  // "auto", "sections", "samples" or "instructions".
  std::string by = "auto";
};

// `autotune profile`: builds the tip, runs its benchmarks a few times and tells
// where their time goes: by the named sections that the program publishes
// (autotune::SectionTimer), else by function, from samples of a clock where the
// machine allows them, else from counted instructions. Writes profile.json and
// the "Architecture Notes" of log.md to the task, in a commit of their own; no
// decision uses it.
absl::StatusOr<VerbResult> Profile(const TaskContext& context,
                                   const ProfileOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_
