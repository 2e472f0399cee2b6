#include "tools/autotune/measuring/test_count.h"

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(PassedInXmlTest, CountsWhatRanAndDidNotFail) {
  EXPECT_EQ(
      PassedInXml("<testsuite><testcase name=\"a\" status=\"run\" "
                  "result=\"completed\" />\n"
                  "<testcase name=\"b\" status=\"notrun\" "
                  "result=\"suppressed\" />\n"
                  "<testcase name=\"c\" status=\"run\" result=\"completed\">\n"
                  "  <failure message=\"x\"/>\n</testcase>\n"
                  "<testcase name=\"d\" status=\"run\" result=\"skipped\">\n"
                  "  <skipped/></testcase></testsuite>"),
      1);
  EXPECT_EQ(PassedInXml("<testcase name=\"a\" classname=\"a\" time=\"0.1\" "
                        "status=\"run\">\n<testcase name=\"b\" "
                        "status=\"fail\">"),
            1);
  EXPECT_EQ(PassedInXml("[  PASSED  ] 3 tests."), 0);
}

TEST(PassedInWordsTest, ReadsTheLastWordsOfRunners) {
  EXPECT_EQ(PassedInWords("[ RUN ] x\n[  PASSED  ] 3 tests.\n"), 3);
  EXPECT_EQ(PassedInWords("89% tests passed, 1 tests failed out of 9\n\n"), 8);
  EXPECT_EQ(PassedInWords("==== 5 passed, 1 skipped in 0.1s ====\n"), 5);
  EXPECT_EQ(PassedInWords("[doctest] test cases: 5 | 4 passed | 1 failed"), 4);
  EXPECT_EQ(PassedInWords("all is well\n"), std::nullopt);
}

TEST(FewerTestsTest, EitherCountMayFall) {
  const TestCount tip = {9, 40};
  EXPECT_EQ(FewerTests(tip, tip, false), "");
  EXPECT_EQ(FewerTests(tip, {10, 41}, false), "");
  EXPECT_EQ(FewerTests(tip, {8, 40}, false),
            "1 test fewer ran and passed than in the tip (8 instead of 9)");
  EXPECT_EQ(FewerTests(tip, {9, 38}, false),
            "2 tests fewer ran and passed than in the tip (38 instead of 40)");
  EXPECT_EQ(FewerTests(tip, {9, 20}, true), "");
  EXPECT_EQ(FewerTests(tip, {9, 19}, true),
            "21 tests fewer ran and passed than in the tip (19 instead of 40)");
  EXPECT_EQ(FewerTests(tip, {}, true),
            "9 tests fewer ran and passed than in the tip (0 instead of 9)");
  EXPECT_EQ(FewerTests({}, {}, false), "");
}

TEST(TestCountTextTest, ReadsBack) {
  for (const TestCount& count :
       {TestCount{}, TestCount{3, std::nullopt}, TestCount{0, 12}}) {
    EXPECT_EQ(ParseTestCount(TestCountText(count)), count);
  }
  EXPECT_EQ(ParseTestCount("x"), TestCount());
}

}  // namespace
}  // namespace autotune
