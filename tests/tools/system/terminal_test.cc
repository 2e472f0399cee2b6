#include "tools/system/terminal.h"

#include <cstdlib>
#include <sstream>
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

TEST(ProgressLineTest, ATerminalLineIsRewrittenAtMostOnceASecond) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{
      .out = out, .err = err, .err_is_terminal = true, .width = 6};
  {
    ProgressLine line(terminal, false);
    line.Show("one", 0.0);
    line.Show("two", 0.9);
    line.Show("longer than it fits", 1.0);
    EXPECT_EQ(err.str(), "\r\x1b[Kone\r\x1b[Klonge");
  }
  EXPECT_EQ(err.str(), "\r\x1b[Kone\r\x1b[Klonge\r\x1b[K");
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressLineTest, ElsewhereItIsPlainLinesAtGrowingIntervals) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{.out = out, .err = err, .width = 4};
  ProgressLine line(terminal, false);
  line.Show("first line", 0.0);
  line.Show("too early", 4.9);
  line.Show("second", 5.0);
  line.Show("too early", 12.4);
  line.Show("third", 12.5);
  line.Clear();
  EXPECT_EQ(err.str(), "first line\nsecond\nthird\n");
}

TEST(ProgressLineTest, QuietSaysNothing) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{.out = out, .err = err, .err_is_terminal = true};
  ProgressLine line(terminal, true);
  line.Show("x", 0.0);
  line.Clear();
  EXPECT_EQ(err.str(), "");
}

TEST(MakeSystemTerminalTest, NoColorAndDumbTerminalsTurnColourOff) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(MakeSystemTerminal().color);
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(MakeSystemTerminal().color);
}

}  // namespace
}  // namespace autotune
