#include "tools/measure/mode_choice.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

RoundSetup SetupFor(const std::string& metric) {
  RoundSetup setup;
  setup.metric = {metric, Direction::kLowerIsBetter};
  return setup;
}

Pilot PilotWithThreads(std::int64_t threads) {
  Pilot pilot;
  pilot.baseline.threads = 1;
  pilot.contender.threads = threads;
  pilot.targets.resize(1);
  return pilot;
}

TEST(ChooseModeTest, AutoTakesTurnsForOneThreadsCpuTime) {
  ASSERT_OK_AND_ASSIGN(const ModeChoice choice,
                       ChooseMode(MeasureMode::kAuto, SetupFor("cpu_time"),
                                  PilotWithThreads(1)));
  EXPECT_EQ(choice.mode, MeasureMode::kTurns);
  EXPECT_EQ(choice.turn, absl::Milliseconds(5));
  EXPECT_TRUE(choice.look);
}

TEST(ChooseModeTest, AutoAlternatesForOtherMetricsAndForThreads) {
  ASSERT_OK_AND_ASSIGN(ModeChoice choice,
                       ChooseMode(MeasureMode::kAuto, SetupFor("real_time"),
                                  PilotWithThreads(1)));
  EXPECT_EQ(choice.mode, MeasureMode::kAlternate);
  EXPECT_EQ(choice.why, "the metric is real_time");
  EXPECT_FALSE(choice.pin);
  ASSERT_OK_AND_ASSIGN(choice,
                       ChooseMode(MeasureMode::kAuto, SetupFor("cpu_time"),
                                  PilotWithThreads(2)));
  EXPECT_EQ(choice.mode, MeasureMode::kAlternate);
  EXPECT_EQ(choice.why, "the programs use several threads");
  EXPECT_FALSE(choice.pin);
}

TEST(ChooseModeTest, WhatWasAskedForIsTaken) {
  ASSERT_OK_AND_ASSIGN(const ModeChoice alternate,
                       ChooseMode(MeasureMode::kAlternate, SetupFor("cpu_time"),
                                  PilotWithThreads(1)));
  EXPECT_EQ(alternate.mode, MeasureMode::kAlternate);
  EXPECT_TRUE(alternate.pin);
  ASSERT_OK_AND_ASSIGN(const ModeChoice duet,
                       ChooseMode(MeasureMode::kDuet, SetupFor("cpu_time"),
                                  PilotWithThreads(1)));
  EXPECT_EQ(duet.mode, MeasureMode::kDuet);
  ASSERT_OK_AND_ASSIGN(const ModeChoice turns,
                       ChooseMode(MeasureMode::kTurns, SetupFor("cpu_time"),
                                  PilotWithThreads(1)));
  EXPECT_EQ(turns.mode, MeasureMode::kTurns);
  EXPECT_EQ(turns.turn, absl::Milliseconds(20)) << "nobody looked";
}

TEST(ChooseModeTest, AModeThatCannotMeasureTheMetricIsRefused) {
  EXPECT_THAT(
      ChooseMode(MeasureMode::kDuet, SetupFor("hits"), PilotWithThreads(1)),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "mode duet: measures cpu_time only, got metric hits: "
               "use mode alternate"));
}

Pilot BusyPilot(std::int64_t voluntary_switches, double system_seconds) {
  Pilot pilot = PilotWithThreads(1);
  pilot.contender.cpu_seconds = 0.1;
  pilot.contender.counted_cpu_seconds = 0.09;
  pilot.contender.voluntary_switches = voluntary_switches;
  pilot.contender.system_seconds = system_seconds;
  return pilot;
}

TEST(ChooseModeTest, AutoAlternatesForWaitingAndForTheKernelsWork) {
  const auto chosen = [](const Pilot& pilot) {
    return *ChooseMode(MeasureMode::kAuto, SetupFor("cpu_time"), pilot);
  };
  EXPECT_EQ(chosen(BusyPilot(20, 0.04)).mode, MeasureMode::kTurns);
  EXPECT_TRUE(chosen(BusyPilot(20, 0.04)).look);
  EXPECT_EQ(chosen(BusyPilot(21, 0.0)).why,
            "the benchmark waits (I/O, locks, timers)");
  EXPECT_EQ(chosen(BusyPilot(0, 0.041)).why,
            "the benchmark spends its time in system calls");
  // Memory that a long set-up asks the kernel for says nothing of the rest.
  Pilot set_up = BusyPilot(0, 0.041);
  set_up.contender.counted_cpu_seconds = 0.08;
  EXPECT_EQ(chosen(set_up).mode, MeasureMode::kTurns);
}

TEST(AfterLookingTest, UnfitTurnsBecomeAlternate) {
  ModeChoice turns;
  turns.mode = MeasureMode::kTurns;
  turns.turn = absl::Milliseconds(5);
  turns.why = "one thread, cpu_time";
  const ModeChoice unfit = AfterLooking(turns, TurnsFitness::kUnfit);
  EXPECT_EQ(unfit.mode, MeasureMode::kAlternate);
  EXPECT_TRUE(unfit.pin);
  EXPECT_EQ(unfit.why, "in turns the benchmark is in another regime");
  const ModeChoice longer = AfterLooking(turns, TurnsFitness::kLongTurns);
  EXPECT_EQ(longer.turn, absl::Milliseconds(20));
  EXPECT_EQ(longer.why,
            "one thread, cpu_time, longer turns for what they cost");
  EXPECT_EQ(AfterLooking(turns, TurnsFitness::kFit).turn,
            absl::Milliseconds(5));
}

TEST(NextTurnTest, ClimbsToTheLongest) {
  EXPECT_EQ(NextTurn(absl::Milliseconds(5)), absl::Milliseconds(20));
  EXPECT_EQ(NextTurn(absl::Milliseconds(20)), absl::Milliseconds(100));
  EXPECT_EQ(NextTurn(absl::Milliseconds(100)), absl::Milliseconds(100));
}

TEST(WithinBudgetTest, FewRoundsAreMadeOneAfterTheOther) {
  ModeChoice looking;
  looking.mode = MeasureMode::kTurns;
  looking.look = true;
  EXPECT_EQ(WithinBudget(looking, 2.0, 42.0).mode, MeasureMode::kTurns);
  const ModeChoice few = WithinBudget(looking, 2.0, 41.0);
  EXPECT_EQ(few.mode, MeasureMode::kAlternate);
  EXPECT_EQ(few.why, "the budget holds few rounds");
  EXPECT_TRUE(few.pin);
  EXPECT_FALSE(few.look);
  // What was asked for, or goes on, is not looked at again.
  looking.look = false;
  EXPECT_EQ(WithinBudget(looking, 2.0, 1.0).mode, MeasureMode::kTurns);
}

TEST(VisitSecondsForTest, AVisitHoldsThreeTurns) {
  RoundSetup setup;
  setup.mode = MeasureMode::kTurns;
  setup.turn = absl::Milliseconds(50);
  EXPECT_NEAR(VisitSecondsFor(setup, 0.1), 0.15, 1e-15);
  EXPECT_EQ(VisitSecondsFor(setup, 0.3), 0.3);
  setup.mode = MeasureMode::kAlternate;
  EXPECT_EQ(VisitSecondsFor(setup, 0.1), 0.1);
}

}  // namespace
}  // namespace autotune
