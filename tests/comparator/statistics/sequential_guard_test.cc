#include "comparator/statistics/sequential_guard.h"

#include <cmath>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"

namespace autotune {
namespace {

constexpr double kTolerance = 1e-11;

std::string Standing(const SequentialGuard& guard) {
  if (guard.proven_unharmed()) return "unharmed";
  return guard.proven_harmed() ? "harmed" : "undecided";
}

TEST(SequentialGuardTest, AgreesWithTheReferenceModelInEveryRound) {
  std::string current;
  std::optional<SequentialGuard> guard;
  for (const ReferenceRow& row : ReadReferenceCsv("sequential_guard.csv")) {
    if (row.Text("case") != current) {
      current = row.Text("case");
      guard.emplace(
          GuardOptions{.log_margin = std::log1p(*row.Number("margin")),
                       .alpha = *row.Number("alpha"),
                       .beta = *row.Number("beta")});
    }
    guard->Add(*row.Number("log_ratio"), *row.Number("spread"));
    const std::string where =
        current + ", round " + std::to_string(guard->rounds());
    EXPECT_NEAR(guard->log_e_unharmed(), *row.Number("log_e_unharmed"),
                kTolerance)
        << where;
    EXPECT_NEAR(guard->log_e_harmed(), *row.Number("log_e_harmed"), kTolerance)
        << where;
    ExpectNearOrBothAbsent(guard->log_improvement().lower, row.Number("lower"),
                           kTolerance, where);
    ExpectNearOrBothAbsent(guard->log_improvement().upper, row.Number("upper"),
                           kTolerance, where);
    EXPECT_EQ(Standing(*guard), row.Text("standing")) << where;
  }
}

TEST(SequentialGuardTest, RoundsAfterItIsSettledAreNotLookedAt) {
  SequentialGuard guard({});
  for (int i = 0; i < 30; ++i) guard.Add(0.0);
  ASSERT_TRUE(guard.proven_unharmed());
  const std::size_t rounds = guard.rounds();
  EXPECT_LT(rounds, 30u);
  for (int i = 0; i < 30; ++i) guard.Add(-1.0);
  EXPECT_TRUE(guard.proven_unharmed());
  EXPECT_FALSE(guard.proven_harmed());
  EXPECT_EQ(guard.rounds(), rounds);
}

TEST(SequentialGuardTest, IntervalEndsAgreeWithTheStanding) {
  const double edge = -std::log1p(0.02);
  SequentialGuard unharmed({});
  SequentialGuard harmed({});
  for (int i = 0; i < 30; ++i) {
    unharmed.Add(i % 2 == 0 ? 0.003 : -0.003);
    harmed.Add(i % 2 == 0 ? -0.043 : -0.047);
  }
  ASSERT_TRUE(unharmed.proven_unharmed());
  EXPECT_GE(unharmed.log_improvement().lower.value(), edge);
  ASSERT_TRUE(harmed.proven_harmed());
  EXPECT_LE(harmed.log_improvement().upper.value(), edge);
  EXPECT_NEAR(harmed.centre(), -0.045, 0.002);
}

}  // namespace
}  // namespace autotune
