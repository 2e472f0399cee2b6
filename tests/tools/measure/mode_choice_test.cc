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
  EXPECT_EQ(choice.turn, absl::Milliseconds(20));
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
}

TEST(ChooseModeTest, AModeThatCannotMeasureTheMetricIsRefused) {
  EXPECT_THAT(
      ChooseMode(MeasureMode::kDuet, SetupFor("hits"), PilotWithThreads(1)),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "mode duet: measures cpu_time only, got metric hits: "
               "use mode alternate"));
}

}  // namespace
}  // namespace autotune
