#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {

// Policy values given on the command line, as written.
struct PolicyFlags {
  std::optional<std::string> file;
  std::optional<std::string> kind;
  std::optional<std::string> metric;
  std::optional<std::string> min_effect;
  std::optional<std::string> alpha;
  std::optional<std::string> beta;
  std::optional<std::string> floor;
  std::optional<std::string> targets;
  std::optional<std::string> margin;
  std::vector<std::string> guards;
  // Only for verbs that measure.
  std::optional<std::string> mode;
  std::optional<std::string> budget;
  std::optional<std::string> max_rounds;
};

void AddPolicyFlags(CommandLine& line, PolicyFlags& flags);
void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags);

// The policy by precedence: flags, then the file that --policy, else the
// environment's BENCH_COMPARE_POLICY names, else .bench_compare.toml of the
// current folder where there is one, then the defaults. Errors of flags are
// usage errors; those of a file are InvalidArgument, naming it.
absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, FileSystem& files,
    const std::map<std::string, std::string>& environment);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
