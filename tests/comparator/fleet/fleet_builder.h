#ifndef AUTOTUNE_TESTS_COMPARATOR_FLEET_FLEET_BUILDER_H_
#define AUTOTUNE_TESTS_COMPARATOR_FLEET_FLEET_BUILDER_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/fleet/fleet.h"
#include "comparator/judge/sequential_judge.h"

namespace autotune {

// A run on `host`, a machine with this CPU, whose rounds gave `improvements`:
// without an outcome, as a journal is.
inline Evidence RunOn(const std::string& host, const std::string& cpu,
                      const std::vector<double>& improvements) {
  Evidence evidence;
  evidence.tool_version = "0.1.0";
  evidence.started = "2026-05-01T12:00:00Z";
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings = MakeJudgeSettings(evidence.policy, {"BM_A"}, {});
  evidence.baseline.sha256 = "ab";
  evidence.contender.sha256 = "cd";
  evidence.machine = {{"cpu_model", cpu}, {"kernel", "6.1"}, {"host", host}};
  evidence.entropy = "system";
  for (const double y : improvements) {
    RoundEvidence round;
    round.index = static_cast<std::int64_t>(evidence.rounds.size());
    VisitBenchmark before;
    before.name = "BM_A";
    before.iterations = {10};
    before.values = {100.0};
    before.value = 100.0;
    VisitBenchmark after = before;
    after.value = 100.0 * std::exp(-y);
    after.values = {after.value};
    round.baseline.benchmarks = {before};
    round.contender.benchmarks = {after};
    round.ratios.targets = {y};
    evidence.rounds.push_back(round);
  }
  return evidence;
}

// The same with the outcome that its rounds give.
inline Evidence EndedRunOn(const std::string& host, const std::string& cpu,
                           const std::vector<double>& improvements) {
  Evidence evidence = RunOn(host, cpu, improvements);
  SetOutcome(Recompute(evidence).value(), evidence);
  return evidence;
}

// `count` rounds around `mean` that no two runs share: `salt` tells them apart.
inline std::vector<double> Around(double mean, int count, double salt) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(mean + 0.002 * ((i * 7) % 5 - 2) + 1e-7 * (i + salt));
  }
  return values;
}

inline Fleet FleetOf(const std::vector<Evidence>& runs) {
  Fleet fleet;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    AddRecord(HostNameOf(runs[i]), {HostNameOf(runs[i]) + ".json", runs[i]},
              fleet);
  }
  return fleet;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_COMPARATOR_FLEET_FLEET_BUILDER_H_
