#include "tools/bench_compare/policy_flags.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/toml_node.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/system/clock.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr char kProjectFile[] = ".bench_compare.toml";
constexpr char kMetricFlag[] = "--metric";
constexpr char kPolicyVariable[] = "BENCH_COMPARE_POLICY";

void AddFlag(CommandLine& line, const PolicyFlag& flag, PolicyFlags& flags) {
  std::optional<std::string>& text = flags.values.texts[flag.flag];
  if (!flag.value.empty()) {
    line.AddFlag(std::string(flag.flag), text, flag.help, flag.value);
    return;
  }
  line.AddText(std::string(flag.flag), flag.placeholder, text, flag.help);
}

absl::Status ApplyFlags(const PolicyFlags& flags, Policy& policy) {
  const absl::Status set = SetPolicyFlags(flags.values, policy);
  if (!set.ok()) return UsageError(std::string(set.message()));
  const absl::Status checked = CheckPolicy(policy);
  if (checked.ok()) return checked;
  return UsageError(std::string(checked.message()),
                    absl::StartsWith(checked.message(), "direction:") &&
                            !absl::EndsWith(checked.message(), "?")
                        ? "--metric NAME:lower or NAME:higher"
                        : "");
}

// The nearest project file from `directory` up to the folder that holds .git;
// nothing outside of a work tree.
std::optional<std::string> FileAbove(FileSystem& files, std::string directory) {
  std::optional<std::string> nearest;
  while (true) {
    const std::string path = JoinPath(directory, kProjectFile);
    if (!nearest.has_value() && files.Exists(path)) nearest = path;
    if (files.Exists(JoinPath(directory, ".git"))) return nearest;
    const std::size_t slash = directory.find_last_of('/');
    if (slash == std::string::npos || directory == "/") return std::nullopt;
    directory.resize(std::max<std::size_t>(slash, 1));
  }
}

// The file to read; nothing when there is none.
std::optional<std::string> PolicyPath(const PolicyFlags& flags,
                                      const ProgramWorld& world) {
  if (flags.file.has_value()) return flags.file;
  const auto variable = world.environment.find(kPolicyVariable);
  if (variable != world.environment.end() && !variable->second.empty()) {
    return variable->second;
  }
  if (world.files.Exists(kProjectFile)) return kProjectFile;
  return FileAbove(world.files, world.directory);
}

absl::Status AddMetricPlace(const TomlTable& top, const PolicyFlags& flags,
                            SettingPlaces& places) {
  const auto flag = flags.values.texts.find(kMetricFlag);
  if (flag != flags.values.texts.end() && flag->second.has_value()) {
    places.AddFlag(SettingKind::kMetric,
                   absl::StrCat(kMetricFlag, " ", Quoted(*flag->second)));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<TomlTable> policy, top.Table("policy"));
  if (!policy.has_value() || policy->Find("metric") == nullptr) {
    return absl::OkStatus();
  }
  places.AddLine(SettingKind::kMetric,
                 absl::StrCat(policy->Place("metric"), ": policy.metric"));
  return absl::OkStatus();
}

// The file's guards come before those of flags.
absl::Status AddPlaces(const TomlTable& top, const PolicyFlags& flags,
                       SettingPlaces& places) {
  RETURN_IF_ERROR(AddMetricPlace(top, flags, places));
  for (const SettingKind kind :
       {SettingKind::kGuard, SettingKind::kMargin, SettingKind::kWaiver}) {
    const std::string list(NameOf(kind));
    ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables(list));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      places.AddLine(kind,
                     absl::StrFormat("%s: %s[%d]", tables[i].Place(), list, i));
    }
  }
  for (const std::string& guard : flags.values.guards) {
    places.AddFlag(
        SettingKind::kGuard,
        absl::StrCat(std::string(kGuardFlag.flag), " ", Quoted(guard)));
  }
  return absl::OkStatus();
}

}  // namespace

void SettingPlaces::AddFlag(SettingKind kind, const std::string& text) {
  places_[kind].push_back({text, true});
}

void SettingPlaces::AddLine(SettingKind kind, const std::string& text) {
  places_[kind].push_back({text, false});
}

absl::Status SettingPlaces::Placed(const absl::Status& status) const {
  const std::optional<IdleSetting> idle = IdleSettingOf(status);
  return idle.has_value() ? Placed(*idle) : status;
}

absl::Status SettingPlaces::Placed(const IdleSetting& idle) const {
  const auto found = places_.find(idle.kind);
  if (found == places_.end() || idle.index >= found->second.size()) {
    return IdleError(idle);
  }
  const Place& place = found->second[idle.index];
  const std::string message = absl::StrCat(place.text, ": ", idle.why);
  return place.is_flag ? UsageError(message)
                       : absl::InvalidArgumentError(message);
}

void AddPolicyFlags(CommandLine& line, PolicyVerb verb, PolicyFlags& flags) {
  line.StartGroup("Policy");
  line.AddText("--policy", "FILE", flags.file,
               "read the policy from this TOML file (.bench_compare.toml)");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    const bool decides = IsUsedBy(flag.uses, PolicyVerb::kRecorded);
    if (decides && IsUsedBy(flag.uses, verb)) AddFlag(line, flag, flags);
  }
  line.AddTexts(std::string(kGuardFlag.flag), kGuardFlag.placeholder,
                flags.values.guards, kGuardFlag.help);
}

void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags) {
  line.StartGroup("Measuring");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    const bool decides = IsUsedBy(flag.uses, PolicyVerb::kRecorded);
    if (!decides && IsUsedBy(flag.uses, PolicyVerb::kRun)) {
      AddFlag(line, flag, flags);
    }
  }
}

absl::StatusOr<PolicyFile> ReadPolicyFile(const PolicyFlags& flags,
                                          const ProgramWorld& world) {
  const std::optional<std::string> path = PolicyPath(flags, world);
  PolicyFile file;
  std::string text;
  if (path.has_value()) {
    ASSIGN_OR_RETURN(text, world.files.ReadFile(*path));
    file.source = *path;
  }
  ASSIGN_OR_RETURN(file.document, ParseToml(text, file.source));
  return file;
}

absl::StatusOr<Policy> ResolvePolicy(const PolicyFile& file,
                                     const PolicyFlags& flags, PolicyVerb verb,
                                     PolicyKind verb_kind,
                                     SettingPlaces& places) {
  const TomlTable top(file.document, file.source, "");
  ASSIGN_OR_RETURN(Policy policy, ReadPolicy(top, kGateTables));
  if (verb_kind == PolicyKind::kGate) policy.kind = verb_kind;
  RETURN_IF_ERROR(ApplyFlags(flags, policy));
  const absl::Status used = CheckFlagUses(flags.values, verb, policy);
  if (!used.ok()) return UsageError(std::string(used.message()));
  RETURN_IF_ERROR(CheckTomlUses(top, verb, policy));
  RETURN_IF_ERROR(AddPlaces(top, flags, places));
  return policy;
}

std::string Today(Clock& clock) {
  return absl::FormatTime("%Y-%m-%d", clock.Now(), absl::UTCTimeZone());
}

}  // namespace autotune
