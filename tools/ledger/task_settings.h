#ifndef AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_
#define AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/ledger/slug.h"  // IWYU pragma: export

namespace autotune {

// docs/autotune/<task>/task.toml, as read from the working branch's tip.
struct TaskSettings {
  std::string name;          // slug
  std::string base;          // full SHA where the task started
  std::string start_branch;  // never moved; empty when it started detached
  // Commands, argv arrays run in the tree without a shell; "{build}" is a fresh
  // folder outside it. configure and test may be empty.
  std::vector<std::string> configure;
  std::vector<std::string> build;
  std::vector<std::string> test;
  std::vector<std::string> benchmark;
  std::string target;  // regular expression on benchmark names
  std::optional<std::string> end_to_end;
  std::vector<std::string> holdouts;
  std::vector<std::string> scope_edit;
  std::vector<std::string> scope_sealed;
  double build_timeout_seconds = 1800.0;  // configure and build, each
  double test_timeout_seconds = 1800.0;
  Policy policy;
};

// Errors: InvalidArgument "SOURCE:LINE: KEY: expected ..., got ...", unknown
// keys with a did-you-mean. Regular expressions, path patterns, the name and
// the base are checked too.
absl::StatusOr<TaskSettings> ParseTaskSettings(std::string_view text,
                                               std::string_view source_name);

// The commented text of a task.toml that ParseTaskSettings reads back as
// `settings`.
std::string FormatTaskSettings(const TaskSettings& settings);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_
