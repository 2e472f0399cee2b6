#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/outcome_output.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/measure/interleaved_run.h"
#include "tools/program/command_line.h"

namespace autotune {

// Flags of `bench_compare run`, as written.
struct RunFlags {
  std::optional<std::string> baseline;
  std::optional<std::string> contender;
  std::optional<std::string> filter;
  std::optional<std::string> working_directory;
  std::vector<std::string> baseline_environment;
  std::vector<std::string> contender_environment;
  std::vector<std::string> baseline_arguments;
  std::vector<std::string> contender_arguments;
  std::optional<std::string> evidence;
  bool resume = false;
  bool in_place = false;
  std::optional<std::int64_t> cpu;
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> rounds;
  std::optional<std::string> timeout;
  std::optional<std::int64_t> nice;
  PolicyFlags policy;
  std::vector<std::string> benchmark_arguments;  // for both programs
  ReportFlags report;                            // not of calibrate
};

void AddRunFlags(CommandLine& line, RunFlags& flags);

// Those about how a visit runs, for every verb that makes visits in rounds.
void AddVisitFlags(CommandLine& line, RunFlags& flags);

// The plan that the flags mean. Usage errors for what is missing or malformed.
// `places` is told where the filter comes from.
absl::StatusOr<RunPlan> MakeRunPlan(const RunFlags& flags, const Policy& policy,
                                    SettingPlaces& places);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_
