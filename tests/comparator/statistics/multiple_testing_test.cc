#include "comparator/statistics/multiple_testing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"

namespace autotune {
namespace {

using ::testing::DoubleNear;
using ::testing::IsEmpty;
using ::testing::Pointwise;

MATCHER_P(NearlyEquals, tolerance, "") {
  return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= tolerance;
}

TEST(MultipleTestingTest, AdjustedPValuesAgreeWithR) {
  for (const ReferenceRow& row : ReadReferenceCsv("adjusted_p.csv")) {
    const std::vector<double> p = row.Numbers("p");
    EXPECT_THAT(AdjustHolm(p),
                Pointwise(NearlyEquals(1e-14), row.Numbers("holm")));
    EXPECT_THAT(AdjustBenjaminiHochberg(p),
                Pointwise(NearlyEquals(1e-14), row.Numbers("bh")));
  }
}

TEST(MultipleTestingTest, TheBenjaminiHochbergExampleComesOut) {
  // Benjamini & Hochberg (1995), section 3.2: 4 rejections, Holm's 3.
  const std::vector<double> p = {.0001, .0004, .0019, .0095, .0201,
                                 .0278, .0298, .0344, .0459, .3240,
                                 .4262, .5719, .6528, .7590, 1.0};
  const auto rejections = [](const std::vector<double>& adjusted) {
    return std::count_if(adjusted.begin(), adjusted.end(),
                         [](double q) { return q <= 0.05; });
  };
  EXPECT_EQ(rejections(AdjustBenjaminiHochberg(p)), 4);
  EXPECT_EQ(rejections(AdjustHolm(p)), 3);
}

TEST(MultipleTestingTest, NothingStaysNothing) {
  EXPECT_THAT(AdjustHolm({}), IsEmpty());
  EXPECT_THAT(AdjustBenjaminiHochberg({}), IsEmpty());
  EXPECT_THAT(AdjustLogEValues({}), IsEmpty());
}

// Closed testing taken literally: the smallest average over all sets of
// hypotheses that hold the one in question.
std::vector<double> ClosedTesting(const std::vector<double>& log_e) {
  std::vector<double> adjusted(log_e.size(),
                               std::numeric_limits<double>::infinity());
  for (std::uint32_t set = 1; set < 1u << log_e.size(); ++set) {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < log_e.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      sum += std::exp(log_e[i]);
      count += 1.0;
    }
    for (std::size_t i = 0; i < log_e.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      adjusted[i] = std::min(adjusted[i], std::log(sum / count));
    }
  }
  return adjusted;
}

TEST(MultipleTestingTest, EValuesAreAdjustedAsClosedTestingDoes) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> log_e(0.0, 3.0);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values(1 + generator() % 9);
    for (double& value : values) value = log_e(generator);
    if (trial % 3 == 0) values.back() = values.front();
    EXPECT_THAT(AdjustLogEValues(values),
                Pointwise(NearlyEquals(1e-12), ClosedTesting(values)));
  }
}

TEST(MultipleTestingTest, EvidenceDividedByTheNumberOfTestsAlwaysSuffices) {
  // Holm on 1 / e would need this much; closed testing needs no more.
  const std::vector<double> adjusted =
      AdjustLogEValues(std::vector<double>{std::log(60.0), -40.0, -40.0});
  EXPECT_GE(adjusted[0], std::log(20.0) - 1e-12);
}

TEST(MultipleTestingTest, EValuesBeyondTheRangeOfDoublesAreAdjusted) {
  const double nothing = -std::numeric_limits<double>::infinity();
  const std::vector<double> adjusted =
      AdjustLogEValues(std::vector<double>{2000.0, nothing, -3000.0});
  EXPECT_NEAR(adjusted[0], 2000.0 - std::log(3.0), 1e-9);
  EXPECT_EQ(adjusted[1], nothing);
  EXPECT_NEAR(adjusted[2], -3000.0 - std::log(2.0), 1e-9);
}

}  // namespace
}  // namespace autotune
