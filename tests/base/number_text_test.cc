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

TEST(NumberTextTest, AFractionOfOneOrMoreNeedsItsPerCentSign) {
  EXPECT_EQ(ParseFraction("150%"), 1.5);
  EXPECT_EQ(ParseFraction("0.999"), 0.999);
  for (const char* text : {"1", "1.0", "5", "1e3"}) {
    EXPECT_EQ(ParseFraction(text), std::nullopt) << text;
  }
  EXPECT_EQ(PercentHint("5"), "; did you mean 5%?");
  EXPECT_EQ(PercentHint("0.5"), "");
  EXPECT_EQ(PercentHint("5%"), "");
  EXPECT_EQ(PercentHint("five"), "");
}

TEST(NumberTextTest, FractionsReadBack) {
  EXPECT_EQ(FractionText(0.02), "0.02");
  EXPECT_EQ(FractionText(1.5), "150%");
  for (const double value : {1e-7, 0.1, 1.0, 1.1, 1.0 / 0.3, 12345.678}) {
    EXPECT_EQ(ParseFraction(FractionText(value)), value);
  }
}

TEST(NumberTextTest, UnitsOfDurationsAddUp) {
  EXPECT_EQ(ParseDurationSeconds("120s"), 120.0);
  EXPECT_EQ(ParseDurationSeconds("2m"), 120.0);
  EXPECT_EQ(ParseDurationSeconds("1h1m1.5s"), 3661.5);
  EXPECT_EQ(ParseDurationSeconds("250ms"), 0.25);
}

TEST(NumberTextTest, WhatIsNoPositiveDurationIsNothing) {
  for (const std::string_view text : {"", "120", "0s", "-1s", "inf", "2 m", "s",
                                      "1d", "nan", "1.2.3s", "2m30", "1e3s"}) {
    EXPECT_EQ(ParseDurationSeconds(text), std::nullopt) << text;
  }
}

TEST(NumberTextTest, DurationsReadBack) {
  EXPECT_EQ(DurationText(120), "120s");
  EXPECT_EQ(DurationText(0.5), "0.5s");
  for (const double seconds : {1e-6, 1.0 / 1024, 90.0, 1e9}) {
    EXPECT_EQ(ParseDurationSeconds(DurationText(seconds)), seconds);
  }
  EXPECT_EQ(SecondsHint("90"), "; did you mean 90s?");
  EXPECT_EQ(SecondsHint("-1"), "");
  EXPECT_EQ(SecondsHint("90s"), "");
}

}  // namespace
}  // namespace autotune
