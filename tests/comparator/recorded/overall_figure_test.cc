#include "comparator/recorded/overall_figure.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::StartsWith;

SideValues Side(std::vector<double> values, std::size_t first_unit = 0) {
  SideValues side;
  for (std::size_t i = 0; i < values.size(); ++i) {
    side.units.push_back(first_unit + i);
  }
  side.visits = values.size();
  side.values = std::move(values);
  return side;
}

PairValues Pair(std::vector<double> baseline, std::vector<double> contender,
                std::size_t first_unit = 0) {
  PairValues pair;
  pair.baseline = Side(std::move(baseline), first_unit);
  pair.contender = Side(std::move(contender), first_unit);
  return pair;
}

OverallFigure FigureOf(const std::vector<PairValues>& pairs) {
  std::vector<OverallMember> members;
  for (const PairValues& pair : pairs) {
    members.push_back({&pair, Direction::kLowerIsBetter});
  }
  RankTables tables;
  return MakeOverallFigure(members, Policy(), tables);
}

TEST(OverallFigureTest, OfOneBenchmarkIsThatBenchmark) {
  const OverallFigure figure =
      FigureOf({Pair({100, 101, 102, 99}, {90, 91, 92, 89})});
  EXPECT_EQ(figure.verdict.verdict, Verdict::kImproved);
  EXPECT_NEAR(figure.estimate.ratio, 0.9, 0.01);
}

TEST(OverallFigureTest, AveragesLogarithmsWithinEachVisit) {
  // A halves and B doubles in every visit: their geometric mean stays, exactly,
  // although the single values swing by a factor of four.
  const OverallFigure figure =
      FigureOf({Pair({100, 200, 400, 50}, {50, 100, 200, 25}),
                Pair({8, 4, 2, 16}, {16, 8, 4, 32})});
  EXPECT_NEAR(figure.y, 0.0, 1e-12);
  EXPECT_NEAR(*figure.estimate.interval.lower, 1.0, 1e-12);
  EXPECT_NEAR(*figure.estimate.interval.upper, 1.0, 1e-12);
  EXPECT_EQ(figure.verdict.verdict, Verdict::kEquivalent);
}

TEST(OverallFigureTest, GroupsOfOtherVisitsAreJoinedByTheUnionBound) {
  const PairValues a = Pair({100, 101, 102, 99}, {90, 91, 92, 89});
  const PairValues b = Pair({50, 50.5, 51, 49.5}, {45, 45.5, 46, 44.5}, 4);
  const OverallFigure joined = FigureOf({a, b});
  EXPECT_NEAR(joined.y, (FigureOf({a}).y + FigureOf({b}).y) / 2.0, 1e-12);
  // At 0.025 each 4 against 4 still reach 1/70; at 0.05 the bound is tighter.
  EXPECT_EQ(joined.verdict.verdict, Verdict::kImproved);
  EXPECT_LT(*joined.estimate.interval.lower, joined.estimate.ratio);
  EXPECT_GT(*joined.estimate.interval.upper, joined.estimate.ratio);
}

TEST(OverallFigureTest, GroupsTooSmallForTheirShareLeaveTheEndsOpen) {
  const OverallFigure joined =
      FigureOf({Pair({100, 101, 102}, {90, 91, 92}),
                Pair({50, 50.5, 51}, {45, 45.5, 46}, 3)});
  EXPECT_FALSE(joined.estimate.interval.upper.has_value());
  EXPECT_EQ(joined.verdict.verdict, Verdict::kInconclusive);
  EXPECT_THAT(joined.verdict.reason,
              StartsWith("the benchmarks were not measured in the same "
                         "visits"));
}

TEST(OverallFigureTest, HigherIsBetterKeepsTheMetricsScale) {
  const PairValues pair = Pair({100, 101, 102, 99}, {110, 111, 112, 109});
  const OverallMember member = {&pair, Direction::kHigherIsBetter};
  RankTables tables;
  const OverallFigure figure =
      MakeOverallFigure({&member, 1}, Policy(), tables);
  EXPECT_GT(figure.y, 0.0);
  EXPECT_GT(figure.estimate.ratio, 1.0);
  EXPECT_EQ(figure.verdict.verdict, Verdict::kImproved);
}

}  // namespace
}  // namespace autotune
