#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_INIT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_INIT_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task_setup.h"
#include "tools/program/command_line.h"
#include "tools/program/verb_result.h"

namespace autotune {

// Declares what `init` takes.
void AddInitOptions(CommandLine& line, InitOptions& options);

// `autotune init`: builds and tests the current commit in a fresh folder, looks
// for the target's benchmarks, measures the program against itself, and makes
// the branch autotune/<date>-<slug> with docs/autotune/<task>/{task.toml,
// metric.toml, log.md} and a .gitattributes that names the merge driver of
// metric.toml. The user's checkout is left alone unless `checkout`.
// Repeating it changes nothing; with other options it is a usage error.
absl::StatusOr<VerbResult> Init(const Session& session,
                                const InitOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_INIT_H_
