#include "tools/bench_compare/run_plan.h"

#include <climits>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/idle_setting.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "tools/measure/interleaved_run.h"
#include "tools/program/command_line.h"

namespace autotune {
namespace {

constexpr int kMostNice = -20;

absl::StatusOr<std::map<std::string, std::string>> ParseEnvironment(
    std::string_view flag, const std::vector<std::string>& entries) {
  std::map<std::string, std::string> environment;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      return UsageError(absl::StrCat(
          std::string(flag), ": expected NAME=VALUE, got \"", entry, "\""));
    }
    environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return environment;
}

absl::StatusOr<SideCommand> MakeSide(
    std::string_view name, const std::optional<std::string>& program,
    const std::vector<std::string>& environment,
    std::vector<std::string> arguments, const RunFlags& flags) {
  if (!program.has_value() || program->empty()) {
    return UsageError(
        absl::StrCat("expected the ", std::string(name), "'s program"),
        "bench_compare run --baseline OLD_BINARY --contender NEW_BINARY");
  }
  SideCommand side;
  side.program = *program;
  ASSIGN_OR_RETURN(
      side.environment,
      ParseEnvironment(absl::StrCat("--", std::string(name), "-env"),
                       environment));
  side.arguments = std::move(arguments);
  side.arguments.insert(side.arguments.end(), flags.benchmark_arguments.begin(),
                        flags.benchmark_arguments.end());
  side.working_directory = flags.working_directory.value_or("");
  return side;
}

// One expression for all benchmarks that the policy guards; empty without any.
std::string GuardFilter(const Policy& policy) {
  std::string filter;
  for (const Guard& guard : policy.guards) {
    if (guard.benchmark_pattern.empty()) continue;
    absl::StrAppend(&filter, filter.empty() ? "" : "|", "(",
                    guard.benchmark_pattern, ")");
  }
  return filter;
}

absl::Status SetFilter(const RunFlags& flags, RunPlan& plan,
                       SettingPlaces& places) {
  if (!flags.filter.has_value()) return absl::OkStatus();
  places.AddFlag(SettingKind::kFilter,
                 absl::StrCat("--filter ", Quoted(*flags.filter)));
  const absl::Status checked = NamePattern::Create(*flags.filter).status();
  if (!checked.ok()) {
    return UsageError(absl::StrCat("--filter: ", checked.message()));
  }
  plan.target_filter = *flags.filter;
  return absl::OkStatus();
}

absl::Status SetJournal(const RunFlags& flags, RunPlan& plan) {
  plan.journal_path = flags.evidence.value_or("");
  plan.resume = flags.resume;
  if (!flags.resume || flags.evidence.has_value()) return absl::OkStatus();
  return UsageError("--resume: expected --evidence FILE, the run to continue");
}

absl::Status SetTimeout(const RunFlags& flags, RunPlan& plan) {
  if (!flags.timeout.has_value()) return absl::OkStatus();
  const std::optional<double> seconds = ParseDurationSeconds(*flags.timeout);
  if (!seconds.has_value()) {
    return UsageError(
        absl::StrCat("--timeout: expected a duration such as 60s, got \"",
                     *flags.timeout, "\""));
  }
  plan.visit_timeout = absl::Seconds(*seconds);
  return absl::OkStatus();
}

}  // namespace

void AddVisitFlags(CommandLine& line, RunFlags& flags) {
  line.AddNumber("--cpu", "N", flags.cpu, 0, INT_MAX,
                 "pin the programs to this CPU");
  line.AddNumber("--nice", "N", flags.nice, kMostNice, 0,
                 "added to the nice value where allowed (-10); 0: none");
  line.AddText("--timeout", "DURATION", flags.timeout,
               "longest time of one process run (60s)");
}

void AddRunFlags(CommandLine& line, RunFlags& flags) {
  line.StartGroup("What to run");
  line.AddText("--baseline", "BINARY", flags.baseline,
               "the Google Benchmark program before the change")
      .required = true;
  line.AddText("--contender", "BINARY", flags.contender,
               "the one after the change")
      .required = true;
  line.AddText("--filter", "REGEX", flags.filter,
               "benchmarks to decide on, as --benchmark_filter (.)");
  line.AddText("--cwd", "DIR", flags.working_directory,
               "folder to run both programs in");
  line.AddTexts("--baseline-env", "NAME=VALUE", flags.baseline_environment,
                "a variable for the baseline only");
  line.AddTexts("--contender-env", "NAME=VALUE", flags.contender_environment,
                "a variable for the contender only");
  line.AddTexts("--baseline-args", "ARG", flags.baseline_arguments,
                "an argument for the baseline only: --baseline-args=--x=1");
  line.AddTexts("--contender-args", "ARG", flags.contender_arguments,
                "an argument for the contender only");
  line.AddFlag("--in-place", flags.in_place,
               "run the programs where they are, not copies");
  AddMeasuringFlags(line, flags.policy);
  line.AddNumber("--rounds", "N", flags.rounds, 1, INT64_MAX,
                 "exactly so many rounds, deciding after the last");
  AddVisitFlags(line, flags);
  line.AddNumber("--seed", "N", flags.seed, 0, INT64_MAX,
                 "draw the coins from this seed: for tests only");
  line.StartGroup("Evidence");
  line.AddText("--evidence", "FILE", flags.evidence,
               "write everything measured here, round by round");
  line.AddFlag("--resume", flags.resume,
               "continue the run of the evidence file");
  AddPolicyFlags(line, PolicyVerb::kRun, flags.policy);
  line.AddRest(flags.benchmark_arguments);
  AddReportFlags(line, flags.report);
}

absl::StatusOr<RunPlan> MakeRunPlan(const RunFlags& flags, const Policy& policy,
                                    SettingPlaces& places) {
  RunPlan plan;
  plan.policy = policy;
  ASSIGN_OR_RETURN(plan.baseline, MakeSide("baseline", flags.baseline,
                                           flags.baseline_environment,
                                           flags.baseline_arguments, flags));
  ASSIGN_OR_RETURN(plan.contender, MakeSide("contender", flags.contender,
                                            flags.contender_environment,
                                            flags.contender_arguments, flags));
  plan.guard_filter = GuardFilter(policy);
  plan.in_place = flags.in_place;
  RETURN_IF_ERROR(SetFilter(flags, plan, places));
  RETURN_IF_ERROR(SetJournal(flags, plan));
  RETURN_IF_ERROR(SetTimeout(flags, plan));
  plan.fixed_rounds = flags.rounds;
  if (flags.cpu.has_value()) plan.cpu = static_cast<int>(*flags.cpu);
  if (flags.nice.has_value()) {
    plan.nice_increment = static_cast<int>(*flags.nice);
  }
  return plan;
}

}  // namespace autotune
