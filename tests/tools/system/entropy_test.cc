#include "tools/system/entropy.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

TEST(SystemEntropyTest, NamesItself) {
  EXPECT_EQ(MakeSystemEntropy()->name(), "system");
}

TEST(SystemEntropyTest, BitsAreFairWithinSevenStandardDeviations) {
  const std::unique_ptr<Entropy> entropy = MakeSystemEntropy();
  int ones = 0;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK_AND_ASSIGN(const std::uint64_t bits, entropy->Bits());
    ones += std::popcount(bits);
    seen.insert(bits);
  }
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_NEAR(ones, 32000, 7 * 126);  // sd of 64000 fair bits: 126.5
}

TEST(SeededEntropyTest, IsTheStandardsGenerator) {
  const std::unique_ptr<Entropy> entropy = MakeSeededEntropy(5489);
  EXPECT_EQ(entropy->name(), "seed:5489");
  std::uint64_t last = 0;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_OK_AND_ASSIGN(last, entropy->Bits());
  }
  // The 10000th value of a default-seeded mt19937_64: [rand.predef] of C++11.
  EXPECT_EQ(last, 9981545732273789042ULL);
}

}  // namespace
}  // namespace autotune
