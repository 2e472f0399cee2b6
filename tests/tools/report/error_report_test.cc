#include "tools/report/error_report.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

absl::Status Wrong() { return absl::FailedPreconditionError("wrong"); }

TEST(ErrorReportTest, HintsAreWordsAndCommandsOneAfterTheOther) {
  const absl::Status status =
      WithHint(Wrong(), {"choose another name, or ",
                         Autotune({"revive", "a b"}), " does it again"});
  EXPECT_EQ(ErrorText("autotune", status),
            "autotune: error: wrong\nautotune: hint: choose another name, or "
            "autotune revive 'a b' does it again\n");
}

TEST(ErrorReportTest, CommandsOfHintsKeepTheirPartsAndAnyBytes) {
  const std::string bytes("3:x\0\xff\n:", 8);
  const Command command{"git", {"show", "", bytes}, {"-C", bytes}};
  const Hint hint =
      HintOf(WithHint(Wrong(), {command, bytes, "", Autotune({"status"})}));
  ASSERT_EQ(hint.size(), 4U);
  const auto* found = std::get_if<Command>(&hint[0]);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->program, "git");
  EXPECT_EQ(found->words, command.words);
  EXPECT_EQ(found->leading, command.leading);
  EXPECT_EQ(std::get<std::string>(hint[1]), bytes);
  EXPECT_EQ(std::get<std::string>(hint[2]), "");
  EXPECT_EQ(std::get<Command>(hint[3]).Text(), "autotune status");
}

TEST(ErrorReportTest, ErrorsWithoutAHintHaveNone) {
  EXPECT_TRUE(HintOf(Wrong()).empty());
  EXPECT_TRUE(HintOf(WithHint(Wrong(), "")).empty());
  EXPECT_EQ(ErrorText("autotune", WithHint(Wrong(), "")),
            "autotune: error: wrong\n");
}

}  // namespace
}  // namespace autotune
