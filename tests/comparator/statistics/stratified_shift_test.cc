#include "comparator/statistics/stratified_shift.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/sample.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

Sample Of(std::vector<double> values) {
  return Sample::Create(std::move(values)).value();
}

// Six machines of unlike speed, one value a side each, x 0.1 above y.
std::vector<Stratum> Pairs(double shift) {
  std::vector<Stratum> pairs;
  for (const double speed : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    pairs.push_back({Of({speed + shift}), Of({speed})});
  }
  return pairs;
}

// Number of pairs with x > y, ties one half.
double SumOfU(const std::vector<std::vector<double>>& xs,
              const std::vector<std::vector<double>>& ys) {
  double u = 0.0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    for (const double x : xs[i]) {
      for (const double y : ys[i]) u += x > y ? 1.0 : x == y ? 0.5 : 0.0;
    }
  }
  return u;
}

// P(U >= u) over all arrangements of two strata, each of two against two.
double BruteForce(const std::vector<std::vector<double>>& pooled, double u) {
  const std::vector<std::vector<std::size_t>> choices = {
      {0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  int at_least = 0;
  for (const auto& first : choices) {
    for (const auto& second : choices) {
      std::vector<std::vector<double>> xs;
      std::vector<std::vector<double>> ys;
      for (const auto& [values, choice] :
           {std::pair(pooled[0], first), std::pair(pooled[1], second)}) {
        xs.push_back({values[choice[0]], values[choice[1]]});
        ys.push_back({values[choice[2]], values[choice[3]]});
      }
      at_least += SumOfU(xs, ys) >= u ? 1 : 0;
    }
  }
  return at_least / 36.0;
}

TEST(StratifiedShiftTest, OnePairAStratumIsTheSignTest) {
  const StratifiedShift shift(Pairs(0.1));
  EXPECT_NEAR(shift.PAbove(0.0), 1.0 / 64, 1e-15);
  EXPECT_DOUBLE_EQ(shift.PBelow(0.0), 1.0);
  EXPECT_DOUBLE_EQ(shift.SmallestP(), 1.0 / 64);
  EXPECT_NEAR(shift.estimate(), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(shift.ProbabilityAbove(), 1.0);
  EXPECT_EQ(shift.Deviation(), std::nullopt);
  // P(U <= 0) = 1/64 cuts one off at 0.05, none at 0.01.
  EXPECT_NEAR(*shift.LowerBound(0.05).value, 0.1, 1e-12);
  EXPECT_NEAR(shift.LowerBound(0.05).confidence_level, 63.0 / 64, 1e-15);
  EXPECT_EQ(shift.LowerBound(0.01).value, std::nullopt);
  EXPECT_EQ(shift.UpperBound(0.01).value, std::nullopt);
}

TEST(StratifiedShiftTest, OneStratumIsTheMannWhitneyTest) {
  const Sample x = Of({3.5, 1.25, 4.75, 2.0, 8.5, 2.0});
  const Sample y = Of({1.0, 2.0, 0.5, 3.0, 1.25});
  const StratifiedShift shift({{x, y}});
  const TwoSampleShift whole(x, y);
  const MannWhitney test = MannWhitneyTest(x, y);
  EXPECT_NEAR(shift.PAbove(0.0), test.p_contender_lower, 1e-12);
  EXPECT_NEAR(shift.PBelow(0.0), test.p_contender_higher, 1e-12);
  EXPECT_DOUBLE_EQ(shift.estimate(), whole.estimate());
  EXPECT_NEAR(shift.SmallestP(), SmallestTwoSidedP(6, 5) / 2, 1e-15);
  EXPECT_DOUBLE_EQ(shift.ProbabilityAbove(), ProbabilityOfSuperiority(x, y));
  for (const double error : {0.001, 0.05, 0.1, 0.3}) {
    EXPECT_EQ(shift.LowerBound(error).value, whole.LowerBound(error).value);
    EXPECT_EQ(shift.UpperBound(error).value, whole.UpperBound(error).value);
    EXPECT_NEAR(shift.LowerBound(error).confidence_level,
                whole.LowerBound(error).confidence_level, 1e-12);
  }
}

TEST(StratifiedShiftTest, PValuesAreThoseOfAllArrangements) {
  std::mt19937 random(20260107);
  std::uniform_int_distribution<int> digit(0, 5);  // ties are frequent
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<double>> pooled(2, std::vector<double>(4));
    for (auto& values : pooled) {
      for (double& value : values) value = digit(random);
    }
    std::vector<Stratum> strata;
    std::vector<std::vector<double>> xs;
    std::vector<std::vector<double>> ys;
    for (const auto& values : pooled) {
      xs.push_back({values[0], values[1]});
      ys.push_back({values[2], values[3]});
      strata.push_back({Of(xs.back()), Of(ys.back())});
    }
    const double u = SumOfU(xs, ys);
    ASSERT_NEAR(StratifiedShift(strata).PAbove(0.0), BruteForce(pooled, u),
                1e-12);
    for (Stratum& stratum : strata) std::swap(stratum.x, stratum.y);
    ASSERT_NEAR(StratifiedShift(strata).PBelow(0.0), BruteForce(pooled, u),
                1e-12);
  }
}

// Beyond the counted sizes the tails are approximated, and close.
TEST(StratifiedShiftTest, ManyPairsAreApproximated) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  const auto draw = [&](std::size_t size, double centre) {
    std::vector<double> values(size);
    for (double& value : values) value = centre + noise(random);
    return Of(values);
  };
  const Stratum large = {draw(31, 0.5), draw(30, 0.0)};
  const StratifiedShift shift({large});
  const TwoSampleShift whole(large.x, large.y);
  EXPECT_NEAR(shift.PAbove(0.0),
              MannWhitneyTest(large.x, large.y).p_contender_lower, 2e-3);
  EXPECT_NEAR(*shift.LowerBound(0.05).value, *whole.LowerBound(0.05).value,
              0.02);
  EXPECT_NEAR(*shift.UpperBound(0.05).value, *whole.UpperBound(0.05).value,
              0.02);
}

TEST(StratifiedShiftTest, DeviationIsThatWithinStrata) {
  const StratifiedShift shift(
      {{Of({1, 3}), Of({11, 13})}, {Of({101, 103}), Of({201})}});
  EXPECT_DOUBLE_EQ(*shift.Deviation(), std::sqrt(6.0 / 3.0));
}

}  // namespace
}  // namespace autotune
