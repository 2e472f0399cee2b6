#ifndef AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_
#define AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy.h"
#include "tools/ledger/slug.h"  // IWYU pragma: export

namespace autotune {

// Whether what an attempt runs is shut in (see tools/system/sandbox.h).
enum class SandboxUse {
  kAuto,     // where the machine allows it
  kRequire,  // or nothing is run
  kOff,
};

template <>
struct NameTable<SandboxUse> {
  static constexpr Named<SandboxUse> kAll[] = {
      {"auto", SandboxUse::kAuto},
      {"require", SandboxUse::kRequire},
      {"off", SandboxUse::kOff}};
};

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
  // Why there is no test: without either nothing is decided. Never with `test`.
  std::string no_tests;
  std::vector<std::string> benchmark;
  SandboxUse sandbox = SandboxUse::kAuto;
  // Files and folders of this machine that the commands read, beside the
  // system's and those that the commands name.
  std::vector<std::string> readable;
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

// One value of a task.toml.
struct SettingText {
  std::string table;        // "policy", "guard.2": the second [[guard]]
  std::string_view key;     // in that table
  std::string value;        // in TOML
  std::string_view option;  // of `autotune init`; "--settings" without one
};

// Every value of `settings`, in the order of the file; what is absent is left
// out.
std::vector<SettingText> SettingTexts(const TaskSettings& settings);

// The commented text of a task.toml that ParseTaskSettings reads back as
// `settings`.
std::string FormatTaskSettings(const TaskSettings& settings);

// How the value of `key` in [TABLE] is written in TOML; null for an unknown one
// and for those of lists such as [[guard]].
const FieldSpec* FindSetting(std::string_view table, std::string_view key);

// `value`, of the setting, in TOML.
std::string TomlValue(const FieldSpec& spec, const FieldValue& value);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TASK_SETTINGS_H_
