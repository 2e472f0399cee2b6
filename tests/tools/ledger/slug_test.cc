#include "tools/ledger/slug.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

TEST(SlugTest, EveryRunOfOtherCharactersBecomesOneDash) {
  EXPECT_THAT(Slug("Combine  SAME-word_masks!"),
              IsOkAndHolds("combine-same-word-masks"));
  EXPECT_THAT(Slug("--a//b--"), IsOkAndHolds("a-b"));
  EXPECT_THAT(Slug("d\xC3\xA9j\xC3\xA0 vu 2"), IsOkAndHolds("d-j-vu-2"));
  EXPECT_THAT(Slug("$(rm -rf /)\n\"x\""), IsOkAndHolds("rm-rf-x"));
}

TEST(SlugTest, IsCutAtSixtyCharactersWithoutATrailingDash) {
  EXPECT_THAT(Slug(std::string(80, 'A')), IsOkAndHolds(std::string(60, 'a')));
  EXPECT_THAT(Slug(std::string(59, 'a') + " b"),
              IsOkAndHolds(std::string(59, 'a')));
}

TEST(SlugTest, NothingLeftIsRefused) {
  EXPECT_THAT(Slug(" \n--\xFF"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\" \\n--\xEF\xBF\xBD\": expected a name with at least "
                       "one of a-z or 0-9"));
  EXPECT_THAT(Slug(""), StatusIs(absl::StatusCode::kInvalidArgument,
                                 "\"\": expected a name with at least one of "
                                 "a-z or 0-9"));
}

TEST(SlugTest, IsSlugHoldsForWhatSlugMakes) {
  for (const char* text : {"a", "a-b", "2", "x-2"}) EXPECT_TRUE(IsSlug(text));
  for (const char* text : {"", "-a", "a-", "a--b", "A", "a_b", "a/b"}) {
    EXPECT_FALSE(IsSlug(text)) << text;
  }
}

TEST(SlugTest, UniqueSlugTakesTheSmallestFreeNumber) {
  EXPECT_EQ(UniqueSlug("a", {}), "a");
  EXPECT_EQ(UniqueSlug("a", {"a"}), "a-2");
  EXPECT_EQ(UniqueSlug("a", {"a", "a-2", "a-4"}), "a-3");
  const std::string longest(60, 'a');
  EXPECT_EQ(UniqueSlug(longest, {longest}), std::string(58, 'a') + "-2");
  const std::string dashed = std::string(57, 'a') + "-bc";
  EXPECT_EQ(UniqueSlug(dashed, {dashed}), std::string(57, 'a') + "-2");
}

TEST(SlugTest, TaskNameIsDateAndSlug) {
  EXPECT_THAT(TaskName("2026-02-03", "Tokenizer speed"),
              IsOkAndHolds("2026-02-03-tokenizer-speed"));
  EXPECT_THAT(TaskName("2026-2-3", "x"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\"2026-2-3\": expected a date YYYY-MM-DD"));
  EXPECT_TRUE(IsTaskName("2026-02-03-tokenizer-speed"));
  for (const char* text : {"2026-02-03", "2026-02-03-", "x-02-03-a",
                           "2026-02-03-A", "2026-02-03_a"}) {
    EXPECT_FALSE(IsTaskName(text)) << text;
  }
}

}  // namespace
}  // namespace autotune
