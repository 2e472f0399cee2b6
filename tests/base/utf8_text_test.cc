#include "base/utf8_text.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(Utf8TextTest, EveryCodePointIsOneCharacterOfItsOwnBytes) {
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::string text;
    AppendUtf8(point, text);
    ASSERT_EQ(Utf8CharacterSize(text), text.size()) << point;
    ASSERT_EQ(ValidUtf8(text), text) << point;
  }
}

TEST(Utf8TextTest, CodePointsReadBack) {
  for (const std::uint32_t point : {0x41U, 0xE4U, 0x6F22U, 0x1F600U}) {
    std::string text;
    AppendUtf8(point, text);
    EXPECT_EQ(Utf8CodePoint(text), point);
  }
}

TEST(Utf8TextTest, ColumnsAreThoseOfTerminals) {
  EXPECT_EQ(Utf8Columns("a"), 1);
  EXPECT_EQ(Utf8Columns("\u00e4"), 1);
  EXPECT_EQ(Utf8Columns("\u0301"), 0);
  EXPECT_EQ(Utf8Columns("\u2026"), 1);
  EXPECT_EQ(Utf8Columns("\u6f22"), 2);
  EXPECT_EQ(Utf8Columns("\uac00"), 2);
  EXPECT_EQ(Utf8Columns("\uff21"), 2);
  EXPECT_EQ(Utf8Columns("\U0001f600"), 2);
}

TEST(Utf8TextTest, SurrogatesAndLargerValuesBecomeTheReplacement) {
  for (const std::uint32_t point : {0xD800U, 0xDFFFU, 0x110000U}) {
    std::string text;
    AppendUtf8(point, text);
    EXPECT_EQ(text, "\xEF\xBF\xBD") << point;
  }
}

// Unicode 15, table 3-7: the first ill-formed neighbours of each row.
TEST(Utf8TextTest, IllFormedBytesAreNoCharacter) {
  for (const char* text :
       {"", "\x80", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xE1\x80", "\xE1\x80\x7F", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(Utf8CharacterSize(text), 0U) << text;
  }
}

TEST(Utf8TextTest, EachBadByteBecomesOneReplacement) {
  EXPECT_EQ(ValidUtf8("a\xFF\xC3\xA9\xE2\x82z"),
            "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBDz");
}

}  // namespace
}  // namespace autotune
