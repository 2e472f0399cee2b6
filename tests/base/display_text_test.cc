#include "base/display_text.h"

#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(PrintableTextTest, KeepsOrdinaryTextOfEveryLength) {
  const std::string text =
      "BM_Parse/64 caf\xc3\xa9 \xe2\x82\xac "
      "\xf0\x9f\x98\x80";
  EXPECT_EQ(PrintableText(text), text);
  EXPECT_EQ(PrintableText(""), "");
}

TEST(PrintableTextTest, ShowsControlCharactersAndEscapes) {
  EXPECT_EQ(PrintableText("a\nb\tc\rd\x1b[31me\x7f"),
            "a\\nb\\tc\\rd\\x1b[31me\\x7f");
  EXPECT_EQ(PrintableText(std::string("\0", 1)), "\\x00");
}

TEST(PrintableTextTest, ShowsInvalidUtf8ByteByByte) {
  EXPECT_EQ(PrintableText("\xff"), "\\xff");
  EXPECT_EQ(PrintableText("\xc3"), "\\xc3");
  EXPECT_EQ(PrintableText("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(PrintableText("\xe0\x80\x80"), "\\xe0\\x80\\x80");  // overlong
  EXPECT_EQ(PrintableText("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(PrintableText("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(PrintableTextTest, ShowsWhatReordersOrHidesText) {
  EXPECT_EQ(PrintableText("a\xe2\x80\xae"
                          "b"),
            "a\\u202eb");
  EXPECT_EQ(PrintableText("\xc2\x9b"), "\\x9b");
  EXPECT_EQ(PrintableText("\xef\xbb\xbf"), "\\ufeff");
}

TEST(QuotedTest, QuotesAndBackslashesAreEscaped) {
  EXPECT_EQ(Quoted("a \"b\" \\d"), "\"a \\\"b\\\" \\\\d\"");
  EXPECT_EQ(Quoted("a\x1b"), "\"a\\x1b\"");
  EXPECT_EQ(Quoted(""), "\"\"");
}

TEST(QuotedTest, LongTextIsCutBetweenCharacters) {
  const std::string most(60, 'x');
  EXPECT_EQ(Quoted(most), "\"" + most + "\"");
  EXPECT_EQ(Quoted(most + "x"), "\"" + most + "\"...");
  const std::string before(59, 'x');
  EXPECT_EQ(Quoted(before + "\xc3\xa9"), "\"" + before + "\"...");
}

TEST(AsciiTextTest, EveryOtherCharacterIsEscaped) {
  EXPECT_EQ(AsciiText("a b\n"), "a b\n");
  EXPECT_EQ(AsciiText("\u00e4\u6f22\U0001f600"), "\\u00e4\\u6f22\\u1f600");
  EXPECT_EQ(AsciiText("\xff"), "\\xff");
}

}  // namespace
}  // namespace autotune
