#include "tools/measure/round_loop.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "comparator/evidence/cross_check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/scripted_visits.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

double Milliseconds(const RoundSetup& setup) {
  return absl::ToDoubleMilliseconds(setup.turn);
}

// `y` alone, and the turns' own `bias` at 5 ms, which falls as 1 / turn.
ScriptedVisits::Script Biased(double y, double bias) {
  return [=](const std::string&, const RoundSetup& setup) {
    return setup.mode == MeasureMode::kTurns
               ? y + bias * 5.0 / Milliseconds(setup)
               : y;
  };
}

int CountRounds(const Evidence& evidence, RoundUse use) {
  return static_cast<int>(std::count_if(
      evidence.rounds.begin(), evidence.rounds.end(),
      [use](const RoundEvidence& round) { return round.use == use; }));
}

TEST(RoundLoopTest, AKeepIsConfirmedByPairsAndByAlternateRounds) {
  ScriptedVisits visits(Biased(0.05, 0.0));
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  EXPECT_EQ(CountRounds(evidence, RoundUse::kCounts), 5);
  EXPECT_EQ(CountRounds(evidence, RoundUse::kBiasCheck), 5);
  EXPECT_EQ(CountRounds(evidence, RoundUse::kConfirmation), 2);
  ASSERT_EQ(evidence.bias.size(), 1U);
  EXPECT_EQ(evidence.bias[0].freed, Decision::kKeep);
  EXPECT_THAT(visits.notes(),
              ElementsAre("turns of 5 ms favour the contender by an estimated "
                          "0.00 % (error 0.00 %)"));
  EXPECT_OK(VerifyEvidence(evidence));
}

// Long enough to hold the kernel's account against the program's, where the
// visits that count are not.
TEST(RoundLoopTest, VisitsThatConfirmAreLongerThanThoseThatCount) {
  std::int64_t counting = 0;
  std::int64_t confirming = 0;
  ScriptedVisits visits([&](const std::string&, const RoundSetup& setup) {
    const bool confirms = setup.mode == MeasureMode::kAlternate;
    std::int64_t& most = confirms ? confirming : counting;
    most = std::max(most, setup.size.repetitions);
    return 0.05;
  });
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  const double length = ConfirmationLength(evidence);
  EXPECT_GT(length, 1.5);
  EXPECT_EQ(confirming,
            std::llround(std::ceil(static_cast<double>(counting) * length)));
}

TEST(RoundLoopTest, AlternateRoundsHaveNoTurnsToCheck) {
  ScriptedVisits visits(Biased(0.05, 1.0));
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       visits.Run({"BM_A"}, MeasureMode::kAlternate));
  EXPECT_EQ(evidence.decision, Decision::kKeep);
  EXPECT_EQ(evidence.rounds.size(), 5U);
  EXPECT_THAT(evidence.bias, IsEmpty());
}

// Nothing changed, but turns of 5 ms favour the contender by 4 %: those of 20
// ms by 1 %, those of 100 ms by 0.2 %.
TEST(RoundLoopTest, AKeepThatTheTurnsMadeIsSettledInLongerOnes) {
  ScriptedVisits visits(Biased(0.0, 0.04));
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kDiscard) << evidence.reason;
  EXPECT_EQ(evidence.turn_seconds, 0.1);
  ASSERT_EQ(evidence.bias.size(), 3U);
  EXPECT_EQ(evidence.bias[0].decided, Decision::kKeep);
  EXPECT_EQ(evidence.bias[0].freed, Decision::kDiscard);
  EXPECT_NEAR(evidence.bias[0].estimate->bias, 0.04, 1e-9);
  EXPECT_DOUBLE_EQ(evidence.settings.alpha, 0.0025);
  EXPECT_DOUBLE_EQ(evidence.settings.beta, 0.005);
  EXPECT_GT(CountRounds(evidence, RoundUse::kSettled), 0);
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RoundLoopTest, ADiscardThatTheTurnsMadeIsSettledInLongerOnes) {
  ScriptedVisits visits(Biased(0.06, -0.1));
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  EXPECT_EQ(evidence.bias[0].decided, Decision::kDiscard);
  EXPECT_GT(evidence.turn_seconds, 0.005);
  EXPECT_OK(VerifyEvidence(evidence));
}

// A mode asked for stays: the run is inconclusive.
TEST(RoundLoopTest, WithoutLongerTurnsABiasedDecisionDoesNotStand) {
  ScriptedVisits visits(Biased(0.0, 0.04));
  visits.plan().policy.mode = MeasureMode::kTurns;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kInconclusive);
  EXPECT_EQ(evidence.reason,
            "bias: turns of 5 ms favour the contender by an estimated 4.00 % "
            "(error 0.00 %), and 4 pairs of rounds in turns of 5 ms and 0.5 ms "
            "show the opposite without it");
  EXPECT_EQ(evidence.downgrade, evidence.reason);
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RoundLoopTest, AFixedNumberOfRoundsIsCheckedToo) {
  ScriptedVisits visits(Biased(0.0, 0.04));
  visits.plan().fixed_rounds = 12;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kInconclusive);
  EXPECT_EQ(CountRounds(evidence, RoundUse::kCounts), 12);
  EXPECT_EQ(evidence.reason.substr(0, 5), "bias:");
}

// One of two benchmarks regressed by 4 % in turns alone.
TEST(RoundLoopTest, AGatesRegressionByTheTurnsAloneIsNone) {
  ScriptedVisits visits([](const std::string& name, const RoundSetup& setup) {
    return name == "BM_A" ? -0.04 * 5.0 / Milliseconds(setup) : 0.0;
  });
  visits.plan().policy.kind = PolicyKind::kGate;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A", "BM_B"}));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  EXPECT_EQ(evidence.bias[0].decided, Decision::kDiscard);
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RoundLoopTest, AlternateRoundsThatAllContradictAKeepHoldItBack) {
  ScriptedVisits visits([](const std::string&, const RoundSetup& setup) {
    return setup.mode == MeasureMode::kAlternate ? -0.02 : 0.05;
  });
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, visits.Run({"BM_A"}));
  EXPECT_EQ(evidence.decision, Decision::kInconclusive);
  EXPECT_EQ(CountRounds(evidence, RoundUse::kConfirmation), 8);
  EXPECT_EQ(evidence.reason,
            "contradicted: in 8 rounds of one visit after the other the "
            "contender was worse");
}

}  // namespace
}  // namespace autotune
