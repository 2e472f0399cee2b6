#ifndef AUTOTUNE_TOOLS_AUTOTUNE_INIT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_INIT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/session.h"
#include "tools/autotune/verb_result.h"
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
  std::vector<std::string> edit;     // path patterns
  std::vector<std::string> seal;     // added to the defaults
  std::vector<std::string> guard;    // benchmark patterns, default margin
  std::vector<std::string> holdout;  // benchmark patterns
  std::optional<std::string> end_to_end;
  std::optional<std::string> metric;      // NAME or NAME:higher or NAME:lower
  std::optional<std::string> min_effect;  // "1%" or "0.01"
  std::optional<std::string> budget;      // seconds, or "90s", "2m"
  std::optional<std::string> mode;
  bool checkout = false;
  bool calibrate = true;
};

// `autotune init`: builds and tests the current commit in a fresh folder, looks
// for the target's benchmarks, measures the program against itself, and makes
// the branch autotune/<date>-<slug> with docs/autotune/<task>/{task.toml,
// metric.toml, log.md} and a .gitattributes that names the merge driver of
// metric.toml. The user's checkout is left alone unless `checkout`.
// Repeating it changes nothing; with other options it is a usage error.
absl::StatusOr<VerbResult> Init(const Session& session,
                                const InitOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_INIT_H_
