#include "tools/bench_compare/policy_flags.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "tools/bench_compare/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr char kProjectFile[] = ".bench_compare.toml";
constexpr char kPolicyVariable[] = "BENCH_COMPARE_POLICY";
constexpr std::string_view kMetricPrefix = "metric:";

using Text = std::optional<std::string>;

absl::Status BadFlag(std::string_view flag, std::string_view expected,
                     const std::string& got) {
  return UsageError(absl::StrCat(std::string(flag), ": expected ",
                                 std::string(expected), ", got \"", got, "\""));
}

absl::Status SetFraction(std::string_view flag, const Text& text,
                         double& value) {
  if (!text.has_value()) return absl::OkStatus();
  const std::optional<double> parsed = ParseFraction(*text);
  if (!parsed.has_value()) {
    return BadFlag(flag, "a fraction such as 0.01 or 1%", *text);
  }
  value = *parsed;
  return absl::OkStatus();
}

template <typename E>
absl::Status SetWord(std::string_view flag, const Text& text,
                     std::optional<E> (*parse)(std::string_view),
                     std::string_view expected, E& value) {
  if (!text.has_value()) return absl::OkStatus();
  const std::optional<E> parsed = parse(*text);
  if (!parsed.has_value()) return BadFlag(flag, expected, *text);
  value = *parsed;
  return absl::OkStatus();
}

// "NAME", "NAME:higher" or "NAME:lower".
void SetMetric(const Text& text, Policy& policy) {
  if (!text.has_value()) return;
  policy.metric = *text;
  policy.direction.reset();
  const std::size_t colon = text->rfind(':');
  if (colon == std::string::npos) return;
  const std::optional<Direction> direction =
      ParseDirection(std::string_view(*text).substr(colon + 1));
  if (!direction.has_value()) return;
  policy.metric = text->substr(0, colon);
  policy.direction = direction;
}

// "REGEX", "REGEX=MARGIN" or "REGEX=MARGIN,MODE"; "metric:NAME" in place of
// REGEX guards a number of the run instead.
absl::StatusOr<Guard> ParseGuard(const std::string& text,
                                 double default_margin) {
  constexpr std::string_view kExpected =
      "REGEX or metric:NAME, with =MARGIN or =MARGIN,prove|veto|exact";
  Guard guard;
  guard.margin = default_margin;
  const std::size_t split = text.rfind('=');
  std::string name = text.substr(0, split);
  if (split != std::string::npos) {
    const std::string rest = text.substr(split + 1);
    const std::size_t comma = rest.find(',');
    const std::optional<double> margin = ParseFraction(rest.substr(0, comma));
    if (!margin.has_value()) return BadFlag("--guard", kExpected, text);
    guard.margin = *margin;
    if (comma != std::string::npos) {
      const std::optional<GuardMode> mode =
          ParseGuardMode(std::string_view(rest).substr(comma + 1));
      if (!mode.has_value()) return BadFlag("--guard", kExpected, text);
      guard.mode = *mode;
    }
  }
  if (name.empty()) return BadFlag("--guard", kExpected, text);
  if (name.starts_with(kMetricPrefix)) {
    guard.metric = name.substr(kMetricPrefix.size());
  } else {
    guard.benchmark_pattern = std::move(name);
  }
  return guard;
}

absl::Status SetBudget(const PolicyFlags& flags, Policy& policy) {
  if (flags.budget.has_value()) {
    const std::optional<double> seconds = ParseDurationSeconds(*flags.budget);
    if (!seconds.has_value()) {
      return BadFlag("--budget", "a duration such as 120s or 2m",
                     *flags.budget);
    }
    policy.budget_seconds = *seconds;
  }
  if (!flags.max_rounds.has_value()) return absl::OkStatus();
  const std::string& text = *flags.max_rounds;
  const char* const end = text.data() + text.size();
  std::int64_t rounds = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, rounds);
  if (error != std::errc() || stop != end || rounds < 1) {
    return BadFlag("--max-rounds", "a whole number of at least 1", text);
  }
  policy.max_rounds = rounds;
  return absl::OkStatus();
}

// CheckPolicy with the words of the command line.
absl::Status CheckFlags(const Policy& policy) {
  const absl::Status checked = CheckPolicy(policy);
  if (checked.ok()) return checked;
  const std::string message(checked.message());
  return UsageError(message, message.starts_with("direction:")
                                 ? "--metric NAME:lower or NAME:higher"
                                 : "");
}

absl::Status ApplyFlags(const PolicyFlags& flags, Policy& policy) {
  RETURN_IF_ERROR(SetWord("--policy-kind", flags.kind, &ParsePolicyKind,
                          "tune or gate", policy.kind));
  RETURN_IF_ERROR(SetWord("--targets", flags.targets, &ParseTargetRule,
                          "geomean or each", policy.targets));
  RETURN_IF_ERROR(SetWord("--mode", flags.mode, &ParseMeasureMode,
                          "auto, turns, alternate or duet", policy.mode));
  RETURN_IF_ERROR(
      SetFraction("--min-effect", flags.min_effect, policy.min_effect));
  RETURN_IF_ERROR(SetFraction("--alpha", flags.alpha, policy.alpha));
  RETURN_IF_ERROR(SetFraction("--beta", flags.beta, policy.beta));
  RETURN_IF_ERROR(SetFraction("--floor", flags.floor, policy.floor));
  RETURN_IF_ERROR(SetFraction("--margin", flags.margin, policy.default_margin));
  RETURN_IF_ERROR(SetBudget(flags, policy));
  SetMetric(flags.metric, policy);
  for (const std::string& text : flags.guards) {
    ASSIGN_OR_RETURN(Guard guard, ParseGuard(text, policy.default_margin));
    policy.guards.push_back(std::move(guard));
  }
  return CheckFlags(policy);
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
  line.AddText("--policy-kind", "tune|gate", flags.kind,
               "decide on a change, or only refuse losses (tune)");
  line.AddText("--metric", "NAME[:higher|:lower]", flags.metric,
               "real_time, cpu_time or a counter (auto)");
  line.AddText("--min-effect", "FRACTION", flags.min_effect,
               "smallest improvement worth having (1%)");
  line.AddText("--alpha", "P", flags.alpha, "bound on a false keep (0.05)");
  line.AddText("--beta", "P", flags.beta, "bound on a false discard (0.10)");
  line.AddText("--floor", "Y", flags.floor,
               "log-improvement that a keep must exceed (0)");
  line.AddText("--targets", "geomean|each", flags.targets,
               "how several targets make one decision (geomean)");
  line.AddText("--margin", "FRACTION", flags.margin,
               "loss tolerated by guards and gates (2%)");
  line.AddTexts("--guard", "REGEX[=MARGIN[,MODE]]", flags.guards,
                "must not get worse; metric:NAME for a number of the run");
}

void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags) {
  line.StartGroup("Measuring");
  line.AddText("--budget", "DURATION", flags.budget,
               "longest time to measure (120s)");
  line.AddText("--max-rounds", "N", flags.max_rounds, "most rounds (2000)");
  line.AddText("--mode", "auto|turns|alternate|duet", flags.mode,
               "how the two sides share the machine (auto)");
}

absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, FileSystem& files,
    const std::map<std::string, std::string>& environment) {
  ASSIGN_OR_RETURN(Policy policy, BasePolicy(flags, files, environment));
  RETURN_IF_ERROR(ApplyFlags(flags, policy));
  return policy;
}

}  // namespace autotune
