#include "base/did_you_mean.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace autotune {
namespace {

const std::vector<std::string> kNames = {"alpha", "beta", "budget",
                                         "min_effect"};

TEST(ClosestNameTest, FindsTypingSlips) {
  EXPECT_EQ(ClosestName("min_efect", kNames), "min_effect");
  EXPECT_EQ(ClosestName("bugdet", kNames), "budget");  // swapped neighbours
  EXPECT_EQ(ClosestName("bet", kNames), "beta");
}

TEST(ClosestNameTest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(ClosestName("horizon", kNames), std::nullopt);
  EXPECT_EQ(ClosestName("x", {}), std::nullopt);
}

TEST(ClosestNameTest, TakesTheFirstAmongEquals) {
  const std::vector<std::string> names = {"aab", "aac"};
  EXPECT_EQ(ClosestName("aaa", names), "aab");
}

}  // namespace
}  // namespace autotune
