#include "comparator/policy/name_pattern.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

NamePattern Pattern(std::string_view text) {
  return NamePattern::Create(text).value();
}

TEST(NamePatternTest, ExpressionIsFoundAnywhereUnlessAnchored) {
  EXPECT_TRUE(Pattern("Parse").Matches("BM_Parse/64"));
  EXPECT_FALSE(Pattern("^Parse").Matches("BM_Parse/64"));
  EXPECT_TRUE(Pattern("^BM_(Parse|Scan)/[0-9]+$").Matches("BM_Scan/64"));
  EXPECT_TRUE(Pattern("").Matches("anything"));
  EXPECT_TRUE(Pattern("").Matches(""));
}

TEST(NamePatternTest, LeadingMinusSelectsTheOthers) {
  EXPECT_FALSE(Pattern("-Parse").Matches("BM_Parse/64"));
  EXPECT_TRUE(Pattern("-Parse").Matches("BM_Scan"));
  EXPECT_EQ(Pattern("-Parse").Replace("BM_Parse", "x"), std::nullopt);
}

TEST(NamePatternTest, GroupsAreFilledIntoTheReplacement) {
  const NamePattern pattern = Pattern("BM_([A-Za-z]+)/([0-9]+)");
  EXPECT_THAT(pattern.Replace("x/BM_Parse/64/y", "\\2-\\1"),
              Optional(std::string("x/64-Parse/y")));
  EXPECT_THAT(pattern.Replace("BM_Parse/64", "[\\0]"),
              Optional(std::string("[BM_Parse/64]")));
  EXPECT_THAT(pattern.Replace("BM_Parse/64", "\\3\\\\n\\n\\"),
              Optional(std::string("\\n\\n\\")));
  EXPECT_EQ(pattern.Replace("other", "x"), std::nullopt);
}

TEST(NamePatternTest, PlaceIsTheLeftmostLongest) {
  const auto place = Pattern("a|ab").Find("xxabab");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->begin, 2U);
  EXPECT_EQ(place->end, 4U);
}

TEST(NamePatternTest, NamesMayHoldAnyByteAndBeVeryLong) {
  const std::string with_nul("a\0b", 3);
  EXPECT_TRUE(Pattern("b$").Matches(with_nul));
  EXPECT_TRUE(Pattern("^(a|b)*$").Matches(std::string(100000, 'a')));
}

TEST(NamePatternTest, PatternsThatCostTooMuchAreRefused) {
  const auto error = [](const std::string& text) {
    return std::string(NamePattern::Create(text).status().message());
  };
  EXPECT_EQ(error("(a*)\\1"),
            "bad regular expression \"(a*)\\\\1\": back-references are not "
            "supported");
  EXPECT_EQ(error("((a{99}){99}){99}"),
            "bad regular expression \"((a{99}){99}){99}\": its repetition "
            "counts are too large");
  EXPECT_EQ(error("(a{1,255}){9,9999}"),
            "bad regular expression \"(a{1,255}){9,9999}\": its repetition "
            "counts are too large");
  EXPECT_EQ(error(std::string(4097, 'a')), "bad regular expression \"" +
                                               std::string(80, 'a') +
                                               "...\": longer than 4096 bytes");
  EXPECT_THAT(error("a{64}b{8,9}\\{77777\\}\\\\"), IsEmpty());
  EXPECT_THAT(error(std::string(4096, '(') + "a"), Not(IsEmpty()))
      << "no closing parentheses";
}

TEST(NamePatternTest, BadExpressionIsNamedInItsError) {
  EXPECT_THAT(NamePattern::Create("a(\x1b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "bad regular expression \"a(\\x1b\": Unmatched ( or "
                       "\\("));
  EXPECT_THAT(NamePattern::Create(std::string_view("a\0z", 3)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "bad regular expression \"a\\x00z\": it holds a NUL "
                       "byte"));
}

}  // namespace
}  // namespace autotune
