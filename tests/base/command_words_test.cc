#include "base/command_words.h"

#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;

TEST(CommandWordsTest, SplitsAtBlanks) {
  EXPECT_THAT(CommandWords("  cmake -S .\t-B  {build}\n"),
              IsOkAndHolds(ElementsAre("cmake", "-S", ".", "-B", "{build}")));
}

TEST(CommandWordsTest, QuotesKeepBlanksAndEmptyWords) {
  EXPECT_THAT(CommandWords(R"(run "a b" 'c "d' '' e"f"g)"),
              IsOkAndHolds(ElementsAre("run", "a b", "c \"d", "", "efg")));
}

TEST(CommandWordsTest, BackslashKeepsTheNextCharacter) {
  EXPECT_THAT(CommandWords(R"(a\ b "c\"d" '\')"),
              IsOkAndHolds(ElementsAre("a b", "c\"d", "\\")));
}

TEST(CommandWordsTest, NothingIsExpanded) {
  EXPECT_THAT(CommandWords("echo $HOME $(id) *"),
              IsOkAndHolds(ElementsAre("echo", "$HOME", "$(id)", "*")));
}

TEST(CommandWordsTest, ShellCharactersAreRefused) {
  for (const char* text :
       {"a; b", "a | b", "a && b", "a > b", "a < b", "`a`"}) {
    EXPECT_THAT(CommandWords(text),
                StatusIs(absl::StatusCode::kOutOfRange,
                         testing::HasSubstr("commands run without a shell")))
        << text;
  }
  EXPECT_THAT(CommandWords("echo 'a; b'"),
              IsOkAndHolds(ElementsAre("echo", "a; b")));
}

TEST(CommandWordsTest, OpenQuoteAndNothingAreErrors) {
  EXPECT_THAT(CommandWords("a 'b"),
              StatusIs(absl::StatusCode::kOutOfRange, "a quote is not closed"));
  EXPECT_THAT(CommandWords("a\\"),
              StatusIs(absl::StatusCode::kOutOfRange, "a quote is not closed"));
  EXPECT_THAT(CommandWords(" \t"),
              StatusIs(absl::StatusCode::kOutOfRange, "expected a command"));
}

}  // namespace
}  // namespace autotune
