#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_SETUP_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_SETUP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/init.h"
#include "tools/ledger/task_settings.h"

namespace autotune {

// Where a task starts.
struct TaskStart {
  std::string name;                // slug
  std::string base;                // full SHA
  std::string branch;              // checked out there; empty when detached
  std::vector<std::string> paths;  // of the base's tree
};

// The settings of a new task. `settings_text` is the settings file's contents
// ("" for none). Errors: OutOfRange (usage) naming the option that is missing
// or wrong; InvalidArgument with the line of a bad settings file.
absl::StatusOr<TaskSettings> SettingsFor(const InitOptions& options,
                                         const TaskStart& start,
                                         const std::string& settings_text);

// `settings` with what `options` say on top; defaults only for what both lack.
// Errors: OutOfRange, as above.
absl::StatusOr<TaskSettings> WithOptions(const InitOptions& options,
                                         const TaskStart& start,
                                         TaskSettings settings);

// The settings file alone, as of a task with the name and base of `task`.
absl::StatusOr<TaskSettings> SettingsOfFile(const InitOptions& options,
                                            const TaskSettings& task,
                                            const std::string& settings_text);

// Sealed unless the task says otherwise: benchmarks, tests, build, CI,
// attributes, submodules.
std::vector<std::string> DefaultSealedPatterns();

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_SETUP_H_
