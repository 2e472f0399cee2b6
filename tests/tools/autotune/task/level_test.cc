#include "tools/autotune/task/level.h"

#include <string>

#include "tests/support/status_matchers.h"
#include "tools/autotune/measuring/calibration.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

MetricRow Row(AttemptStatus status, double rounds) {
  MetricRow row;
  row.status = status;
  row.description = "x";
  if (rounds > 0) row.metrics = {{"ratio", 0.9}, {"rounds", rounds}};
  return row;
}

TEST(LevelTest, OnlyMeasuredRowsCount) {
  MetricFile ledger;
  MetricRow baseline = Row(AttemptStatus::kKeep, 6);
  baseline.description = "baseline of x";
  MetricRow claimed = Row(AttemptStatus::kKeep, 9);
  claimed.claimed = true;
  ledger.rows = {baseline,
                 claimed,
                 Row(AttemptStatus::kKeep, 9),
                 Row(AttemptStatus::kDiscard, 9),
                 Row(AttemptStatus::kDiscard, 0),
                 Row(AttemptStatus::kCrash, 0)};
  const MeasuredCounts counts = CountMeasured(ledger);
  EXPECT_EQ(counts.decided, 2);
  EXPECT_EQ(counts.kept, 1);
}

// LOND with equal shares: fdr / horizon * (keeps + 1), at most alpha.
TEST(LevelTest, GrowsWithKeepsUpToAlpha) {
  Policy policy;
  policy.fdr = 0.10;
  policy.horizon = 10;
  MetricFile ledger;
  EXPECT_NEAR(NextLevel(policy, ledger)->alpha, 0.01, 1e-12);
  EXPECT_EQ(NextLevel(policy, ledger)->decision, 1);
  ledger.rows = {Row(AttemptStatus::kKeep, 9), Row(AttemptStatus::kDiscard, 9)};
  EXPECT_NEAR(NextLevel(policy, ledger)->alpha, 0.02, 1e-12);
  EXPECT_EQ(NextLevel(policy, ledger)->decision, 3);
  for (int i = 0; i < 6; ++i)
    ledger.rows.push_back(Row(AttemptStatus::kKeep, 9));
  EXPECT_NEAR(NextLevel(policy, ledger)->alpha, 0.05, 1e-12);
}

TEST(LevelTest, UsedUpHorizonMustBeDeclaredAnew) {
  Policy policy;
  policy.horizon = 1;
  MetricFile ledger;
  ledger.rows = {Row(AttemptStatus::kDiscard, 9)};
  const auto level = NextLevel(policy, ledger);
  EXPECT_EQ(level.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(HintText(HintOf(level.status())),
            "autotune task set policy.horizon 2");
}

TEST(LevelTest, PerDecisionIsAlwaysAlpha) {
  Policy policy;
  policy.error_control = ErrorControl::kPerDecision;
  policy.horizon = 1;
  MetricFile ledger;
  ledger.rows = {Row(AttemptStatus::kDiscard, 9), Row(AttemptStatus::kKeep, 9)};
  EXPECT_EQ(NextLevel(policy, ledger)->alpha, policy.alpha);
}

TEST(CalibrationTest, WithoutRoundsNothingIsSaid) {
  const Calibration calibration = CalibrationOf(Evidence(), Policy(), 0.05);
  EXPECT_EQ(calibration.rounds, 0);
  EXPECT_FALSE(calibration.smallest_effect.has_value());
}

}  // namespace
}  // namespace autotune
