#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "tools/program/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {

// Where a verb's policy comes from.
struct PolicyFlags {
  std::optional<std::string> file;  // --policy
  PolicyFlagValues values;
};

// Adds --policy and the flags of the policy that `verb` can use to decide;
// those that say how to measure are apart.
void AddPolicyFlags(CommandLine& line, PolicyVerb verb, PolicyFlags& flags);
void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags);

// The policy by precedence: flags, then `verb_kind` when it is a gate, then the
// file that --policy, else the environment's BENCH_COMPARE_POLICY names, else
// .bench_compare.toml of the current folder where there is one, then the
// defaults. A setting that `verb` cannot use is an error. Errors of flags are
// usage errors; those of a file are InvalidArgument, naming it.
absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, PolicyVerb verb, PolicyKind verb_kind,
    FileSystem& files, const std::map<std::string, std::string>& environment);

// A usage error for --allow-inconclusive where there is nothing to allow.
absl::Status CheckAllowed(bool allow_inconclusive, const Policy& policy);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
