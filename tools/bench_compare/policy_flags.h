#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_

#include <map>
#include <optional>
#include <string>

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

// Adds --policy and the flags of the policy that say how to decide; those that
// say how to measure are for verbs that do.
void AddPolicyFlags(CommandLine& line, PolicyFlags& flags);
void AddMeasuringFlags(CommandLine& line, PolicyFlags& flags);

// The policy by precedence: flags, then `verb_kind` when it is a gate, then the
// file that --policy, else the environment's BENCH_COMPARE_POLICY names, else
// .bench_compare.toml of the current folder where there is one, then the
// defaults. Errors of flags are usage errors; those of a file are
// InvalidArgument, naming it.
absl::StatusOr<Policy> ResolvePolicy(
    const PolicyFlags& flags, PolicyKind verb_kind, FileSystem& files,
    const std::map<std::string, std::string>& environment);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_POLICY_FLAGS_H_
