#include "tools/ledger/metric_merge.h"

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Entry(std::string_view description) {
  return "[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"" +
         std::string(description) + "\"\n\n";
}

TEST(MetricMergeTest, EntriesAndPreambleMakeTheFileAgain) {
  const std::string text =
      "# c\nv = 1\n\n  [[metric]]\nx = 1\n[metric.metrics]\ny = 1\n"
      "[[metric.samples]]\n\n[[result]]\n";
  const MetricEntries split = SplitMetricEntries(text);
  EXPECT_EQ(split.preamble, "# c\nv = 1\n\n");
  EXPECT_THAT(split.entries,
              ElementsAre("  [[metric]]\nx = 1\n[metric.metrics]\ny = 1\n"
                          "[[metric.samples]]\n\n",
                          "[[result]]\n"));
  EXPECT_EQ(SplitMetricEntries("").preamble, "");
}

TEST(MetricMergeTest, BothSidesEntriesStandWhole) {
  const std::string base = "# ours\n" + Entry("a");
  EXPECT_EQ(MergeMetricFiles(base, base + Entry("b"), base + Entry("c")),
            base + Entry("b") + Entry("c"));
}

TEST(MetricMergeTest, OneSideAloneIsTakenAsItIs) {
  const std::string base = Entry("a");
  const std::string longer = "# new\r\n" + base + Entry("b") + "# tail";
  EXPECT_EQ(MergeMetricFiles(base, base, longer), longer);
  EXPECT_EQ(MergeMetricFiles(base, longer, base), longer);
  EXPECT_EQ(MergeMetricFiles("", "", Entry("a")), Entry("a"));
}

TEST(MetricMergeTest, TheSameNewEntryStandsOnce) {
  const std::string base = Entry("a");
  EXPECT_EQ(MergeMetricFiles(base, base + Entry("b"),
                             base + "\n" + Entry("b") + Entry("c")),
            base + Entry("b") + Entry("c"));
}

TEST(MetricMergeTest, RemovedOrEditedEntriesAreNotLost) {
  const std::string base = Entry("a") + Entry("b");
  EXPECT_EQ(MergeMetricFiles(base, base + Entry("c"), Entry("a2") + Entry("b")),
            base + Entry("c") + Entry("a2"));
  EXPECT_EQ(MergeMetricFiles(base, Entry("b") + Entry("c"), base + Entry("d")),
            Entry("b") + Entry("c") + Entry("d"));
}

TEST(MetricMergeTest, AMissingFinalNewlineIsMended) {
  EXPECT_EQ(MergeMetricFiles("", "[[metric]]\nx = 1", "[[metric]]\nx = 2"),
            "[[metric]]\nx = 1\n[[metric]]\nx = 2\n\n");
}

// What `git merge-file -p --union` of git 2.39.5 makes of Entry("a") with "b"
// appended on one side and "c" on the other: equal lines stand once.
constexpr char kUnion[] =
    "[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"a\"\n\n"
    "[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"b\"\n"
    "\"description\" = \"c\"\n\n";

TEST(MetricMergeTest, RepairTakesWholeEntriesFromHistory) {
  const RepairedMetricFile repaired = RepairMetricFile(
      kUnion, {Entry("a"), Entry("a") + Entry("b"), Entry("a") + Entry("c")});
  EXPECT_EQ(repaired.text, Entry("a") + Entry("b") + Entry("c"));
  EXPECT_THAT(repaired.dropped, IsEmpty());
  EXPECT_THAT(ParseMetricFile(repaired.text, "m").warnings, IsEmpty());
}

TEST(MetricMergeTest, RepairReportsWhatNothingExplains) {
  const RepairedMetricFile repaired =
      RepairMetricFile(kUnion, {Entry("a"), Entry("a") + Entry("b")});
  EXPECT_EQ(repaired.text, Entry("a") + Entry("b"));
  EXPECT_THAT(repaired.dropped, ElementsAre(testing::HasSubstr("\"c\"")));
}

TEST(MetricMergeTest, RepairOfAWholeFileChangesNothing) {
  const std::string text = "# top\n" + Entry("a") + Entry("b");
  EXPECT_EQ(RepairMetricFile(text, {"# top\n" + Entry("a"), text}).text, text);
}

}  // namespace
}  // namespace autotune
