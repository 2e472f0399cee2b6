#include "tools/ledger/log_file.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(LogFileTest, NewFileIsTheTitle) {
  EXPECT_EQ(NewLogFile("2026-02-03-tokenizer"),
            "# Log for 2026-02-03-tokenizer\n");
  EXPECT_EQ(NewLogFile("a\n# b"), "# Log for a # b\n");
}

TEST(LogFileTest, FirstEntryOfADateMakesItsSectionLast) {
  EXPECT_EQ(AppendLogEntry("# Log for x\n", "2026-02-03", "branch misses"),
            "# Log for x\n\n## 2026-02-03\n\n- branch misses\n");
  EXPECT_EQ(AppendLogEntry("", "2026-02-03", "a"), "## 2026-02-03\n\n- a\n");
  EXPECT_EQ(AppendLogEntry("# Log\n\n## 2026-02-01\n\n- a", "2026-02-03", "b"),
            "# Log\n\n## 2026-02-01\n\n- a\n\n## 2026-02-03\n\n- b\n");
}

TEST(LogFileTest, LaterEntryFollowsTheOthersOfItsDate) {
  EXPECT_EQ(AppendLogEntry("## 2026-02-03\n\n- a\n", "2026-02-03", "b"),
            "## 2026-02-03\n\n- a\n- b\n");
}

TEST(LogFileTest, EntryNeverLandsUnderAnotherHeading) {
  EXPECT_EQ(AppendLogEntry("## 2026-02-03\n\n- a\n\n## Architecture Notes\n\n"
                           "profile\n",
                           "2026-02-03", "b"),
            "## 2026-02-03\n\n- a\n- b\n\n## Architecture Notes\n\nprofile\n");
  EXPECT_EQ(
      AppendLogEntry("## 2026-02-03\n### Inner\n- a\n", "2026-02-03", "b"),
      "## 2026-02-03\n\n- b\n\n### Inner\n- a\n");
  EXPECT_EQ(AppendLogEntry("## 2026-02-03 later\n\n- a\n", "2026-02-03", "b"),
            "## 2026-02-03 later\n\n- a\n\n## 2026-02-03\n\n- b\n");
}

TEST(LogFileTest, OtherHeadingsWorkAsSections) {
  EXPECT_EQ(AppendLogEntry("# Log\n", "Architecture Notes", "hot: Lex 61 %"),
            "# Log\n\n## Architecture Notes\n\n- hot: Lex 61 %\n");
}

TEST(LogFileTest, ContinuationLinesAreIndented) {
  EXPECT_EQ(AppendLogEntry("## d\n\n- a\n", "d", "one\n\ntwo\r\n  three\n\n"),
            "## d\n\n- a\n- one\n\n  two\n    three\n");
}

TEST(LogFileTest, TextCannotStartAHeadingOrAnotherEntry) {
  EXPECT_EQ(AppendLogEntry("## d\n", "d", "# one\n## 2020-01-01\n- two\n---"),
            "## d\n\n- \\# one\n  \\## 2020-01-01\n  - two\n  \\---\n");
}

TEST(LogFileTest, ControlCharactersAndBadBytesAreMadeHarmless) {
  EXPECT_EQ(AppendLogEntry("## d\n", "d", "a\x1B[2Jb\xFF\tc"),
            "## d\n\n- a [2Jb\xEF\xBF\xBD c\n");
}

TEST(LogFileTest, ExistingBytesStayAroundTheEntry) {
  const std::string existing =
      "\xFF junk\r\n## d\r\n- old\r\n\r\n\r\n# other\r\n";
  const std::string log = AppendLogEntry(existing, "d", "new");
  const std::string_view added = "- new\n";
  const auto at = log.find(added);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::string(log).erase(at, added.size()), existing);
  EXPECT_LT(at, log.find("# other"));
}

}  // namespace
}  // namespace autotune
