#include "tools/report/value_text.h"

#include <optional>

#include "comparator/statistics/estimate.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(ValueTextTest, TimesTakeTheUnitThatFits) {
  EXPECT_EQ(ValueText("cpu_time", 0.5), "0.5000 ns");
  EXPECT_EQ(ValueText("cpu_time", 12.3456), "12.35 ns");
  EXPECT_EQ(ValueText("real_time", 999.94), "999.9 ns");
  EXPECT_EQ(ValueText("real_time", 1000), "1.000 us");
  EXPECT_EQ(ValueText("real_time", 2.5e6), "2.500 ms");
  EXPECT_EQ(ValueText("real_time", 2e-7), "2.000e-07 ns");
  EXPECT_EQ(ValueText("real_time", 1e-6), "0.000001000 ns");
  EXPECT_EQ(ValueText("real_time", 99999.999), "100.0 us");
  EXPECT_EQ(ValueText("real_time", 99994.0), "99.99 us");
  EXPECT_EQ(ValueText("real_time", 9.9996), "10.00 ns");
  EXPECT_EQ(ValueText("section/parse", 3.25e9), "3.250 s");
  EXPECT_EQ(ValueText("real_time", 4e13), "40000 s");
}

TEST(ValueTextTest, OtherMetricsTakeADecimalPrefix) {
  EXPECT_EQ(ValueText("items_per_second", 1234567), "1.235 M");
  EXPECT_EQ(ValueText("widgets", 12), "12.00");
  EXPECT_EQ(ValueText("widgets", 0.00012346), "0.0001235");
  EXPECT_EQ(ValueText("section/parse/calls", 1500), "1.500 k");
  EXPECT_EQ(ValueText("peak_rss", 2e9), "2.000 G");
}

TEST(ChangeTextTest, IsAPercentageUntilAFactorOfTen) {
  EXPECT_EQ(ChangeText(0.9337), "-6.63 %");
  EXPECT_EQ(ChangeText(1.0), "+0.00 %");
  EXPECT_EQ(ChangeText(2.5), "+150.00 %");
  EXPECT_EQ(ChangeText(12.345), "x 12.35");
  EXPECT_EQ(ChangeText(0.001), "x 0.001000");
}

TEST(IntervalTextTest, AnOpenEndIsAQuestionMark) {
  EXPECT_EQ(IntervalText({0.9, 1.1, 0.85}), "[-10.00 %, +10.00 %]");
  EXPECT_EQ(IntervalText({std::nullopt, 1.1, 0.85}), "[?, +10.00 %]");
  EXPECT_EQ(IntervalText({0.9, std::nullopt, 0.85}), "[-10.00 %, ?]");
}

TEST(PValueTextTest, SmallOnesAreABound) {
  EXPECT_EQ(PValueText(0.0022), "0.0022");
  EXPECT_EQ(PValueText(1), "1.0000");
  EXPECT_EQ(PValueText(0.00009), "<0.0001");
}

TEST(SecondsTextTest, LongOnesAreMinutes) {
  EXPECT_EQ(SecondsText(5.25), "5.2 s");
  EXPECT_EQ(SecondsText(99.9), "99.9 s");
  EXPECT_EQ(SecondsText(99.96), "1 min 40 s");
  EXPECT_EQ(SecondsText(125.4), "2 min 5 s");
}

}  // namespace
}  // namespace autotune
