#include "comparator/statistics/proportion.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

// R 4.2: prop.test(1, 20, correct = FALSE)$conf.int and the like.
TEST(WilsonIntervalTest, AgreesWithR) {
  const Interval one = WilsonInterval(1, 20);
  EXPECT_NEAR(*one.lower, 0.0088814488008, 1e-12);
  EXPECT_NEAR(*one.upper, 0.2361311934467, 1e-12);
  EXPECT_EQ(one.confidence_level, 0.95);
  const Interval none = WilsonInterval(0, 20);
  EXPECT_EQ(*none.lower, 0.0);
  EXPECT_NEAR(*none.upper, 0.161125158053, 1e-12);
  const Interval all = WilsonInterval(20, 20);
  EXPECT_NEAR(*all.lower, 0.838874841947, 1e-12);
  EXPECT_EQ(*all.upper, 1.0);
}

}  // namespace
}  // namespace autotune
