#include "tools/autotune/task/task_agreement.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "comparator/policy/policy_fields.h"
#include "tools/autotune/task/task_setup.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

// The values of a task.toml by key: "policy.budget", "guard.1.name".
using Values = std::map<std::string, SettingText>;

Values ValuesOf(const TaskSettings& settings) {
  Values values;
  for (SettingText& text : SettingTexts(settings)) {
    const std::string key =
        absl::StrCat(text.table, ".", std::string(text.key));
    values.emplace(key, std::move(text));
  }
  return values;
}

std::string ValueOr(const Values& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "nothing" : found->second.value;
}

std::string Difference(const std::string& key, const Values& found,
                       std::string_view option, const SettingText& wanted) {
  return absl::StrFormat("%s: found %s, expected %s (%s)", key,
                         ValueOr(found, key), wanted.value, option);
}

// What the settings file sets otherwise than by default, and otherwise than the
// task has it.
absl::StatusOr<std::vector<std::string>> FileDifferences(
    const Values& found, const TaskSettings& existing,
    const InitOptions& options, const std::string& settings_text) {
  std::vector<std::string> differences;
  if (options.settings_file.empty()) return differences;
  ASSIGN_OR_RETURN(const TaskSettings file,
                   SettingsOfFile(options, existing, settings_text));
  // As init completes it, but for the patterns that are sealed anyway.
  ASSIGN_OR_RETURN(TaskSettings complete,
                   WithOptions(InitOptions(), TaskStart(), file));
  complete.scope_sealed = file.scope_sealed;
  const Values defaults = ValuesOf(TaskSettings());
  for (const auto& [key, text] : ValuesOf(complete)) {
    const bool said =
        text.value != ValueOr(defaults, key) && text.table != "task";
    if (said && text.value != ValueOr(found, key)) {
      differences.push_back(Difference(key, found, "--settings", text));
    }
  }
  return differences;
}

// Those of `patterns` that `known` lacks.
std::vector<std::string> Missing(const std::vector<std::string>& patterns,
                                 const std::vector<std::string>& known) {
  std::vector<std::string> missing;
  std::copy_if(patterns.begin(), patterns.end(), std::back_inserter(missing),
               [&known](const std::string& pattern) {
                 return std::find(known.begin(), known.end(), pattern) ==
                        known.end();
               });
  return missing;
}

// Whether the task has the guard that `text` (of --guard) means. One that is no
// guard is new: it fails where all options are read.
bool HasGuard(const Policy& policy, const std::string& text) {
  PolicyFlagValues values;
  values.guards = {text};
  Policy with = policy;
  const bool good = SetPolicyFlags(values, with).ok();
  return good && std::find(policy.guards.begin(), policy.guards.end(),
                           with.guards.back()) != policy.guards.end();
}

// `options` with only those members of the lists they add to that are new.
InitOptions OnlyNew(InitOptions options, const TaskSettings& existing) {
  std::erase_if(options.policy.guards, [&existing](const std::string& text) {
    return HasGuard(existing.policy, text);
  });
  options.holdout = Missing(options.holdout, existing.holdouts);
  options.seal = Missing(options.seal, existing.scope_sealed);
  return options;
}

}  // namespace

absl::Status CheckAgreement(const Task& task, const TaskSettings& existing,
                            const InitOptions& options,
                            const std::string& settings_text) {
  const Values found = ValuesOf(existing);
  ASSIGN_OR_RETURN(std::vector<std::string> differences,
                   FileDifferences(found, existing, options, settings_text));
  ASSIGN_OR_RETURN(
      const TaskSettings wanted,
      WithOptions(OnlyNew(options, existing), TaskStart(), existing));
  for (const auto& [key, text] : ValuesOf(wanted)) {
    if (text.value == ValueOr(found, key)) continue;
    differences.push_back(Difference(key, found, text.option, text));
  }
  if (differences.empty()) return absl::OkStatus();
  return WithHint(
      absl::OutOfRangeError(absl::StrCat(
          "init: task ", task.id, " is already there with other settings: ",
          absl::StrJoin(differences, "; "))),
      {"take another name for a second task, change this one with ",
       Autotune({"task", "set", "KEY", "VALUE"}),
       ", or leave these options out"});
}

}  // namespace autotune
