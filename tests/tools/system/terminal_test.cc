#include "tools/system/terminal.h"

#include <cstdlib>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

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
