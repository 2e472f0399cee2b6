#include "tools/autotune/task/progress.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::DoubleNear;
using testing::Optional;

// A ledger whose rows have the commits "1", "2", ...
class ProgressTest : public testing::Test {
 protected:
  MetricRow& Add(AttemptStatus status, double ratio) {
    MetricRow& row = state_.ledger.rows.emplace_back();
    row.commit = std::to_string(state_.ledger.rows.size());
    row.status = status;
    row.description = "x";
    if (ratio > 0.0) row.metrics = {{"ratio", ratio}, {"rounds", 9.0}};
    return row;
  }
  void Keep(double ratio) { Add(AttemptStatus::kKeep, ratio); }
  void Discard() { Add(AttemptStatus::kDiscard, 1.0); }
  void Crash() { Add(AttemptStatus::kCrash, 0.0); }
  void Undecided() {
    HistoryEntry& entry = history_.emplace_back();
    entry.attempt_commit = Add(AttemptStatus::kDiscard, 0.999).commit;
    entry.decision = AttemptStatus::kInconclusive;
  }
  void Harvest(double ratio) {
    MetricRow& row = Add(AttemptStatus::kKeep, ratio);
    row.description = "baseline: the task's start against its tip";
    row.metrics.emplace_back("claimed_ratio", ratio);
  }
  TaskProgress Now() const { return ProgressOf(state_, history_); }

  TaskState state_;
  std::vector<HistoryEntry> history_;
};

TEST_F(ProgressTest, PhaseMovesOnAfterThreeInARowWithoutGain) {
  EXPECT_EQ(Now().phase, Phase::kMicro);
  Discard();
  Discard();
  Crash();
  EXPECT_EQ(Now().phase, Phase::kMicro);
  EXPECT_EQ(Now().unproductive, 2);
  Keep(0.995);  // half a per cent is no gain
  EXPECT_EQ(Now().phase, Phase::kStructural);
  EXPECT_EQ(Now().unproductive, 0);
  for (int i = 0; i < 3; ++i) Discard();
  EXPECT_EQ(Now().phase, Phase::kArchitectural);
  for (int i = 0; i < 5; ++i) Discard();
  EXPECT_EQ(Now().phase, Phase::kArchitectural);
}

TEST_F(ProgressTest, AKeepOfOnePerCentResetsTheCountAndNotThePhase) {
  Discard();
  Discard();
  Keep(0.98);
  Discard();
  Discard();
  EXPECT_EQ(Now().phase, Phase::kMicro);
  Discard();
  EXPECT_EQ(Now().phase, Phase::kStructural);
  Keep(0.5);
  EXPECT_EQ(Now().phase, Phase::kStructural);
}

TEST_F(ProgressTest, InconclusiveOnesDoNotMoveThePhase) {
  Discard();
  Discard();
  for (int i = 0; i < 3; ++i) Undecided();
  EXPECT_EQ(Now().phase, Phase::kMicro);
  EXPECT_EQ(Now().unproductive, 2);
  EXPECT_EQ(Now().undecided, 3);
  Discard();
  EXPECT_EQ(Now().undecided, 0);
  EXPECT_EQ(Now().phase, Phase::kStructural);
}

TEST_F(ProgressTest, ThreeUndecidedAskForALongerBudgetOnce) {
  TaskProgress progress;
  Policy policy;
  policy.budget_seconds = 100.0;
  progress.undecided = 2;
  progress.undecided_seconds = 100.0;
  EXPECT_FALSE(BudgetIsTooShort(progress, policy));
  progress.undecided = 3;
  EXPECT_TRUE(BudgetIsTooShort(progress, policy));
  policy.budget_seconds = 200.0;
  EXPECT_FALSE(BudgetIsTooShort(progress, policy));
}

TEST_F(ProgressTest, ForHigherIsBetterALargerRatioIsAGain) {
  state_.settings.policy.metric = "items_per_second";
  for (int i = 0; i < 2; ++i) Discard();
  Keep(1.25);
  EXPECT_EQ(Now().unproductive, 0);
  Keep(0.9);
  EXPECT_EQ(Now().unproductive, 1);
  EXPECT_NEAR(GainOf(1.25, state_.settings.policy), 0.2, 1e-12);
}

TEST_F(ProgressTest, GainsAreClaimedByKeepsAndMeasuredByHarvests) {
  Keep(0.8);
  Keep(0.5);
  EXPECT_THAT(Now().claimed_ratio, DoubleNear(0.4, 1e-12));
  EXPECT_EQ(Now().measured_ratio, std::nullopt);
  Harvest(0.45);
  EXPECT_THAT(Now().measured_ratio, Optional(0.45));
  // The second keep was taken out again.
  Add(AttemptStatus::kDiscard, 0.0).commit = "2";
  EXPECT_THAT(Now().claimed_ratio, DoubleNear(0.8, 1e-12));
  EXPECT_EQ(Now().kept, 2);
  EXPECT_THAT(ClaimedRatio(state_.ledger, 1), DoubleNear(1.0, 1e-12));
}

TEST_F(ProgressTest, HarvestIsDueAfterTenKeepsOrWithTheNextPhase) {
  for (int i = 0; i < 9; ++i) Keep(0.9);
  EXPECT_FALSE(HarvestIsDue(Now()));
  Keep(0.9);
  EXPECT_TRUE(HarvestIsDue(Now()));
  Harvest(0.4);
  EXPECT_FALSE(HarvestIsDue(Now()));
  Keep(0.9);
  for (int i = 0; i < 3; ++i) Discard();
  EXPECT_TRUE(HarvestIsDue(Now()));
  Harvest(0.3);
  for (int i = 0; i < 3; ++i) Discard();
  // The phase moved, but there is nothing new to measure.
  EXPECT_FALSE(HarvestIsDue(Now()));
}

}  // namespace
}  // namespace autotune
