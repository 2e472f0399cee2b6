#include "tools/report/plot.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(PlotScaleTest, ValuesBeyondAnEndAreDrawnOnIt) {
  const PlotScale scale = {10.0, 20.0, 100.0, 0.0};
  EXPECT_EQ(scale.At(10.0), 100.0);
  EXPECT_EQ(scale.At(15.0), 50.0);
  EXPECT_EQ(scale.At(99.0), 0.0);
  EXPECT_EQ(scale.At(-1.0), 100.0);
  EXPECT_TRUE(scale.Holds(20.0));
  EXPECT_FALSE(scale.Holds(20.1));
}

TEST(ScaleOfTest, ShowsAllValuesWithRoomAround) {
  const PlotScale scale = ScaleOf({1.0, 2.0, 3.0}, 0.0, 1.0);
  EXPECT_DOUBLE_EQ(scale.low, 1.0 - 0.06 * 2.0);
  EXPECT_DOUBLE_EQ(scale.high, 3.0 + 0.06 * 2.0);
}

TEST(ScaleOfTest, ABurstDoesNotMakeALineOfTheRest) {
  // Quartiles 2 and 4: what is seen ends at 4 + 6 * 2.
  const PlotScale scale = ScaleOf({1.0, 2.0, 3.0, 4.0, 1000.0}, 0.0, 1.0);
  EXPECT_DOUBLE_EQ(scale.high, 16.0 + 0.06 * 15.0);
  EXPECT_FALSE(scale.Holds(1000.0));
}

TEST(ScaleOfTest, EqualValuesAndNoneHaveALength) {
  EXPECT_LT(ScaleOf({5.0, 5.0}, 0.0, 1.0).low, 5.0);
  EXPECT_GT(ScaleOf({0.0}, 0.0, 1.0).high, 0.0);
  EXPECT_LT(ScaleOf({}, 0.0, 1.0).low, ScaleOf({}, 0.0, 1.0).high);
}

TEST(TicksTest, AreRoundNumbersInside) {
  EXPECT_THAT(Ticks(0.5, 9.0, 4), Pointwise(DoubleEq(), {5.0}));
  EXPECT_THAT(Ticks(-0.4, 1.1, 4), Pointwise(DoubleEq(), {0.0, 0.5, 1.0}));
  EXPECT_THAT(Ticks(1.0, 1.0, 4), ElementsAre());
}

TEST(PlaceTextTest, IsTenthsAsShortAsCanBe) {
  EXPECT_EQ(PlaceText(12.0), "12");
  EXPECT_EQ(PlaceText(12.34), "12.3");
  EXPECT_EQ(PlaceText(-0.26), "-0.3");
  EXPECT_EQ(PlaceText(-0.04), "0");
}

TEST(PlotLineTest, IsThePointsOfAPolyline) {
  PlotLine line;
  line.Add(1.0, 2.5);
  line.Add(3.0, 4.0);
  EXPECT_EQ(line.text(), "1,2.5 3,4");
}

std::vector<std::string> LabelsOf(const ChangeAxis& axis) {
  std::vector<std::string> labels;
  for (const double ratio : axis.TickRatios()) {
    labels.push_back(axis.TickText(ratio));
  }
  return labels;
}

TEST(ChangeAxisTest, LabelsPerCentsAndOnALongAxisFactors) {
  EXPECT_THAT(LabelsOf(ChangeAxis({std::log(0.9), std::log(1.1)}, 0, 100)),
              ElementsAre("-10 %", "-5 %", "0", "+5 %", "+10 %"));
  EXPECT_THAT(LabelsOf(ChangeAxis({std::log(0.2), std::log(4.0)}, 0, 100)),
              ElementsAre("x 0.2", "x 0.5", "0", "x 2"));
}

TEST(ChangeAxisTest, OneGreatChangeDoesNotMakeALineOfTheRest) {
  std::vector<double> logs(20, 0.01);
  logs.push_back(std::log(50.0));
  const ChangeAxis axis(logs, 0, 100);
  EXPECT_TRUE(axis.Holds(1.1));
  EXPECT_FALSE(axis.Holds(1.2));
  EXPECT_TRUE(ChangeAxis({std::log(50.0)}, 0, 100).Holds(50.0));
}

TEST(ChangeAxisTest, AnOpenEndAndOneBeyondTheAxisAreArrows) {
  const ChangeAxis axis({}, 0, 100);
  EXPECT_EQ(axis.IntervalPath(std::nullopt, 1.0, 10, 4),
            "M0 10H50M5 6L0 10 5 14M50 6V14");
  EXPECT_EQ(axis.IntervalPath(1.0, 3.0, 10, 4),
            "M50 10H100M50 6V14M95 6L100 10 95 14");
}

}  // namespace
}  // namespace autotune
