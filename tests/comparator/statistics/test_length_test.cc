#include "comparator/statistics/test_length.h"

#include <optional>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(FewestRoundsTest, EachRoundAtMostDoublesAnEValue) {
  EXPECT_EQ(FewestRounds(0.05), 5);    // 2^4 < 20 <= 2^5
  EXPECT_EQ(FewestRounds(0.0625), 4);  // 2^4 = 16
  EXPECT_EQ(FewestRounds(0.01), 7);
}

// Means of the reference model's rounds for an effect of 1 %: see the table of
// docs/statistics.md.
TEST(SmallestEffectTest, IsNearTheOneThatWasSimulated) {
  const std::optional<double> one = SmallestEffect(10.9, 0.01, 0.05);
  const std::optional<double> two = SmallestEffect(28.0, 0.02, 0.05);
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_NEAR(*one, 0.01, 0.0005);
  EXPECT_NEAR(*two, 0.01, 0.0005);
}

TEST(SmallestEffectTest, RoundsGrowWithTheSquareOfNoiseOverEffect) {
  EXPECT_NEAR(*SmallestEffect(10.6, 0.01, 0.05), 0.01, 1e-12);
  EXPECT_NEAR(*SmallestEffect(26.5, 0.02, 0.05), 0.01, 1e-12);
  EXPECT_NEAR(*SmallestEffect(53.0, 0.02, 0.0025), 0.01, 1e-12);
  EXPECT_FALSE(SmallestEffect(5.3, 0.02, 0.05).has_value());
}

}  // namespace
}  // namespace autotune
