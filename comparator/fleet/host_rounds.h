#ifndef AUTOTUNE_COMPARATOR_FLEET_HOST_ROUNDS_H_
#define AUTOTUNE_COMPARATOR_FLEET_HOST_ROUNDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "comparator/fleet/fleet.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"

namespace autotune {

// What one host brings to the decision.
struct HostRounds {
  const FleetHost* host = nullptr;
  std::vector<RoundRatios> rounds;  // those that count
  std::size_t voided = 0;
  double weight = 1.0;
};

std::vector<HostRounds> RoundsOf(const Fleet& fleet);

// The log-improvement of each round over the targets that it measured (their
// mean).
std::vector<double> OverallOf(const std::vector<RoundRatios>& rounds);

// Whether two hosts are one kind of machine: equal and known CPU models and
// kernels, and whatever else is known of microcode, caches and governor.
bool SameMachine(const FleetHost& a, const FleetHost& b);

// InvalidArgument unless all records can make one decision; see Combine.
absl::Status CheckCombinable(const Fleet& fleet);

// Where a host stands by all of its rounds. `settings` are the fleet's with the
// host's share of beta; `must_be_proven`: a keep waits for the proof that the
// host is unharmed.
Comparison HostComparison(const HostRounds& host, const JudgeSettings& settings,
                          HostRule rule, bool must_be_proven);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_FLEET_HOST_ROUNDS_H_
