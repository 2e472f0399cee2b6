#include "comparator/statistics/online_fdr.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

TEST(OnlineFdrTest, ThePublishedExampleComesOut) {
  std::int64_t found = 0;
  for (const ReferenceRow& row : ReadReferenceCsv("online_fdr.csv")) {
    const double level = LondLevel(0.05, *row.Number("share"), found);
    EXPECT_NEAR(level, *row.Number("level"), 1e-17) << row.Text("t");
    const bool rejected = *row.Number("p") <= level;
    EXPECT_EQ(rejected, row.Text("rejected") == "1") << row.Text("t");
    found += rejected ? 1 : 0;
  }
  EXPECT_EQ(found, 3);
}

TEST(OnlineFdrTest, EachKeepRaisesTheLevelUpToAlpha) {
  const OnlineFdrPlan plan;  // 10 % over 100 decisions, at most 5 % each
  EXPECT_THAT(NextDecisionLevel(plan, 0, 0), IsOkAndHolds(0.10 * 0.01));
  EXPECT_THAT(NextDecisionLevel(plan, 20, 0), IsOkAndHolds(0.10 * 0.01));
  EXPECT_THAT(NextDecisionLevel(plan, 20, 3), IsOkAndHolds(0.10 * 0.01 * 4.0));
  EXPECT_THAT(NextDecisionLevel(plan, 99, 49), IsOkAndHolds(0.05));
  EXPECT_THAT(NextDecisionLevel(plan, 99, 80), IsOkAndHolds(0.05));
}

TEST(OnlineFdrTest, AUsedUpHorizonMustBeDeclaredAnew) {
  EXPECT_THAT(
      NextDecisionLevel({.fdr = 0.1, .alpha = 0.05, .horizon = 3}, 3, 1),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "all 3 decisions of the declared horizon are used; "
               "declare a longer horizon to go on"));
}

TEST(OnlineFdrTest, PlansAndCountsOutOfRangeAreRefused) {
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_THAT(NextDecisionLevel({.fdr = 0.0}, 0, 0),
              StatusIs(kInvalid, "fdr: expected a fraction in (0, 1), got 0"));
  EXPECT_THAT(
      NextDecisionLevel({.fdr = 0.1, .alpha = 1.0}, 0, 0),
      StatusIs(kInvalid, "alpha: expected a fraction in (0, 1), got 1"));
  EXPECT_THAT(
      NextDecisionLevel({.fdr = std::numeric_limits<double>::quiet_NaN()}, 0,
                        0),
      StatusIs(kInvalid,
               "fdr: expected a fraction in (0, 1), got no finite number"));
  EXPECT_THAT(
      NextDecisionLevel({.fdr = 0.1, .alpha = 0.05, .horizon = 0}, 0, 0),
      StatusIs(kInvalid, "horizon: expected at least 1 decision, got 0"));
  EXPECT_THAT(NextDecisionLevel({}, 2, 3),
              StatusIs(kInvalid,
                       "expected 0 <= keeps <= decisions, got 3 keeps of 2 "
                       "decisions"));
  EXPECT_THAT(NextDecisionLevel({}, -1, -1),
              StatusIs(kInvalid,
                       "expected 0 <= keeps <= decisions, got -1 keeps of -1 "
                       "decisions"));
}

}  // namespace
}  // namespace autotune
