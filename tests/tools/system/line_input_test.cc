#include "tools/system/line_input.h"

#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

constexpr absl::Duration kNow = absl::ZeroDuration();

class LineInputTest : public testing::Test {
 protected:
  ~LineInputTest() override {
    Close();
    close(pipe_[0]);
  }

  static std::array<int, 2> OpenPipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    return ends;
  }
  void Write(std::string_view text) {
    EXPECT_EQ(write(pipe_[1], text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  void Close() {
    if (pipe_[1] >= 0) close(pipe_[1]);
    pipe_[1] = -1;
  }
  // "text", "(too long)" or "(none)".
  std::string Next() {
    const auto line = input_.Next(kNow);
    if (!line.has_value()) return "(none)";
    return line->too_long ? "(too long)" + line->text : line->text;
  }

  std::array<int, 2> pipe_ = OpenPipe();
  LineInput input_{pipe_[0], 8};
};

TEST_F(LineInputTest, LinesComeWholeHoweverTheyArrive) {
  EXPECT_EQ(Next(), "(none)");
  Write("ab");
  EXPECT_EQ(Next(), "(none)");
  Write("c\nd\r\n\ne");
  EXPECT_EQ(Next(), "abc");
  EXPECT_EQ(Next(), "d");
  EXPECT_EQ(Next(), "");
  EXPECT_EQ(Next(), "(none)");
  EXPECT_FALSE(input_.ended());
}

TEST_F(LineInputTest, TextBehindTheLastLineEndIsALineOnceTheInputEnded) {
  Write("a\nb");
  Close();
  EXPECT_EQ(Next(), "a");
  EXPECT_FALSE(input_.ended());
  EXPECT_EQ(Next(), "b");
  EXPECT_TRUE(input_.ended());
  EXPECT_EQ(Next(), "(none)");
}

TEST_F(LineInputTest, AnEndWithNothingBehindItIsNoLine) {
  Write("a\n");
  Close();
  EXPECT_EQ(Next(), "a");
  EXPECT_EQ(Next(), "(none)");
  EXPECT_TRUE(input_.ended());
}

TEST_F(LineInputTest, LongLinesLoseTheirTextAndNothingElse) {
  Write("12345678\n123456789\nx\n");
  EXPECT_EQ(Next(), "12345678");
  EXPECT_EQ(Next(), "(too long)");
  EXPECT_EQ(Next(), "x");
  // One that comes in pieces, each of them short.
  for (int i = 0; i < 5; ++i) {
    Write("abcde");
    EXPECT_EQ(Next(), "(none)");
  }
  Write("f\ny\n");
  EXPECT_EQ(Next(), "(too long)");
  EXPECT_EQ(Next(), "y");
  Write("123456789");
  EXPECT_EQ(Next(), "(none)");
  Close();
  EXPECT_EQ(Next(), "(too long)");
  EXPECT_TRUE(input_.ended());
}

}  // namespace
}  // namespace autotune
