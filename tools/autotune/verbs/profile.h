#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/task/verb_result.h"

namespace autotune {

struct ProfileOptions {
  std::string filter;  // benchmarks; empty: the task's target
  int visits = 3;      // runs of the program, 1 to 100
};

// `autotune profile`: builds the tip, runs its benchmarks a few times and tells
// where their time goes by the named sections that the program publishes
// (autotune::SectionTimer). Nothing is recorded, no decision uses it.
// Benchmarks without sections are listed with their time alone.
absl::StatusOr<VerbResult> Profile(const TaskContext& context,
                                   const ProfileOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_PROFILE_H_
