#include "tools/measure/bias_check.h"

#include <cmath>

#include "comparator/evidence/cross_check.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

void AddRound(Evidence& evidence, double y, RoundUse use) {
  RoundEvidence round;
  round.mode = MeasureMode::kTurns;
  round.use = use;
  const auto add = [](VisitEvidence& visit, double value) {
    VisitBenchmark benchmark;
    benchmark.name = "BM_A";
    benchmark.value = value;
    visit.benchmarks.push_back(benchmark);
  };
  add(round.baseline, 1000.0 * std::exp(y));
  add(round.contender, 1000.0);
  evidence.rounds.push_back(round);
}

// A decision whose rounds' centre is `y`; 20 ms turns in `InTurns`.
Evidence Decided(Decision decision, double y) {
  Evidence evidence;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings.targets = {"BM_A"};
  evidence.decision = decision;
  evidence.overall.estimate.ratio = std::exp(-y);
  for (int i = 0; i < 6; ++i) AddRound(evidence, y, RoundUse::kCounts);
  return evidence;
}

RoundSetup InTurns(double milliseconds = 20.0) {
  RoundSetup setup;
  setup.mode = MeasureMode::kTurns;
  setup.turn = absl::Milliseconds(milliseconds);
  return setup;
}

RoundSetup InMode(MeasureMode mode) {
  RoundSetup setup;
  setup.mode = mode;
  return setup;
}

TEST(NeedsBiasCheckTest, KeepsAndDiscardsOfTimeInOneCpuModesDo) {
  const Evidence keep = Decided(Decision::kKeep, 0.02);
  EXPECT_TRUE(NeedsBiasCheck(keep, InTurns()));
  EXPECT_TRUE(NeedsBiasCheck(keep, InMode(MeasureMode::kDuet)));
  EXPECT_FALSE(NeedsBiasCheck(keep, InMode(MeasureMode::kAlternate)));
  EXPECT_TRUE(NeedsBiasCheck(Decided(Decision::kDiscard, -0.02), InTurns()));
  EXPECT_FALSE(
      NeedsBiasCheck(Decided(Decision::kInconclusive, 0.0), InTurns()));
}

TEST(NeedsBiasCheckTest, NoBiasReachesALargeDifference) {
  EXPECT_TRUE(NeedsBiasCheck(Decided(Decision::kKeep, 0.149), InTurns()));
  EXPECT_FALSE(NeedsBiasCheck(Decided(Decision::kKeep, 0.151), InTurns()));
  EXPECT_FALSE(NeedsBiasCheck(Decided(Decision::kDiscard, -0.151), InTurns()));
}

TEST(NeedsBiasCheckTest, ShorterTurnsMayBeMoreBiased) {
  EXPECT_TRUE(NeedsBiasCheck(Decided(Decision::kKeep, 0.599), InTurns(5)));
  EXPECT_FALSE(NeedsBiasCheck(Decided(Decision::kKeep, 0.601), InTurns(5)));
  EXPECT_FALSE(NeedsBiasCheck(Decided(Decision::kKeep, 0.151), InTurns(100)));
}

TEST(NeedsBiasCheckTest, GatesAndHarmedGuardsDecideOtherwise) {
  Evidence evidence = Decided(Decision::kDiscard, 0.02);
  evidence.guards.resize(1);
  evidence.guards[0].standing = GuardState::Standing::kHarmed;
  EXPECT_FALSE(NeedsBiasCheck(evidence, InTurns()));
  evidence = Decided(Decision::kKeep, 0.02);
  evidence.settings.kind = PolicyKind::kGate;
  EXPECT_FALSE(NeedsBiasCheck(evidence, InTurns()));
}

TEST(BiasRoundSetupTest, TurnsAreCheckedByShorterOnesAndADuetByLonger) {
  EXPECT_EQ(BiasRoundSetup(InTurns()).turn, absl::Milliseconds(4));
  RoundSetup duet;
  duet.mode = MeasureMode::kDuet;
  EXPECT_EQ(BiasRoundSetup(duet).mode, MeasureMode::kTurns);
  EXPECT_EQ(BiasRoundSetup(duet).turn, absl::Milliseconds(20));
}

TEST(FindBiasTest, AsksForTwoCheckRoundsFirst) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  EXPECT_FALSE(FindBias(evidence, InTurns()).enough_rounds);
  AddRound(evidence, 0.02, RoundUse::kBiasCheck);
  EXPECT_FALSE(FindBias(evidence, InTurns()).enough_rounds);
  AddRound(evidence, 0.02, RoundUse::kBiasCheck);
  const BiasFinding finding = FindBias(evidence, InTurns());
  EXPECT_TRUE(finding.enough_rounds);
  EXPECT_EQ(finding.standing, BiasStanding::kClear);
  EXPECT_NEAR(finding.slack, 0.02, 1e-12);
}

// At a fifth of the turn y is 4.4 % more: 1.1 % of it is the turns' own.
TEST(FindBiasTest, ABiasTowardsTheContenderEndangersItsKeep) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  for (int i = 0; i < 3; ++i) AddRound(evidence, 0.064, RoundUse::kBiasCheck);
  BiasFinding finding = FindBias(evidence, InTurns());
  ASSERT_TRUE(finding.bias.has_value());
  EXPECT_NEAR(finding.bias->bias, 0.011, 1e-12);
  EXPECT_EQ(finding.standing, BiasStanding::kClear) << "1.1 % is below 2 %";
  EXPECT_TRUE(finding.endangers) << "half of the slack";
  for (int i = 0; i < 3; ++i) AddRound(evidence, 0.14, RoundUse::kBiasCheck);
  for (int i = 0; i < 4; ++i) AddRound(evidence, 0.14, RoundUse::kBiasCheck);
  finding = FindBias(evidence, InTurns());
  EXPECT_NEAR(finding.bias->bias, 0.03, 1e-12);
  EXPECT_EQ(finding.standing, BiasStanding::kBiased);
}

// Slack of a discard: its distance from the least improvement worth having.
TEST(FindBiasTest, ABiasAgainstTheContenderEndangersItsDiscard) {
  Evidence evidence = Decided(Decision::kDiscard, -0.02);
  for (int i = 0; i < 3; ++i) AddRound(evidence, -0.22, RoundUse::kBiasCheck);
  const BiasFinding finding = FindBias(evidence, InTurns());
  EXPECT_NEAR(finding.slack, 0.02 + 0.01005033585350145, 1e-12);
  EXPECT_NEAR(finding.bias->bias, -0.05, 1e-12);
  EXPECT_EQ(finding.standing, BiasStanding::kBiased);
  Evidence other = Decided(Decision::kDiscard, -0.02);
  for (int i = 0; i < 3; ++i) AddRound(other, 0.22, RoundUse::kBiasCheck);
  EXPECT_EQ(FindBias(other, InTurns()).standing, BiasStanding::kClear);
}

TEST(FindBiasTest, NoisyRoundsAreGivenUpAfterTen) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  for (int i = 0; i < 9; ++i) {
    AddRound(evidence, i % 2 == 0 ? 0.30 : -0.20, RoundUse::kBiasCheck);
  }
  BiasFinding finding = FindBias(evidence, InTurns());
  EXPECT_EQ(finding.standing, BiasStanding::kUnsure);
  EXPECT_FALSE(finding.enough_rounds);
  AddRound(evidence, -0.20, RoundUse::kBiasCheck);
  finding = FindBias(evidence, InTurns());
  EXPECT_EQ(finding.standing, BiasStanding::kUnsure);
  EXPECT_TRUE(finding.enough_rounds);
}

TEST(RecordBiasTest, AnEarlierStagesEstimateIsBroughtToLongerTurns) {
  Evidence evidence = Decided(Decision::kKeep, 0.02);
  BiasFinding finding;
  finding.bias = TurnBias{0.0125, 0.0025};
  RecordBias(finding, InTurns(), evidence);
  ASSERT_TRUE(evidence.bias.has_value());
  EXPECT_EQ(evidence.bias->turn_seconds, 0.02);
  EXPECT_EQ(evidence.bias->bias.bias, 0.0125);
  EXPECT_EQ(evidence.bias->bias.error, 0.0025);
  const BiasFinding later = FindBias(evidence, InTurns(100));
  EXPECT_TRUE(later.enough_rounds);
  EXPECT_NEAR(later.bias->bias, 0.0025, 1e-15);
  EXPECT_EQ(later.standing, BiasStanding::kClear);
}

TEST(BiasTextTest, SaysWhomTheTurnsFavour) {
  EXPECT_EQ(BiasText({0.0125, 0.001}, InTurns()),
            "turns of 20 ms favour the contender by an estimated 1.25 % (error "
            "0.10 %)");
  EXPECT_EQ(BiasText({-0.002, 0.0}, InTurns()),
            "turns of 20 ms favour the baseline by an estimated 0.20 % (error "
            "0.00 %)");
}

TEST(SettlingAlphaTest, AKeepThatFollowsNoKeepGetsATenth) {
  EXPECT_DOUBLE_EQ(SettlingAlpha(0.05, Decision::kKeep), 0.05);
  EXPECT_DOUBLE_EQ(SettlingAlpha(0.05, Decision::kDiscard), 0.005);
}

}  // namespace
}  // namespace autotune
