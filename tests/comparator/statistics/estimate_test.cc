#include "comparator/statistics/estimate.h"

#include <cmath>
#include <optional>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(EstimateTest, LogImprovementIsPositiveWhenTheContenderIsBetter) {
  EXPECT_DOUBLE_EQ(LogImprovement(100.0, 50.0, Direction::kLowerIsBetter),
                   std::log(2.0));
  EXPECT_DOUBLE_EQ(LogImprovement(100.0, 50.0, Direction::kHigherIsBetter),
                   -std::log(2.0));
  EXPECT_EQ(LogImprovement(7.3, 7.3, Direction::kLowerIsBetter), 0.0);
}

TEST(EstimateTest, SwappingTheSidesNegatesTheLogImprovementExactly) {
  for (double b = 0.1; b < 5.0; b += 0.37) {
    EXPECT_EQ(LogImprovement(b, 1.7, Direction::kLowerIsBetter),
              -LogImprovement(1.7, b, Direction::kLowerIsBetter));
  }
}

TEST(EstimateTest, LogImprovementIsFiniteWhereTheRatioOverflows) {
  EXPECT_NEAR(LogImprovement(1e300, 1e-300, Direction::kLowerIsBetter),
              600.0 * std::log(10.0), 1e-9);
}

TEST(EstimateTest, RatioSwapsTheEndsWithTheSignAndKeepsAbsentOnes) {
  const Interval y{
      .lower = std::log(1.25), .upper = {}, .confidence_level = 0.9};
  const RatioEstimate lower =
      RatioFromLogImprovement(std::log(2.0), y, Direction::kLowerIsBetter);
  EXPECT_DOUBLE_EQ(lower.ratio, 0.5);
  EXPECT_EQ(lower.interval.lower, std::nullopt);
  EXPECT_DOUBLE_EQ(lower.interval.upper.value(), 0.8);
  EXPECT_EQ(lower.interval.confidence_level, 0.9);
  const RatioEstimate higher =
      RatioFromLogImprovement(std::log(2.0), y, Direction::kHigherIsBetter);
  EXPECT_DOUBLE_EQ(higher.ratio, 2.0);
  EXPECT_DOUBLE_EQ(higher.interval.lower.value(), 1.25);
  EXPECT_EQ(higher.interval.upper, std::nullopt);
}

TEST(EstimateTest, RatioOfAHugeLogImprovementStaysFiniteAndPositive) {
  const RatioEstimate estimate =
      RatioFromLogImprovement(1400.0, {}, Direction::kLowerIsBetter);
  EXPECT_GT(estimate.ratio, 0.0);
  EXPECT_TRUE(std::isfinite(
      RatioFromLogImprovement(1400.0, {}, Direction::kHigherIsBetter).ratio));
}

}  // namespace
}  // namespace autotune
