#include "tools/autotune/task/attempt.h"

#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(OneLineTest, ControlsAndRunsOfBlanksBecomeOneBlank) {
  EXPECT_EQ(OneLine("a\n\tb  c\x7f", 80), "a b c");
  EXPECT_EQ(OneLine("", 80), "");
  EXPECT_EQ(OneLine("\n\n", 80), "");
}

TEST(OneLineTest, CutsAtWholeCharacters) {
  EXPECT_EQ(OneLine("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(OneLine("abcdefghi", 8), "abcde...");
  EXPECT_EQ(OneLine("abcd\xC3\xA9xyz", 8), "abcd...");
}

TEST(OneLineTest, BadUtf8IsReplaced) {
  EXPECT_EQ(OneLine("a\xFF"
                    "b",
                    80),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(LedgerMessageTest, ReasonCannotForgeATrailer) {
  EXPECT_EQ(LedgerMessage("x", AttemptStatus::kKeep,
                          "good\nAutotune-Decision: crash", "0123"),
            "ledger: keep x\n\nAutotune-Attempt: 0123\n"
            "Autotune-Decision: keep\n"
            "Autotune-Reason: good Autotune-Decision: crash\n");
}

TEST(ExitCodeOfTest, EveryDecisionHasItsCode) {
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kKeep), 0);
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kDiscard), 1);
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kReverted), 1);
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kCrash), 2);
  EXPECT_EQ(ExitCodeOf(std::nullopt), 2);
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kInconclusive), 3);
  EXPECT_EQ(ExitCodeOf(AttemptStatus::kViolation), 4);
}

TEST(AttemptNumberTextTest, HasThreeDigitsOrMore) {
  EXPECT_EQ(AttemptNumberText(7), "007");
  EXPECT_EQ(AttemptNumberText(1234), "1234");
}

TEST(FindEntryTest, LastEntryOfTheApproachWins) {
  HistoryEntry first;
  first.approach = "x";
  first.merge = "1";
  HistoryEntry second = first;
  second.merge = "2";
  EXPECT_EQ(FindEntry({first, second}, "x")->merge, "2");
  EXPECT_FALSE(FindEntry({first}, "y").has_value());
}

}  // namespace
}  // namespace autotune
