#include "comparator/statistics/change_points.h"

#include <cmath>
#include <cstddef>
#include <iostream>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(ChangePointsTest, NothingChangesInNothing) {
  EXPECT_THAT(FindChangePoints({}, 100.0), IsEmpty());
  EXPECT_THAT(FindChangePoints(std::vector<double>(300, 1.0), 100.0),
              IsEmpty());
}

TEST(ChangePointsTest, FindsAStepAndWhereItWas) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) {
    values.push_back(0.001 * ((i * 7) % 11 - 5) + (i >= 25 ? 0.05 : 0.0));
  }
  const auto changes = FindChangePoints(values, 500.0);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].at, 25U);
  EXPECT_LE(changes[0].first, 25U);
  EXPECT_GE(changes[0].last, 25U);
  EXPECT_LE(changes[0].found, 33U);
  EXPECT_NEAR(changes[0].before, 0.0, 0.002);
  EXPECT_NEAR(changes[0].after, 0.05, 0.004);
}

TEST(ChangePointsTest, FindsASecondChangeAfterTheFirst) {
  std::vector<double> values;
  for (int i = 0; i < 90; ++i) {
    values.push_back(0.001 * ((i * 7) % 11 - 5) + (i >= 30 ? 0.05 : 0.0) -
                     (i >= 60 ? 0.04 : 0.0));
  }
  const auto changes = FindChangePoints(values, 500.0);
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].at, 30U);
  EXPECT_EQ(changes[1].at, 60U);
  EXPECT_LT(changes[1].after, changes[1].before);
}

// The time to a false alarm is about exponential: of histories as long as the
// mean promised at most 1 - 1 / e = 63 % may have one; of a tenth of it one in
// ten. Whatever the noise.
TEST(ChangePointsTest, FalseAlarmsAreAtLeastAsFarApartAsStated) {
  constexpr int kHistories = 200;
  for (const int kind : {0, 1, 2}) {
    std::mt19937_64 generator(7 + kind);
    std::normal_distribution<double> normal;
    std::cauchy_distribution<double> cauchy;
    int alarms = 0;
    for (int h = 0; h < kHistories; ++h) {
      std::vector<double> values;
      for (int i = 0; i < 50; ++i) {
        values.push_back(kind == 0   ? normal(generator)
                         : kind == 1 ? cauchy(generator)
                                     : std::round(normal(generator)));
      }
      alarms += FindChangePoints(values, 500.0).empty() ? 0 : 1;
    }
    // 34 of 200 at one in ten has probability 0.1 %.
    EXPECT_LE(alarms, 33) << kind;
  }
}

// 100 histories with a change of twice the noise, and a second one back.
TEST(ChangePointsTest, NoisyStepsOfTwoDeviationsAreFound) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  constexpr int kHistories = 100;
  constexpr std::size_t kSteps[] = {50, 90};
  int found = 0;
  int placed = 0;
  int others = 0;
  for (int h = 0; h < kHistories; ++h) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 120; ++i) {
      const bool is_slow = i >= kSteps[0] && i < kSteps[1];
      values.push_back(normal(generator) + (is_slow ? 2.0 : 0.0));
    }
    for (const ChangePoint& change : FindChangePoints(values, 500.0)) {
      bool is_step = false;
      for (const std::size_t step : kSteps) {
        if (change.at + 5 < step || change.at > step + 5) continue;
        is_step = true;
        placed += change.first <= step && step <= change.last ? 1 : 0;
      }
      found += is_step ? 1 : 0;
      others += is_step ? 0 : 1;
    }
  }
  std::cout << found << " of " << 2 * kHistories << " changes found, " << placed
            << " in the range named; " << others << " others\n";
  EXPECT_GE(found, 0.9 * 2 * kHistories);
  EXPECT_GE(placed, 0.8 * found);
  // One in 500 of 12,000 values are 24; 40 has probability 0.2 %.
  EXPECT_LE(others, 40);
}

}  // namespace
}  // namespace autotune
