#include "base/number_text.h"

#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(NumberTextTest, ShortestTextReadsBackAsTheSameDouble) {
  EXPECT_EQ(ShortestText(0.1), "0.1");
  EXPECT_EQ(ShortestText(-3.0), "-3");
  for (const double value : {1e300, 5e-324, 1.0 / 3.0, 123456789.125}) {
    EXPECT_EQ(ParseFiniteDouble(ShortestText(value)), value);
  }
}

TEST(NumberTextTest, FixedTextHoldsTheLargestDouble) {
  EXPECT_EQ(FixedText(std::numeric_limits<double>::max(), 17).size(), 327U);
  EXPECT_EQ(FixedText(1.005, 1), "1.0");
}

TEST(NumberTextTest, SignedPercentTextAlwaysCarriesASign) {
  EXPECT_EQ(SignedPercentText(0.0123), "+1.23 %");
  EXPECT_EQ(SignedPercentText(-0.5), "-50.00 %");
  EXPECT_EQ(SignedPercentText(0.0), "+0.00 %");
}

TEST(NumberTextTest, ParseFiniteDoubleTakesTheWholeTextOrNothing) {
  EXPECT_EQ(ParseFiniteDouble("-1e3"), -1000.0);
  for (const char* text :
       {"", " 1", "1 ", "1,5", "nan", "inf", "1e999", "0x1"}) {
    EXPECT_EQ(ParseFiniteDouble(text), std::nullopt) << text;
  }
}

TEST(NumberTextTest, ParseFractionReadsPerCent) {
  EXPECT_EQ(ParseFraction("1%"), 0.01);
  EXPECT_EQ(ParseFraction("2.5 %"), 0.025);
  EXPECT_EQ(ParseFraction("0.01"), 0.01);
  EXPECT_EQ(ParseFraction("%"), std::nullopt);
  EXPECT_EQ(ParseFraction(""), std::nullopt);
}

}  // namespace
}  // namespace autotune
