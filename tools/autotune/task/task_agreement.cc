#include "tools/autotune/task/task_agreement.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/autotune/task/task_setup.h"
#include "tools/autotune/task/verb_result.h"

namespace autotune {
namespace {

// Values of a task.toml as TOML text, by key: "policy.budget", and
// "guard.1.name" in the first of several tables.
using Values = std::map<std::string, std::string>;

// "policy" of "[policy]", "guard.2" of the second "[[guard]]".
std::string TableName(absl::string_view heading,
                      std::map<std::string, int>& counts) {
  const bool several = absl::StartsWith(heading, "[[");
  const std::size_t marks = several ? 2 : 1;
  const std::string name(heading.substr(marks, heading.size() - 2 * marks));
  return several ? absl::StrCat(name, ".", ++counts[name]) : name;
}

// Reads what FormatTaskSettings wrote: one value a line.
Values ValuesOf(const TaskSettings& settings) {
  const std::string text = FormatTaskSettings(settings);
  Values values;
  std::map<std::string, int> counts;
  std::string table;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::size_t equals = line.find(" = ");
    if (absl::StartsWith(line, "[")) {
      table = TableName(line, counts);
    } else if (!absl::StartsWith(line, "#") && equals != line.npos) {
      values[absl::StrCat(table, ".", line.substr(0, equals))] =
          std::string(line.substr(equals + 3));
    }
  }
  return values;
}

std::string ValueOr(const Values& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "nothing" : found->second;
}

// The option of `init` that sets `key`.
std::string OptionOf(const std::string& key) {
  static const auto& options =
      *new std::vector<std::pair<absl::string_view, absl::string_view>>{
          {"target.", "--target"},
          {"end_to_end.", "--end-to-end"},
          {"holdout.", "--holdout"},
          {"guard.", "--guard"},
          {"scope.edit", "--edit"},
          {"scope.sealed", "--seal"},
          {"policy.metric", "--metric"},
          {"policy.direction", "--metric"},
          {"policy.budget", "--budget"},
          {"policy.min_effect", "--min-effect"},
          {"policy.mode", "--mode"},
          {"commands.build", "--build"},
          {"commands.test", "--test"},
          {"commands.configure", "--configure"},
          {"commands.benchmark", "--benchmark"}};
  for (const auto& [prefix, option] : options) {
    if (absl::StartsWith(key, prefix)) return std::string(option);
  }
  return "--settings";
}

std::string Difference(const std::string& key, const std::string& found,
                       const std::string& option, const std::string& wanted) {
  return absl::StrCat(key, ": found ", found, ", expected ", wanted, " (",
                      option, ")");
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
  for (const auto& [key, value] : ValuesOf(complete)) {
    const bool said =
        value != ValueOr(defaults, key) && !absl::StartsWith(key, "task.");
    if (said && value != ValueOr(found, key)) {
      differences.push_back(
          Difference(key, ValueOr(found, key), "--settings", value));
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

// `options` with only those members of the lists they add to that are new.
InitOptions OnlyNew(InitOptions options, const TaskSettings& existing) {
  std::vector<std::string> guards;
  for (const Guard& guard : existing.policy.guards) {
    guards.push_back(guard.benchmark_pattern);
  }
  options.guard = Missing(options.guard, guards);
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
  for (const auto& [key, value] : ValuesOf(wanted)) {
    if (value == ValueOr(found, key)) continue;
    differences.push_back(
        Difference(key, ValueOr(found, key), OptionOf(key), value));
  }
  if (differences.empty()) return absl::OkStatus();
  return WithHint(
      absl::OutOfRangeError(absl::StrCat(
          "init: task ", task.id, " is already there with other settings: ",
          absl::StrJoin(differences, "; "))),
      "take another name for a second task, change this one with autotune task "
      "set KEY VALUE, or leave these options out");
}

}  // namespace autotune
