#ifndef AUTOTUNE_TESTS_TOOLS_REPORT_FINISHED_RUN_H_
#define AUTOTUNE_TESTS_TOOLS_REPORT_FINISHED_RUN_H_

#include <cmath>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"

namespace autotune {

inline VisitEvidence Visit(double target, double guard) {
  VisitEvidence visit;
  visit.benchmarks = {
      {.name = "BM_A", .iterations = {1}, .values = {target}, .value = target},
      {.name = "BM_G", .iterations = {1}, .values = {guard}, .value = guard}};
  return visit;
}

// A finished run in which the contender takes `ratio` of the baseline's time,
// with a guard that stays.
inline Evidence RunOf(int rounds, double ratio,
                      PolicyKind kind = PolicyKind::kTune) {
  Evidence evidence;
  evidence.policy.kind = kind;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings =
      kind == PolicyKind::kGate
          ? MakeJudgeSettings(evidence.policy, {"BM_A", "BM_G"}, {})
          : MakeJudgeSettings(evidence.policy, {"BM_A"},
                              {JudgedGuard{.name = "BM_G"}});
  evidence.measuring_seconds = 5.25;
  SequentialJudge judge(evidence.settings);
  for (int i = 0; i < rounds; ++i) {
    const double noise = 1.0 + 0.001 * ((i * 7) % 5 - 2);
    RoundEvidence round;
    round.index = i;
    round.mode = MeasureMode::kTurns;
    round.baseline = Visit(100.0, 50.0);
    round.contender = Visit(100.0 * ratio * noise, 50.0 * noise);
    const double target = -std::log(ratio * noise);
    const double guard = -std::log(noise);
    if (kind == PolicyKind::kGate) {
      round.ratios.targets = {target, guard};
    } else {
      round.ratios.targets = {target};
      round.ratios.guards = {guard};
    }
    judge.Add(round.ratios);
    evidence.rounds.push_back(round);
  }
  SetOutcome(judge, evidence);
  return evidence;
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_REPORT_FINISHED_RUN_H_
