#include "comparator/evidence/bias_trial.h"

#include <cmath>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

void AddValue(RoundEvidence& round, const std::string& name, double y) {
  for (VisitEvidence* visit : {&round.baseline, &round.contender}) {
    VisitBenchmark& benchmark = visit->benchmarks.emplace_back();
    benchmark.name = name;
    benchmark.value = visit == &round.baseline ? 1000.0 : 1000.0 * std::exp(-y);
  }
}

RoundEvidence RoundOf(RoundUse use, double turn_seconds, double y) {
  RoundEvidence round;
  round.mode = MeasureMode::kTurns;
  round.turn_seconds = turn_seconds;
  round.use = use;
  AddValue(round, "BM_A", y);
  return round;
}

// A decision in turns of 5 ms by `rounds` rounds of `y`.
Evidence Decided(Decision decision, double y, int rounds = 6) {
  Evidence evidence;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings.targets = {"BM_A"};
  evidence.decision = decision;
  evidence.overall.estimate = RatioEstimate{std::exp(-y), {}};
  for (int i = 0; i < rounds; ++i) {
    evidence.rounds.push_back(RoundOf(RoundUse::kCounts, 0.005, y));
  }
  return evidence;
}

void Check(Evidence& evidence, int rounds, double y) {
  for (int i = 0; i < rounds; ++i) {
    evidence.rounds.push_back(RoundOf(RoundUse::kBiasCheck, 0.0005, y));
  }
}

TEST(NeedsBiasTrialTest, EveryDecisionMadeInTurnsDoes) {
  EXPECT_TRUE(NeedsBiasTrial(Decided(Decision::kKeep, 0.02)));
  EXPECT_TRUE(NeedsBiasTrial(Decided(Decision::kDiscard, -0.02)));
  EXPECT_FALSE(NeedsBiasTrial(Decided(Decision::kInconclusive, 0.0)));
  Evidence gate = Decided(Decision::kKeep, 0.02);
  gate.settings.kind = PolicyKind::kGate;
  EXPECT_TRUE(NeedsBiasTrial(gate));
  Evidence fixed = Decided(Decision::kKeep, 0.02);
  fixed.settings.stop_when_decided = false;
  EXPECT_TRUE(NeedsBiasTrial(fixed));
  Evidence alternate = Decided(Decision::kKeep, 0.02);
  for (RoundEvidence& round : alternate.rounds) {
    round.mode = MeasureMode::kAlternate;
  }
  EXPECT_FALSE(NeedsBiasTrial(alternate));
}

TEST(NeedsBiasTrialTest, NoBiasOfTheTurnsReachesALargeDifference) {
  EXPECT_TRUE(NeedsBiasTrial(Decided(Decision::kKeep, 0.599)));
  EXPECT_FALSE(NeedsBiasTrial(Decided(Decision::kKeep, 0.601)));
  EXPECT_FALSE(NeedsBiasTrial(Decided(Decision::kDiscard, -0.601)));
  Evidence longer = Decided(Decision::kKeep, 0.151);
  for (RoundEvidence& round : longer.rounds) round.turn_seconds = 0.1;
  EXPECT_FALSE(NeedsBiasTrial(longer));
  Evidence guarded = Decided(Decision::kKeep, 0.601);
  guarded.settings.guards.resize(1);
  EXPECT_TRUE(NeedsBiasTrial(guarded)) << "the guards are judged in turns too";
}

TEST(CheckTurnSecondsTest, TurnsAreCheckedByShorterOnesAndADuetByLonger) {
  EXPECT_DOUBLE_EQ(CheckTurnSeconds(MeasureMode::kTurns, 0.005), 0.0005);
  EXPECT_DOUBLE_EQ(CheckTurnSeconds(MeasureMode::kDuet, 0.004), 0.020);
}

TEST(BiasTrialTest, PairsThatShowNoBiasConfirmTheDecision) {
  Evidence evidence = Decided(Decision::kKeep, 0.05);
  Check(evidence, 4, 0.05);
  EXPECT_EQ(BiasTrial(evidence).decision(), Decision::kInconclusive)
      << "five rounds at 5 % at least";
  EXPECT_FALSE(BiasTrial(evidence).lacks_run_round());
  Check(evidence, 1, 0.05);
  const BiasTrial trial(evidence);
  EXPECT_EQ(trial.decision(), Decision::kKeep);
  EXPECT_TRUE(trial.finished());
  EXPECT_EQ(trial.pairs(), 5U);
  const BiasRecord record = trial.Record();
  EXPECT_EQ(record.turn_seconds, 0.005);
  EXPECT_EQ(record.check_turn_seconds, 0.0005);
  EXPECT_EQ(record.pairs, 5U);
  EXPECT_EQ(record.decided, Decision::kKeep);
  EXPECT_EQ(record.freed, Decision::kKeep);
  ASSERT_TRUE(record.estimate.has_value());
  EXPECT_NEAR(record.estimate->bias, 0.0, 1e-12);
}

// All of the 2 % is the turns' own: at a tenth of them it is 20 %.
TEST(BiasTrialTest, ABiasThatMadeAKeepIsFoundOut) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  Check(evidence, 6, 0.2);
  const BiasTrial trial(evidence);
  EXPECT_EQ(trial.decision(), Decision::kDiscard);
  EXPECT_NEAR(trial.Record().estimate->bias, 0.02, 1e-12);
}

TEST(BiasTrialTest, ABiasThatMadeADiscardIsFoundOut) {
  Evidence evidence = Decided(Decision::kDiscard, -0.02);
  Check(evidence, 6, -0.4);
  const BiasTrial trial(evidence);
  EXPECT_EQ(trial.decision(), Decision::kKeep);
  EXPECT_NEAR(trial.Record().estimate->bias, -0.38 / 9.0, 1e-12);
}

TEST(BiasTrialTest, AsksForMoreRoundsInTheRunsTurnsWhenItsPairsUsedThemUp) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  for (int i = 0; i < 6; ++i) Check(evidence, 1, i % 2 == 0 ? 0.2 : -0.2);
  BiasTrial trial(evidence);
  EXPECT_EQ(trial.decision(), Decision::kInconclusive);
  EXPECT_TRUE(trial.lacks_run_round());
  trial.Add(RoundOf(RoundUse::kBiasCheck, 0.005, 0.02));
  EXPECT_FALSE(trial.lacks_run_round());
  EXPECT_EQ(trial.pairs(), 6U);
  trial.Add(RoundOf(RoundUse::kBiasCheck, 0.0005, 0.02));
  EXPECT_EQ(trial.pairs(), 7U);
}

TEST(BiasTrialTest, OtherStagesAndOtherUsesAreNotLookedAt) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  for (const RoundUse use :
       {RoundUse::kSettled, RoundUse::kVoid, RoundUse::kConfirmation}) {
    evidence.rounds.push_back(RoundOf(use, 0.0005, 0.5));
  }
  evidence.rounds.push_back(RoundOf(RoundUse::kBiasCheck, 0.002, 0.5));
  EXPECT_EQ(BiasTrial(evidence).pairs(), 0U);
}

// In a gate each benchmark is freed of its own bias.
TEST(BiasTrialTest, AGateFreesEveryBenchmark) {
  Evidence evidence;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings.kind = PolicyKind::kGate;
  evidence.settings.targets = {"BM_A", "BM_B"};
  evidence.settings.target_margins = {0.02, 0.02};
  evidence.decision = Decision::kDiscard;
  for (int i = 0; i < 24; ++i) {
    const bool check = i >= 12;
    RoundEvidence round =
        RoundOf(check ? RoundUse::kBiasCheck : RoundUse::kCounts,
                check ? 0.0005 : 0.005, 0.0);
    AddValue(round, "BM_B", check ? -0.4 : -0.04);
    evidence.rounds.push_back(round);
  }
  EXPECT_EQ(BiasTrial(evidence).decision(), Decision::kKeep);
}

// No turn changes how much memory a process takes.
TEST(BiasTrialTest, GuardsOnTheProcessNeedNoChecks) {
  Evidence evidence = Decided(Decision::kKeep, 0.02, 12);
  JudgedGuard& guard = evidence.settings.guards.emplace_back();
  guard.name = "peak_rss";
  Check(evidence, 12, 0.02);
  for (RoundEvidence& round : evidence.rounds) {
    const bool check = round.use == RoundUse::kBiasCheck;
    round.baseline.peak_rss_bytes = 1000;
    round.contender.peak_rss_bytes = check ? 9000 : 1000;
  }
  const BiasTrial trial(evidence);
  EXPECT_EQ(trial.judge().guards()[0].standing, MarginStanding::kWithin);
  EXPECT_EQ(trial.decision(), Decision::kKeep);
}

}  // namespace
}  // namespace autotune
