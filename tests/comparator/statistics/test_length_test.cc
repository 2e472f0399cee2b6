#include "comparator/statistics/test_length.h"

#include <optional>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(ExpectedRoundsTest, GrowWithTheSquareOfNoiseOverEffect) {
  EXPECT_NEAR(ExpectedRounds(0.01, 0.01, 0.05), 10.6, 1e-12);
  EXPECT_NEAR(ExpectedRounds(0.01, 0.02, 0.05), 26.5, 1e-12);
  EXPECT_NEAR(ExpectedRounds(0.01, 0.02, 0.0025), 53.0, 1e-9);
}

TEST(SmallestEffectTest, IsTheInverse) {
  const std::optional<double> effect = SmallestEffect(26.5, 0.02, 0.05);
  ASSERT_TRUE(effect.has_value());
  EXPECT_NEAR(*effect, 0.01, 1e-12);
  EXPECT_FALSE(SmallestEffect(5.3, 0.02, 0.05).has_value());
}

}  // namespace
}  // namespace autotune
