#include "tools/measure/budget_check.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(ExpectedRoundSecondsTest, AddsBothSidesSetUpAndRepetitions) {
  Preparation prepared;
  prepared.pilot.targets.resize(3);
  for (PilotBenchmark& benchmark : prepared.pilot.targets) {
    benchmark.iteration_seconds = 0.5;  // longer than any min_time
  }
  prepared.pilot.overhead_seconds = 0.25;
  prepared.setup.size = {.min_time_seconds = 0.002, .repetitions = 2};
  EXPECT_DOUBLE_EQ(ExpectedRoundSeconds(prepared), 2 * (0.25 + 3 * 2 * 0.5));
  prepared.pilot.contention = 2.0;
  EXPECT_DOUBLE_EQ(ExpectedRoundSeconds(prepared), 4 * (0.25 + 3 * 2 * 0.5));
}

TEST(CostNoteTest, SaysWhatADecisionTakesAtLeast) {
  Preparation prepared;
  prepared.pilot.targets.resize(1);
  prepared.pilot.targets[0].iteration_seconds = 0.5;
  prepared.pilot.overhead_seconds = 8.0;
  prepared.setup.size = {.min_time_seconds = 0.002, .repetitions = 1};
  EXPECT_EQ(CostNote(prepared),
            "a round takes about 17 s, a decision 5 rounds or more: at least "
            "85 s");
  prepared.setup.mode = MeasureMode::kTurns;
  prepared.evidence.settings.alpha = 0.01;
  EXPECT_EQ(CostNote(prepared),
            "a round takes about 17 s, a decision 7 rounds or more and as many "
            "to check it: at least 238 s");
}

TEST(BudgetWarningTest, NamesWhatIsNeeded) {
  Evidence evidence;
  evidence.policy.budget_seconds = 60;
  evidence.settings.alpha = 0.05;
  evidence.settings.targets.assign(40, "BM");
  EXPECT_EQ(BudgetWarning(evidence, 12.0), "");
  EXPECT_EQ(BudgetWarning(evidence, 14.0),
            "a round of 40 benchmarks and guards takes about 14 s and a "
            "decision at least 5 rounds, more than the budget of 60 s: give it "
            "105 s or more, or fewer benchmarks");
}

}  // namespace
}  // namespace autotune
