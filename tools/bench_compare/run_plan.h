#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/command_line.h"
#include "tools/bench_compare/policy_flags.h"
#include "tools/measure/interleaved_run.h"

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
  std::optional<std::string> cpu;
  std::optional<std::string> seed;
  std::optional<std::string> rounds;
  std::optional<std::string> timeout;
  bool allow_inconclusive = false;
  PolicyFlags policy;
  CommonFlags common;
};

// What stands before the first "--", and what after it.
struct SplitArguments {
  std::vector<std::string> ours;
  std::vector<std::string> benchmarks;
};
SplitArguments SplitAtDashes(const std::vector<std::string>& arguments);

// The number that `text` holds; nothing without a text. A usage error when it
// is no whole number of at least `smallest`.
absl::StatusOr<std::optional<std::int64_t>> ParseWholeNumber(
    std::string_view flag, const std::optional<std::string>& text,
    std::int64_t smallest);

void AddRunFlags(CommandLine& line, RunFlags& flags);

// The plan that the flags mean; `benchmark_arguments` (after "--") go to both
// programs. Usage errors for what is missing or malformed.
absl::StatusOr<RunPlan> MakeRunPlan(
    const RunFlags& flags, const Policy& policy,
    const std::vector<std::string>& benchmark_arguments);

// The whole number that --seed gives; nothing without the flag.
absl::StatusOr<std::optional<std::uint64_t>> SeedOf(const RunFlags& flags);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_PLAN_H_
