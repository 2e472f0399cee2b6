#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_SETUP_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_SETUP_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/policy_fields.h"
#include "tools/ledger/task_settings.h"

namespace autotune {

// What `init` is told; what is absent is taken from `settings_file`, else from
// what the repository holds (CMake), else from the defaults.
struct InitOptions {
  std::string task;  // any text; its slug names the task
  std::string
      settings_file;  // path of a task.toml without [task]; may be empty
  std::optional<std::string> target;     // regular expression
  std::optional<std::string> benchmark;  // command line of the benchmark
  std::optional<std::string> configure;  // command line; "" for none
  std::optional<std::string> build;
  std::optional<std::string> test;
  std::optional<std::string> no_tests;  // why there is none
  std::optional<std::string> sandbox;   // a word of SandboxUse
  std::vector<std::string> readable;    // absolute paths
  std::vector<std::string> edit;        // path patterns
  std::vector<std::string> seal;        // added to the defaults
  std::vector<std::string> holdout;     // benchmark patterns
  std::optional<std::string> end_to_end;
  PolicyFlagValues policy;
  bool checkout = false;
  bool calibrate = true;
};

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

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_SETUP_H_
