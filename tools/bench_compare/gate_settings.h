#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SETTINGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SETTINGS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/field.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "tools/bench_compare/policy_flags.h"

namespace autotune {

// A [[program]]: one benchmark program that the build makes.
struct GateProgram {
  std::string name;                  // in reports
  std::vector<std::string> command;  // argv; "{build}" is the build folder
  std::string filter = ".";          // as --benchmark_filter takes it
};

// A [[rename]]: see RenameRule.
struct GateRename {
  std::string from;
  std::string to;
};

// What `gate --base-ref` builds and runs, from the policy's file.
struct GateSettings {
  // Run in the exported tree, without a shell.
  std::vector<std::string> configure;
  std::vector<std::string> build;
  double build_timeout_seconds = 1800.0;  // configure and build, each
  // Benchmarks that head must have, by their exact names after renaming.
  std::vector<std::string> expected;
  std::int64_t self_checks = 20;  // decisions of a program against itself
  std::vector<GateProgram> programs;
  std::vector<RenameRule> renames;
};

template <typename T>
using GateFieldOf =
    Field<T, double, std::int64_t, std::string, std::vector<std::string>>;
std::span<const GateFieldOf<GateSettings>> GateFields();  // of [gate]
std::span<const GateFieldOf<GateProgram>> GateProgramFields();
std::span<const GateFieldOf<GateRename>> GateRenameFields();

// Reads [gate], [[program]] and [[rename]]. Errors: FailedPrecondition without
// a file; InvalidArgument "SOURCE:LINE: KEY: ..." as of a policy, without a
// program, and for two of one name.
absl::StatusOr<GateSettings> ReadGateSettings(const PolicyFile& file);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_GATE_SETTINGS_H_
