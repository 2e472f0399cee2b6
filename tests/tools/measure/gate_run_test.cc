// Gates of several benchmarks on real processes: what is decided is measured no
// more. Decided on a counter, so that no noise changes anything.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> NamesIn(const VisitEvidence& visit) {
  std::vector<std::string> names;
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    names.push_back(benchmark.name);
  }
  return names;
}

// BM_Steady does the same on both sides, BM_Work is worse by a little less than
// its margin: it takes many rounds to prove that.
RunPlan GatePlan() {
  RunPlan plan = QuickPlan(Worker(1000), Worker(1018));
  plan.target_filter = "^BM_(Work|Steady)$";
  plan.policy.kind = PolicyKind::kGate;
  return plan;
}

TEST(GateRunTest, LaterRoundsMeasureOnlyTheUndecided) {
  MeasureWorld world;
  RecordingObserver observer;
  RunPlan plan = GatePlan();
  plan.policy.max_rounds = 9;
  plan.journal_path = world.folder().Join("evidence.json");
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan, world.seams(), observer));
  ASSERT_EQ(evidence.rounds.size(), 9U);
  EXPECT_EQ(evidence.decision, Decision::kInconclusive);
  EXPECT_EQ(evidence.reason, "BM_Work is not proven within 2 % (alpha 0.05)");
  EXPECT_THAT(NamesIn(evidence.rounds.front().baseline),
              ElementsAre("BM_Work", "BM_Steady"));
  EXPECT_THAT(NamesIn(evidence.rounds.back().baseline), ElementsAre("BM_Work"));
  EXPECT_THAT(NamesIn(evidence.rounds.back().contender),
              ElementsAre("BM_Work"));
  EXPECT_EQ(evidence.targets[1].verdict, Verdict::kEquivalent);
  EXPECT_LT(evidence.targets[1].rounds, 9U);
  EXPECT_OK(VerifyEvidence(evidence));

  // Continued with the undecided one only.
  plan.resume = true;
  plan.policy.max_rounds = 2;
  ASSERT_OK_AND_ASSIGN(const Evidence more,
                       RunInterleaved(plan, world.seams(), observer));
  ASSERT_EQ(more.rounds.size(), 11U);
  EXPECT_THAT(NamesIn(more.rounds.back().baseline), ElementsAre("BM_Work"));
  EXPECT_EQ(more.targets[1].rounds, evidence.targets[1].rounds);
  EXPECT_EQ(more.targets[1].log_e_keep, evidence.targets[1].log_e_keep);
  EXPECT_OK(VerifyEvidence(more));
}

// "units" grows to the double.
TEST(GateRunTest, AWaiverThatHoldsRaisesTheMargin) {
  RunPlan plan = QuickPlan(Worker(100), Worker(200));
  plan.policy.kind = PolicyKind::kGate;
  plan.policy.waivers = {
      {"BM_Work", 1.5, "2999-12-31", "needs the new parser"}};
  MeasureWorld world;
  RecordingObserver observer;
  ASSERT_OK_AND_ASSIGN(const Evidence passed,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(passed.decision, Decision::kKeep);
  EXPECT_EQ(passed.targets[0].margin, 1.5);
  EXPECT_EQ(passed.targets[0].waiver,
            "up to 150 % through 2999-12-31: needs the new parser");
  EXPECT_OK(VerifyEvidence(passed));
  plan.policy.waivers[0].until = "2026-01-31";
  ASSERT_OK_AND_ASSIGN(const Evidence expired,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(expired.decision, Decision::kDiscard);
  EXPECT_EQ(expired.targets[0].waiver, "");
  EXPECT_THAT(expired.warnings,
              Contains("the waiver of BM_Work expired on 2026-01-31"));
}

TEST(GateRunTest, ABudgetBelowARoundIsSaidBeforeAndAfterAndEndsTheRun) {
  MeasureWorld world;
  RecordingObserver observer;
  RunPlan plan = GatePlan();
  plan.policy.budget_seconds = 1e-3;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(evidence.rounds.size(), 1U);
  EXPECT_EQ(evidence.decision, Decision::kInconclusive);
  const auto too_small = HasSubstr(", more than the budget of 0.0 s: give it ");
  EXPECT_THAT(observer.notes, Contains(too_small).Times(2));
  EXPECT_THAT(evidence.warnings, Contains(too_small).Times(1));
}

}  // namespace
}  // namespace autotune
