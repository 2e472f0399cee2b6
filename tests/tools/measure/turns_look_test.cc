#include "tools/measure/turns_look.h"

#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(JudgeLooksTest, HardlyAnyRiseIsFitAtOnce) {
  EXPECT_EQ(JudgeLooks({{1.05, 1.0}}), TurnsFitness::kFit);
  EXPECT_EQ(JudgeLooks({{0.9, 0.88}}), TurnsFitness::kFit);
}

TEST(JudgeLooksTest, UnequalRisesAreNotFitThoughSmall) {
  EXPECT_EQ(JudgeLooks({{1.04, 0.98}}), TurnsFitness::kLookAgain);
}

TEST(JudgeLooksTest, ARiseIsLookedAtThreeTimes) {
  const TurnsLook some = {1.1, 1.0};
  EXPECT_EQ(JudgeLooks({some}), TurnsFitness::kLookAgain);
  EXPECT_EQ(JudgeLooks({some, some}), TurnsFitness::kLookAgain);
  EXPECT_EQ(JudgeLooks({some, some, some}), TurnsFitness::kLongTurns);
  // The median: one spoiled look does not matter.
  EXPECT_EQ(JudgeLooks({{3.0, 3.0}, {1.0, 1.0}, {1.0, 1.0}}),
            TurnsFitness::kFit);
}

TEST(JudgeLooksTest, AFifthMoreIsAnotherRegime) {
  const TurnsLook most = {1.0, 1.2};
  const TurnsLook beyond = {1.0, 1.201};
  EXPECT_EQ(JudgeLooks({most, most, most}), TurnsFitness::kLongTurns);
  EXPECT_EQ(JudgeLooks({beyond, beyond, beyond}), TurnsFitness::kUnfit);
}

TEST(LookFindingsTest, NameTheMedians) {
  EXPECT_THAT(LookFindings({}), IsEmpty());
  EXPECT_THAT(LookFindings({{1.0, 1.5}, {1.25, 1.0}, {1.125, 1.0625}}),
              ElementsAre(Pair("turns_looks", "3"),
                          Pair("turns_rise_baseline", "1.125"),
                          Pair("turns_rise_contender", "1.062")));
}

TEST(LookAtTurnsTest, RunsEachSideAloneAndBothInTurns) {
  MeasureWorld world;
  RoundSetup setup;
  setup.baseline = Worker(300);
  setup.contender = Worker(100);
  setup.expected = {{"BM_Work", 0, {}}};
  setup.filter = "^BM_Work$";
  setup.metric = {"cpu_time", Direction::kLowerIsBetter};
  setup.mode = MeasureMode::kTurns;
  setup.size = {.min_time_seconds = 0.015, .repetitions = 2};
  setup.folder = world.folder().path();
  ASSERT_OK_AND_ASSIGN(const TurnsLook look, LookAtTurns(setup, world.seams()));
  EXPECT_GT(look.baseline_rise, 0.0);
  EXPECT_GT(look.contender_rise, 0.0);
}

}  // namespace
}  // namespace autotune
