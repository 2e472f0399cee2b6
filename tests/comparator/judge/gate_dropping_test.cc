// A gate stops measuring what it has decided: the judge says which, and the
// evidence must hold exactly the rest.

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/judge/sequential_judge.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
const Metric kCpuTime = {"cpu_time", Direction::kLowerIsBetter};

// Cost of the contender over the baseline in round `i`: BM_Easy is soon proven,
// BM_Hard stands just inside its margin of 2 %.
double EasyCost(int i) { return 0.9 + 0.001 * ((i * 7) % 5 - 2); }
double HardCost(int i) { return 1.014 + 0.002 * ((i * 3) % 7 - 3); }

JudgeSettings GateOfTwo() {
  JudgeSettings settings;
  settings.kind = PolicyKind::kGate;
  settings.targets = {"BM_Easy", "BM_Hard"};
  return settings;
}

VisitEvidence VisitOf(const std::vector<VisitBenchmark>& benchmarks) {
  VisitEvidence visit;
  visit.benchmarks = benchmarks;
  return visit;
}

VisitBenchmark Entry(const std::string& name, double value) {
  return {.name = name, .iterations = {10}, .values = {value}, .value = value};
}

// Round `i` as it is measured after those that `judge` has seen.
RoundEvidence RoundAfter(const SequentialJudge& judge, int i) {
  RoundEvidence round;
  round.index = i;
  if (judge.measures(0)) {
    round.baseline.benchmarks.push_back(Entry("BM_Easy", 1.0));
    round.contender.benchmarks.push_back(Entry("BM_Easy", EasyCost(i)));
  }
  if (judge.measures(1)) {
    round.baseline.benchmarks.push_back(Entry("BM_Hard", 1.0));
    round.contender.benchmarks.push_back(Entry("BM_Hard", HardCost(i)));
  }
  return round;
}

// A gate's run of at most `rounds` rounds with its outcome.
Evidence RunOf(int rounds) {
  Evidence evidence;
  evidence.policy.kind = PolicyKind::kGate;
  evidence.metric = kCpuTime;
  evidence.settings = GateOfTwo();
  SequentialJudge judge(evidence.settings);
  for (int i = 0; i < rounds && !judge.finished(); ++i) {
    RoundEvidence round = RoundAfter(judge, i);
    const auto ratios =
        ComputeRoundRatios(judge, kCpuTime, round.baseline, round.contender);
    EXPECT_OK(ratios);
    round.ratios = *ratios;
    judge.Add(round.ratios);
    evidence.rounds.push_back(round);
  }
  SetOutcome(judge, evidence);
  return evidence;
}

std::size_t FirstRoundWithoutEasy(const Evidence& evidence) {
  for (std::size_t i = 0; i < evidence.rounds.size(); ++i) {
    if (!evidence.rounds[i].ratios.targets[0].has_value()) return i;
  }
  return evidence.rounds.size();
}

TEST(GateDroppingTest, WhatIsProvenIsMeasuredNoMoreAndItsStateIsFrozen) {
  const Evidence evidence = RunOf(200);
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  const std::size_t dropped = FirstRoundWithoutEasy(evidence);
  EXPECT_GE(dropped, 5U) << "no e-value reaches 20 in four rounds";
  ASSERT_LT(dropped + 1, evidence.rounds.size()) << "BM_Hard must take longer";
  EXPECT_EQ(evidence.targets[0].rounds, dropped);
  EXPECT_EQ(evidence.targets[1].rounds, evidence.rounds.size());
  EXPECT_EQ(evidence.overall.rounds, dropped) << "a mean over all, or none";

  const Evidence before = RunOf(static_cast<int>(dropped));
  EXPECT_EQ(evidence.targets[0].log_e_keep, before.targets[0].log_e_keep);
  EXPECT_EQ(evidence.targets[0].estimate->ratio,
            before.targets[0].estimate->ratio);
  EXPECT_EQ(evidence.targets[0].estimate->interval.lower,
            before.targets[0].estimate->interval.lower);
}

TEST(GateDroppingTest, NothingElseDrops) {
  JudgeSettings tune = GateOfTwo();
  tune.kind = PolicyKind::kTune;
  tune.rule = TargetRule::kEach;
  JudgeSettings guarded = GateOfTwo();
  guarded.guards = {{.name = "peak_rss"}};
  JudgeSettings fixed = GateOfTwo();
  fixed.stop_when_decided = false;
  for (const JudgeSettings& settings : {tune, guarded, fixed}) {
    SequentialJudge judge(settings);
    for (int i = 0; i < 60; ++i) {
      RoundRatios round;
      round.targets = {-std::log(EasyCost(i)), -std::log(HardCost(i))};
      // Undecided to the end.
      if (!settings.guards.empty()) round.guards = {i % 2 == 0 ? 0.3 : -0.3};
      judge.Add(round);
      EXPECT_TRUE(judge.measures(0));
      EXPECT_TRUE(judge.measures(1));
    }
  }
}

TEST(GateDroppingTest, EvidenceCarriesItAndIsVerified) {
  const Evidence evidence = RunOf(200);
  EXPECT_OK(VerifyEvidence(evidence));
  const std::string text = EvidenceToJson(evidence);
  EXPECT_THAT(text, HasSubstr("\"targets\":[null,"));
  ASSERT_OK_AND_ASSIGN(const Evidence read, ParseEvidence(text, "e.json"));
  EXPECT_EQ(EvidenceToJson(read), text);
  EXPECT_OK(VerifyEvidence(read));
}

TEST(GateDroppingTest, AnUndecidedBenchmarkMayNotBeMissing) {
  Evidence evidence = RunOf(200);
  RoundEvidence& round = evidence.rounds[2];
  round.baseline = VisitOf({Entry("BM_Easy", 1.0)});
  round.contender = VisitOf({Entry("BM_Easy", EasyCost(2))});
  round.ratios.targets[1].reset();
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kInvalid,
                       "rounds[2]: baseline: \"BM_Hard\": expected a number "
                       "above 0, got none"));
  // Nor may the file pass over a number that is there.
  evidence = RunOf(200);
  evidence.rounds[2].ratios.targets[1].reset();
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kInvalid, HasSubstr("rounds[2]: ratios.targets[1]: the "
                                           "visits give ")));
}

TEST(GateDroppingTest, ADecidedBenchmarkMayNotCountOn) {
  Evidence evidence = RunOf(200);
  RoundEvidence& round = evidence.rounds[FirstRoundWithoutEasy(evidence)];
  const std::string place = "rounds[" + std::to_string(round.index) + "]: ";
  round.ratios.targets[0] = 0.1;
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kInvalid, place + "ratios.targets[0]: the visits give "
                                         "nothing, the file says 0.1"));
  round.contender.benchmarks.push_back(Entry("BM_Easy", 0.9));
  EXPECT_THAT(
      VerifyEvidence(evidence),
      StatusIs(kInvalid,
               place + "contender: \"BM_Easy\": expected no number, as it was "
                       "decided before this round, got 0.9"));
}

TEST(MeanTargetRatioTest, IsThatOfAllTargetsOrNone) {
  RoundEvidence round;
  EXPECT_EQ(MeanTargetRatio(round), std::nullopt);
  round.ratios.targets = {0.25, 0.75};
  EXPECT_EQ(MeanTargetRatio(round), 0.5);
  round.ratios.targets[1].reset();
  EXPECT_EQ(MeanTargetRatio(round), std::nullopt);
  round.ratios.targets[1] = 0.75;
  round.use = RoundUse::kVoid;
  EXPECT_EQ(MeanTargetRatio(round), std::nullopt);
}

}  // namespace
}  // namespace autotune
