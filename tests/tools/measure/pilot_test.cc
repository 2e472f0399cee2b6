#include "tools/measure/pilot.h"

#include <sys/stat.h>

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

using testing::Contains;

RoundSetup SetupIn(const MeasureWorld& world) {
  RoundSetup setup;
  setup.baseline = Worker(100);
  setup.contender = Worker(200);
  setup.folder = world.folder().path();
  return setup;
}

TEST(RunPilotTest, LearnsTheBenchmarksOfBothFilters) {
  MeasureWorld world;
  ASSERT_OK_AND_ASSIGN(
      const Pilot pilot,
      RunPilot(SetupIn(world), {"^BM_Work$", "BM_(Work|Steady)$"},
               world.seams()));
  ASSERT_EQ(pilot.targets.size(), 1U);
  EXPECT_EQ(pilot.targets[0].name, "BM_Work");
  EXPECT_EQ(pilot.targets[0].rows, 1);
  EXPECT_GT(pilot.targets[0].iteration_seconds, 0.0);
  EXPECT_THAT(pilot.targets[0].counters, Contains("items_per_second"));
  ASSERT_EQ(pilot.others.size(), 1U);
  EXPECT_EQ(pilot.others[0].name, "BM_Steady");
  EXPECT_GT(pilot.overhead_seconds, 0.0);
  EXPECT_FALSE(pilot.in_place);
}

TEST(RunPilotTest, SeesRepetitionsThatTheCodeSets) {
  MeasureWorld world;
  ASSERT_OK_AND_ASSIGN(
      const Pilot pilot,
      RunPilot(SetupIn(world), {"^BM_Published", ""}, world.seams()));
  ASSERT_EQ(pilot.targets.size(), 1U);
  EXPECT_EQ(pilot.targets[0].rows, 0);  // aggregates only
  EXPECT_GT(pilot.targets[0].iteration_seconds, 0.0);
}

TEST(RunPilotTest, AProgramThatOnlyWorksWhereItIsRunsInPlace) {
  MeasureWorld world;
  const std::string wrapper = world.folder().Join("wrapper");
  ASSERT_OK(world.files().WriteFile(
      wrapper,
      "#!/bin/sh\n[ -e \"$(dirname \"$0\")/beside\" ] || exit 1\n"
      "exec '" MEASURED_PROGRAM "' \"$@\"\n"));
  ASSERT_EQ(chmod(wrapper.c_str(), 0755), 0);
  ASSERT_OK(world.files().WriteFile(world.folder().Join("beside"), ""));
  RoundSetup setup = SetupIn(world);
  setup.baseline.program = wrapper;
  setup.folder = world.folder().Join("run");
  ASSERT_OK(world.files().MakeDirectories(setup.folder));
  ASSERT_OK_AND_ASSIGN(const Pilot pilot,
                       RunPilot(setup, {"^BM_Work$", ""}, world.seams()));
  EXPECT_TRUE(pilot.in_place);
}

Pilot OneBenchmark(double iteration_seconds, double overhead_seconds) {
  Pilot pilot;
  pilot.targets.resize(1);
  pilot.targets[0].iteration_seconds = iteration_seconds;
  pilot.overhead_seconds = overhead_seconds;
  return pilot;
}

TEST(ChooseVisitSizeTest, FillsTheVisitWithShortRepetitions) {
  const VisitSize size =
      ChooseVisitSize(OneBenchmark(1e-6, 0.01), MeasureMode::kTurns,
                      absl::Milliseconds(20), 0.25);
  EXPECT_DOUBLE_EQ(size.min_time_seconds, 0.015);
  EXPECT_EQ(size.repetitions, 12);  // 0.25 / (1.4 * 0.015), rounded
}

TEST(ChooseVisitSizeTest, ABusyMachineGetsOneLongRepetition) {
  Pilot pilot = OneBenchmark(1e-6, 0.01);
  pilot.contention = 3.0;
  const VisitSize size =
      ChooseVisitSize(pilot, MeasureMode::kTurns, absl::Milliseconds(20), 0.25);
  EXPECT_DOUBLE_EQ(size.min_time_seconds, 0.25 / 1.8);
  EXPECT_EQ(size.repetitions, 1);
}

TEST(ChooseVisitSizeTest, SlowBenchmarksAreRepeatedOnce) {
  const VisitSize size =
      ChooseVisitSize(OneBenchmark(2.0, 0.01), MeasureMode::kAlternate,
                      absl::Milliseconds(20), 0.25);
  EXPECT_EQ(size.repetitions, 1);
}

// sqrt(S k W / B) with S the set-up without a search of 4 ms a benchmark and W
// / B 30 ms.
TEST(SecondsToMeasureTest, IsTheBestTradeOfSetUpAgainstNoise) {
  EXPECT_NEAR(SecondsToMeasure(OneBenchmark(1e-6, 3.004), 0.06, 100.0),
              std::sqrt(3.0 * 0.03), 1e-12);
  Pilot pilot = OneBenchmark(1e-6, 8.2);
  pilot.targets.resize(50, pilot.targets[0]);
  EXPECT_NEAR(SecondsToMeasure(pilot, 0.06, 100.0), std::sqrt(8.0 * 50 * 0.03),
              1e-12);
}

TEST(SecondsToMeasureTest, CheapSetUpLeavesTheUsualVisit) {
  EXPECT_EQ(SecondsToMeasure(OneBenchmark(1e-6, 0.01), 0.06, 100.0), 0.06);
}

TEST(SecondsToMeasureTest, TheBudgetBoundsTheWholeVisit) {
  Pilot pilot = OneBenchmark(1e-6, 8.2);
  pilot.targets.resize(50, pilot.targets[0]);
  EXPECT_NEAR(SecondsToMeasure(pilot, 0.06, 10.0), 2.0, 1e-12);
  // Not below a tenth of the set-up, which saves nothing.
  EXPECT_NEAR(SecondsToMeasure(pilot, 0.06, 8.0), 0.8, 1e-12);
}

TEST(SecondsToMeasureTest, ASetUpThatSleepsIsOneToo) {
  Pilot pilot = OneBenchmark(1e-6, 0.004);
  pilot.waiting_seconds = 3.0;
  EXPECT_NEAR(SecondsToMeasure(pilot, 0.06, 100.0), std::sqrt(3.0 * 0.03),
              1e-12);
}

TEST(ChooseVisitSizeTest, ManyBenchmarksShareTheVisit) {
  Pilot pilot = OneBenchmark(1e-6, 0.0);
  pilot.targets.resize(20, pilot.targets[0]);
  const VisitSize size = ChooseVisitSize(pilot, MeasureMode::kAlternate,
                                         absl::Milliseconds(20), 0.25);
  EXPECT_EQ(size.repetitions, 1);
  EXPECT_NEAR(size.min_time_seconds, 0.008, 1e-12);
}

TEST(ChooseVisitSizeTest, InTurnsTheSearchLimitStaysAboveTwoTurns) {
  Pilot pilot = OneBenchmark(1e-6, 0.0);
  pilot.targets.resize(200, pilot.targets[0]);
  const VisitSize turns =
      ChooseVisitSize(pilot, MeasureMode::kTurns, absl::Milliseconds(20), 0.25);
  EXPECT_GT(5 * turns.min_time_seconds, 2 * 0.020);
  const VisitSize alternate = ChooseVisitSize(pilot, MeasureMode::kAlternate,
                                              absl::Milliseconds(20), 0.25);
  EXPECT_EQ(alternate.min_time_seconds, 0.002);
}

TEST(ChooseVisitSizeTest, TimeSetByTheCodeIsTakenAsItIs) {
  Pilot pilot = OneBenchmark(1e-6, 0.0);
  pilot.targets[0].measured_seconds = 0.5;  // MinTime(0.5)
  const VisitSize size = ChooseVisitSize(pilot, MeasureMode::kAlternate,
                                         absl::Milliseconds(20), 0.25);
  EXPECT_EQ(size.repetitions, 1);
}

}  // namespace
}  // namespace autotune
