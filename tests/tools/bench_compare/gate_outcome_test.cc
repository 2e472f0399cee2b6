#include "tools/bench_compare/gate_outcome.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/simulated_rounds.h"
#include "tools/report/report.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::IsEmpty;

Policy GatePolicy() {
  Policy policy;
  policy.kind = PolicyKind::kGate;
  return policy;
}

// A run of `rounds` rounds in which BM_A is worse by `loss` (of log), in a
// pattern of noise of the size of a thousandth.
Evidence RunOf(const Policy& policy, double loss, int rounds) {
  Evidence evidence;
  evidence.policy = policy;
  evidence.metric.name = "cpu_time";
  evidence.settings = MakeJudgeSettings(policy, {"BM_A"}, {});
  SequentialJudge judge(evidence.settings);
  for (int i = 0; i < rounds; ++i) {
    RoundEvidence round;
    round.ratios.targets = {0.001 * ((i * 7) % 5 - 2) - loss};
    judge.Add(round.ratios);
    evidence.rounds.push_back(round);
  }
  evidence.measuring_seconds = 2.0 * rounds;
  SetOutcome(judge, evidence);
  return evidence;
}

GateResult ResultOf(Evidence evidence) {
  GateResult result;
  GateProgramResult program;
  program.name = "bench";
  program.evidence = std::move(evidence);
  program.budget_seconds = 540.0;
  result.programs.push_back(std::move(program));
  return result;
}

TEST(GateOutcomeTest, SaysWhatIsProvenAndWhatTheRunnerCanProve) {
  GateResult result = ResultOf(RunOf(GatePolicy(), 0.0, 30));
  result.programs[0].unchanged = {"BM_B", "BM_C"};
  result.self_check = {20, 0};
  const Report report = ReportOf(result, GatePolicy());
  EXPECT_EQ(report.outcome.decision, Decision::kKeep);
  EXPECT_EQ(report.outcome.code, ReasonCode::kWithinMargins);
  EXPECT_EQ(report.outcome.reason,
            "2 unchanged by construction, 1 proven within 2 %; this runner "
            "proves 0.02 % in 9 min 0 s (its own false-alarm check: 0 of 20)");
}

TEST(GateOutcomeTest, ALossThatEqualProgramsShowTooIsNotTaken) {
  GateResult result = ResultOf(RunOf(GatePolicy(), 0.1, 30));
  EXPECT_EQ(ReportOf(result, GatePolicy()).outcome.code, ReasonCode::kHarmed);
  result.self_check = {20, 2};  // 5 % may give two of twenty
  EXPECT_EQ(ReportOf(result, GatePolicy()).outcome.code, ReasonCode::kHarmed);
  result.self_check = {20, 5};
  const Report doubted = ReportOf(result, GatePolicy());
  EXPECT_EQ(doubted.outcome.code, ReasonCode::kObjection);
  EXPECT_EQ(doubted.outcome.decision, Decision::kInconclusive);
  EXPECT_FALSE(doubted.outcome.cannot_judge());
}

TEST(GateOutcomeTest, WhatARunTakesBackIsUndecided) {
  Evidence evidence = RunOf(GatePolicy(), 0.0, 30);
  evidence.downgrade = "the bias of the turns is in the way";
  const Report report = ReportOf(ResultOf(evidence), GatePolicy());
  EXPECT_EQ(report.outcome.decision, Decision::kInconclusive);
  EXPECT_EQ(report.outcome.code, ReasonCode::kUndecided);
}

TEST(GateOutcomeTest, AFaultStandsFirstAndWinsOverALoss) {
  GateResult result = ResultOf(RunOf(GatePolicy(), 0.1, 30));
  result.programs[0].faults = {{"BM_Gone", "is gone from the head"}};
  const Report report = ReportOf(result, GatePolicy());
  EXPECT_TRUE(report.outcome.cannot_judge());
  EXPECT_EQ(report.outcome.comparisons.front().name, "BM_Gone");
  EXPECT_EQ(report.outcome.comparisons.back().standing,
            MarginStanding::kBeyond);
}

TEST(GateOutcomeTest, AWaiverIsNotNeededWhereTheUsualMarginHolds) {
  Policy policy = GatePolicy();
  policy.waivers = {{"BM_A", 0.05, "2999-01-31", "new parser"}};
  const std::string note =
      "the waiver of BM_A is not needed: the usual margin holds";
  EXPECT_THAT(ReportOf(ResultOf(RunOf(policy, 0.0, 60)), policy).notes,
              Contains(note));
  EXPECT_THAT(ReportOf(ResultOf(RunOf(policy, 0.03, 60)), policy).notes,
              testing::Not(Contains(note)));
}

TEST(GateOutcomeTest, NothingMatchedIsNoPass) {
  GateResult result;
  result.programs.emplace_back().name = "bench";
  EXPECT_TRUE(ReportOf(result, GatePolicy()).outcome.cannot_judge());
  result.shard = "2/3";
  result.programs[0].elsewhere = 4;
  const Report shard = ReportOf(result, GatePolicy());
  EXPECT_EQ(shard.outcome.decision, Decision::kKeep);
  EXPECT_EQ(shard.outcome.reason,
            "no benchmark falls into shard 2/3; the others have 4");
  EXPECT_THAT(shard.outcome.comparisons, IsEmpty());
}

// What a gate of eight benchmarks comes to on a simulated machine, of which the
// first lost `loss` (of log).
ReasonCode Simulated(Noise noise, std::uint64_t seed, double loss,
                     const Policy& policy) {
  std::vector<std::string> names;
  std::vector<SimulatedRounds> benchmarks;
  for (int i = 0; i < 8; ++i) {
    names.push_back("BM_" + std::to_string(i));
    benchmarks.emplace_back(noise, seed * 64 + static_cast<std::uint64_t>(i),
                            i == 0 ? -loss : 0.0);
  }
  Evidence evidence;
  evidence.policy = policy;
  evidence.settings = MakeJudgeSettings(policy, names, {});
  evidence.settings.beta = policy.alpha;
  SequentialJudge judge(evidence.settings);
  while (!judge.finished() && judge.rounds() < 300) {
    RoundRatios round;
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
      const double y = benchmarks[i].Next();
      round.targets.push_back(judge.measures(i) ? std::optional<double>(y)
                                                : std::nullopt);
    }
    judge.Add(round);
  }
  SetOutcome(judge, evidence);
  return ReportOf(ResultOf(std::move(evidence)), policy).outcome.code;
}

TEST(GateOutcomeTest, OfTwoHundredChangesThatDoNothingFewAreRefused) {
  Policy policy = GatePolicy();
  policy.default_margin = 0.01;
  for (const Noise noise : {Noise::kNormal, Noise::kSpikes}) {
    int red = 0;
    int pass = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const ReasonCode code = Simulated(noise, seed, 0.0, policy);
      red += code == ReasonCode::kHarmed ? 1 : 0;
      pass += code == ReasonCode::kWithinMargins ? 1 : 0;
    }
    EXPECT_LE(red, 10);  // alpha; at the margin itself it would be so many
    EXPECT_GE(pass, 180);
  }
}

TEST(GateOutcomeTest, PlantedLossesAreFound) {
  Policy policy = GatePolicy();
  policy.default_margin = 0.01;
  for (const double loss : {0.02, 0.05, 0.10}) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const ReasonCode code =
          Simulated(Noise::kNormal, seed, std::log1p(loss), policy);
      found += code == ReasonCode::kHarmed ? 1 : 0;
    }
    EXPECT_GE(found, 36) << loss;
  }
}

}  // namespace
}  // namespace autotune
