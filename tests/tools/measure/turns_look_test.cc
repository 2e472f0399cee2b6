#include "tools/measure/turns_look.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// A look at sides that take 100 ns alone and these factors of it in turns.
TurnsLook LookOf(double baseline_rise, double contender_rise) {
  const double alone = std::log(100.0);
  const auto side = [alone](double rise) {
    const double in_turns = alone + std::log(rise);
    return SideLook{{alone, alone}, {in_turns, in_turns}};
  };
  return {side(baseline_rise), side(contender_rise)};
}

std::vector<TurnsLook> Looks(std::size_t count, const TurnsLook& look) {
  return std::vector<TurnsLook>(count, look);
}

TEST(JudgeLooksTest, HardlyAnyRiseIsFitAtOnce) {
  EXPECT_EQ(JudgeLooks({LookOf(1.049, 1.0)}), TurnsFitness::kFit);
  EXPECT_EQ(JudgeLooks({LookOf(0.8, 1.0)}), TurnsFitness::kFit)
      << "turns make nothing faster: that was noise";
}

TEST(JudgeLooksTest, ARiseIsLookedAtFiveTimes) {
  const TurnsLook some = LookOf(1.1, 1.0);
  EXPECT_EQ(JudgeLooks({some}), TurnsFitness::kLookAgain);
  EXPECT_EQ(JudgeLooks(Looks(4, some)), TurnsFitness::kLookAgain);
  EXPECT_EQ(JudgeLooks(Looks(5, some)), TurnsFitness::kLongTurns);
}

TEST(JudgeLooksTest, TheLeastCountsSinceOtherProgramsOnlyAdd) {
  EXPECT_EQ(JudgeLooks({LookOf(3.0, 3.0), LookOf(1.0, 1.04)}),
            TurnsFitness::kFit);
}

// Turns four times as long lose a quarter: 1.8 becomes 1.2.
// A machine that is twice as slow for most of the time: repetitions cut into
// turns never were all fast, yet the visits as a whole fare alike.
TEST(JudgeLooksTest, AMachineOfTwoSpeedsIsNotTakenForTheTurnsCost) {
  TurnsLook look = LookOf(1.02, 1.02);
  look.baseline.in_turns.log_least = look.contender.in_turns.log_least =
      std::log(195.0);
  EXPECT_EQ(JudgeLooks(Looks(5, look)), TurnsFitness::kFit);
  look.contender.in_turns.log_value = std::log(200.0);
  EXPECT_EQ(JudgeLooks(Looks(5, look)), TurnsFitness::kUnfit);
  EXPECT_DOUBLE_EQ(RiseOf(Looks(5, look), &TurnsLook::contender), 1.95);
}

TEST(RiseOfTest, TheMedianLookCounts) {
  TurnsLook slow = LookOf(1.9, 1.0);
  TurnsLook usual = LookOf(1.1, 1.0);
  slow.baseline.in_turns.log_least = usual.baseline.in_turns.log_least =
      std::log(190.0);
  EXPECT_DOUBLE_EQ(RiseOf({usual, slow, usual}, &TurnsLook::baseline), 1.1);
  EXPECT_DOUBLE_EQ(RiseOf({slow, slow, usual}, &TurnsLook::baseline), 1.9);
}

TEST(JudgeLooksTest, WhatWouldLoseAFifthInLongTurnsIsInAnotherRegime) {
  const TurnsLook most = LookOf(1.0, 1.799);
  const TurnsLook beyond = LookOf(1.0, 1.801);
  EXPECT_EQ(JudgeLooks(Looks(5, most)), TurnsFitness::kLongTurns);
  EXPECT_EQ(JudgeLooks(Looks(5, beyond)), TurnsFitness::kUnfit);
}

TEST(LookFindingsTest, NameTheRises) {
  EXPECT_THAT(LookFindings({}), IsEmpty());
  EXPECT_THAT(LookFindings({LookOf(1.2, 1.5), LookOf(1.1, 0.9)}),
              ElementsAre(Pair("turns_looks", "2"),
                          Pair("turns_rise_baseline", "1.100"),
                          Pair("turns_rise_contender", "1.000")));
}

TEST(LookAtTurnsTest, RunsEachSideAloneAndBothInTurns) {
  MeasureWorld world;
  RoundSetup setup;
  setup.baseline = Worker(3000);
  setup.contender = Worker(100);
  setup.expected = {{"BM_Work", std::nullopt, {}}};
  setup.filter = "^BM_Work$";
  setup.metric = {"cpu_time", Direction::kLowerIsBetter};
  setup.mode = MeasureMode::kTurns;
  setup.size = {.min_time_seconds = 0.015, .repetitions = 2};
  setup.folder = world.folder().path();
  ASSERT_OK_AND_ASSIGN(const TurnsLook look,
                       LookAtTurns(setup, std::nullopt, world.seams()));
  EXPECT_GT(look.baseline.alone.log_least, look.contender.alone.log_least);
  EXPECT_GT(look.baseline.in_turns.log_least,
            look.contender.in_turns.log_least);
  ASSERT_OK_AND_ASSIGN(
      const TurnsLook next,
      LookAtTurns(setup, AloneLook{{1.5, 1.6}, {2.5, 2.6}}, world.seams()));
  EXPECT_EQ(next.baseline.alone.log_least, 1.5);
  EXPECT_EQ(next.contender.alone.log_value, 2.6);
  EXPECT_GT(next.baseline.in_turns.log_least,
            next.contender.in_turns.log_least);
}

TEST(AloneInPilotTest, IsTheMeanLogOfTheTargets) {
  RoundSetup setup;
  setup.expected = {{"BM_A", std::nullopt, {}}, {"BM_B", std::nullopt, {}}};
  Pilot pilot;
  pilot.baseline.least_cpu_ns = {{"BM_A", 4.0}, {"BM_B", 9.0}, {"BM_C", 1.0}};
  pilot.contender.least_cpu_ns = {{"BM_A", 2.0}, {"BM_B", 2.0}};
  const std::optional<AloneLook> alone = AloneInPilot(setup, pilot);
  ASSERT_TRUE(alone.has_value());
  EXPECT_DOUBLE_EQ(alone->baseline.log_least, std::log(6.0));
  EXPECT_DOUBLE_EQ(alone->contender.log_value, std::log(2.0));
}

TEST(AloneInPilotTest, IsUnknownWhenThePilotMissedSomethingJudged) {
  RoundSetup setup;
  Pilot pilot;
  pilot.baseline.least_cpu_ns = {{"BM_A", 4.0}};
  pilot.contender.least_cpu_ns = {{"BM_A", 2.0}};
  EXPECT_FALSE(AloneInPilot(setup, pilot).has_value());
  setup.expected = {{"BM_A", std::nullopt, {}}};
  EXPECT_TRUE(AloneInPilot(setup, pilot).has_value());
  setup.expected = {{"BM_A", 0, {"hits"}}};
  EXPECT_FALSE(AloneInPilot(setup, pilot).has_value());
  setup.expected = {{"BM_A", std::nullopt, {}}, {"BM_Guard", std::nullopt, {}}};
  EXPECT_FALSE(AloneInPilot(setup, pilot).has_value());
}

}  // namespace
}  // namespace autotune
