#include "tools/bench_compare/policy_flags.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "tools/program/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr char kProjectFile[] = ".bench_compare.toml";
constexpr char kPolicyVariable[] = "BENCH_COMPARE_POLICY";

// Flags of these say how to measure.
constexpr std::array<std::string_view, 3> kMeasuring = {
    "--budget", "--max-rounds", "--mode"};
// Of tasks alone.
constexpr std::array<std::string_view, 3> kTasks = {"--error-control", "--fdr",
                                                    "--horizon"};

bool Holds(std::span<const std::string_view> flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

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

absl::StatusOr<Policy> ReadPolicyFile(const std::string& path,
                                      FileSystem& files) {
  ASSIGN_OR_RETURN(const std::string text, files.ReadFile(path));
  return ParsePolicy(text, path);
}

absl::StatusOr<Policy> BasePolicy(
    const PolicyFlags& flags, FileSystem& files,
    const std::map<std::string, std::string>& environment) {
  if (flags.file.has_value()) return ReadPolicyFile(*flags.file, files);
  const auto variable = environment.find(kPolicyVariable);
  if (variable != environment.end() && !variable->second.empty()) {
    return ReadPolicyFile(variable->second, files);
  }
  if (files.Exists(kProjectFile)) return ReadPolicyFile(kProjectFile, files);
  return Policy();
}

}  // namespace

void AddPolicyFlags(CommandLine& line, PolicyFlags& flags) {
  line.StartGroup("Policy");
  line.AddText("--policy", "FILE", flags.file,
               "read the policy from this TOML file (.bench_compare.toml)");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    if (!Holds(kMeasuring, flag.flag) && !Holds(kTasks, flag.flag)) {
      AddFlag(line, flag, flags);
    }
  }
  line.AddTexts(std::string(kGuardFlag.flag), kGuardFlag.placeholder,
                flags.values.guards, kGuardFlag.help);
}

void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags) {
  line.StartGroup("Measuring");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    if (Holds(kMeasuring, flag.flag)) AddFlag(line, flag, flags);
  }
}

absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, PolicyKind verb_kind, FileSystem& files,
    const std::map<std::string, std::string>& environment) {
  ASSIGN_OR_RETURN(Policy policy, BasePolicy(flags, files, environment));
  if (verb_kind == PolicyKind::kGate) policy.kind = verb_kind;
  RETURN_IF_ERROR(ApplyFlags(flags, policy));
  return policy;
}

}  // namespace autotune
