#include "comparator/statistics/heterogeneity.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace autotune {
namespace {

// Centre `mean`, median distance from it 0.01 and five values: the error is
// 1.4826 * 0.01 / sqrt(5).
std::vector<double> FiveAround(double mean) {
  return {mean - 0.02, mean - 0.01, mean, mean + 0.01, mean + 0.02};
}
const double kErrorSquared = std::pow(1.4826 * 0.01, 2) / 5.0;

TEST(HeterogeneityTest, OfTwoMachinesIsTheSquaredDifferenceInItsErrors) {
  const std::vector<double> a = FiveAround(0.03);
  const std::vector<double> b = FiveAround(-0.01);
  const std::vector<EffectRounds> machines = {a, b};
  const auto found = MeasureHeterogeneity(machines);
  ASSERT_TRUE(found.has_value());
  // Equal weights: Q = d^2 / (2 e^2), and with one degree of freedom its
  // probability is erfc(sqrt(Q / 2)).
  const double q = 0.04 * 0.04 / (2.0 * kErrorSquared);
  EXPECT_NEAR(found->q, q, 1e-9 * q);
  EXPECT_NEAR(found->i_squared, (q - 1.0) / q, 1e-12);
  EXPECT_NEAR(found->p_value, std::erfc(std::sqrt(0.5 * q)), 1e-12);
}

TEST(HeterogeneityTest, OfThreeMachinesHasTwoDegreesOfFreedom) {
  const std::vector<double> a = FiveAround(0.01);
  const std::vector<double> b = FiveAround(0.0);
  const std::vector<EffectRounds> machines = {a, b, b};
  const auto found = MeasureHeterogeneity(machines);
  ASSERT_TRUE(found.has_value());
  // Mean 0.01 / 3; the chi-squared tail is exp(-Q / 2).
  const double q = (4.0 + 1.0 + 1.0) / 9.0 * 1e-4 / kErrorSquared;
  EXPECT_NEAR(found->q, q, 1e-9);
  EXPECT_EQ(found->i_squared, 0.0);  // Q < 2
  EXPECT_NEAR(found->p_value, std::exp(-0.5 * q), 1e-12);
}

TEST(HeterogeneityTest, EqualMachinesHaveNone) {
  const std::vector<double> a = FiveAround(0.01);
  const std::vector<EffectRounds> machines = {a, a};
  const auto found = MeasureHeterogeneity(machines);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->q, 0.0);
  EXPECT_EQ(found->p_value, 1.0);
}

TEST(HeterogeneityTest, NeedsTwoMachinesWithTwoRounds) {
  const std::vector<double> a = FiveAround(0.01);
  const std::vector<double> one = {0.01};
  const std::vector<EffectRounds> machines = {a, one};
  EXPECT_FALSE(MeasureHeterogeneity(machines).has_value());
}

}  // namespace
}  // namespace autotune
