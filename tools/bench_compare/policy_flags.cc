#include "tools/bench_compare/policy_flags.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/toml_node.h"
#include "tools/program/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr char kProjectFile[] = ".bench_compare.toml";
constexpr char kPolicyVariable[] = "BENCH_COMPARE_POLICY";

void AddFlag(CommandLine& line, const PolicyFlag& flag, PolicyFlags& flags) {
  line.AddText(std::string(flag.flag), flag.placeholder,
               flags.values.texts[flag.flag], flag.help);
}

absl::Status ApplyFlags(const PolicyFlags& flags, Policy& policy) {
  const absl::Status set = SetPolicyFlags(flags.values, policy);
  if (!set.ok()) return UsageError(std::string(set.message()));
  const absl::Status checked = CheckPolicy(policy);
  if (checked.ok()) return checked;
  return UsageError(std::string(checked.message()),
                    absl::StartsWith(checked.message(), "direction:")
                        ? "--metric NAME:lower or NAME:higher"
                        : "");
}

// The file to read; nothing when there is none.
std::optional<std::string> PolicyPath(
    const PolicyFlags& flags, FileSystem& files,
    const std::map<std::string, std::string>& environment) {
  if (flags.file.has_value()) return flags.file;
  const auto variable = environment.find(kPolicyVariable);
  if (variable != environment.end() && !variable->second.empty()) {
    return variable->second;
  }
  if (files.Exists(kProjectFile)) return kProjectFile;
  return std::nullopt;
}

}  // namespace

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

absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, PolicyVerb verb, PolicyKind verb_kind,
    FileSystem& files, const std::map<std::string, std::string>& environment) {
  const std::optional<std::string> path = PolicyPath(flags, files, environment);
  std::string text;
  if (path.has_value()) {
    ASSIGN_OR_RETURN(text, files.ReadFile(*path));
  }
  const std::string source = path.value_or("");
  ASSIGN_OR_RETURN(const TomlNode document, ParseToml(text, source));
  const TomlTable top(document, source, "");
  ASSIGN_OR_RETURN(Policy policy, ReadPolicy(top));
  if (verb_kind == PolicyKind::kGate) policy.kind = verb_kind;
  RETURN_IF_ERROR(ApplyFlags(flags, policy));
  const absl::Status used = CheckFlagUses(flags.values, verb, policy);
  if (!used.ok()) return UsageError(std::string(used.message()));
  RETURN_IF_ERROR(CheckTomlUses(top, verb, policy));
  return policy;
}

absl::Status CheckAllowed(bool allow_inconclusive, const Policy& policy) {
  if (!allow_inconclusive || policy.kind == PolicyKind::kGate) {
    return absl::OkStatus();
  }
  return UsageError(
      "--allow-inconclusive: has no effect under the policy kind tune; leave "
      "it out");
}

}  // namespace autotune
