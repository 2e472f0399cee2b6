#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_FLEET_FLAGS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_FLEET_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/fleet/fleet.h"
#include "tools/program/command_line.h"
#include "tools/system/file_system.h"

namespace autotune {

// What the command line says of how hosts make one decision.
struct FleetFlags {
  std::optional<std::string> rule;   // --host-rule
  std::vector<std::string> weights;  // --weight HOST=NUMBER
};

void AddFleetPolicyFlags(CommandLine& line, FleetFlags& flags);

// The fleet's policy by the flags. Usage errors "FLAG: expected ..., got ...".
absl::StatusOr<FleetPolicy> ResolveFleetPolicy(const FleetFlags& flags);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_FLEET_FLAGS_H_
