#include "comparator/recorded/benchmark_pairs.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/result_builder.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Files = std::vector<ResultFile>;

NamePattern Pattern(std::string_view text) {
  return NamePattern::Create(text).value();
}

RenameRule Rename(std::string_view text) {
  return ParseRenameRule(text).value();
}

std::vector<std::string> Names(const MatchedBenchmarks& matched) {
  std::vector<std::string> names;
  for (const BenchmarkPair& pair : matched.pairs) names.push_back(pair.name);
  return names;
}

std::vector<std::size_t> Visits(const BenchmarkSide& side) {
  std::vector<std::size_t> visits;
  for (const VisitRow& row : side.rows) visits.push_back(row.visit);
  return visits;
}

TEST(MatchBenchmarksTest, PairsComeInTheBaselinesOrderThenTheContendersOwn) {
  const Files baseline = {
      ResultBuilder("old").Times("B", {1}).Times("A", {1}).Build()};
  const Files contender = {
      ResultBuilder("new").Times("C", {1}).Times("A", {1}).Build()};
  const MatchedBenchmarks matched = MatchBenchmarks(baseline, contender, {});
  EXPECT_THAT(Names(matched), ElementsAre("B", "A", "C"));
  EXPECT_TRUE(matched.pairs[0].baseline.present());
  EXPECT_FALSE(matched.pairs[0].contender.present());
  EXPECT_TRUE(matched.pairs[1].contender.present());
  EXPECT_FALSE(matched.pairs[2].baseline.present());
}

TEST(MatchBenchmarksTest, EachFileIsAVisitUnlessItSaysWhichWroteIt) {
  const Files baseline = {
      ResultBuilder("1").Times("A", {1, 2}).Build(),
      ResultBuilder("2").Times("A", {3}).Build(),
      ResultBuilder("3").Visit("x").Times("A", {4}).Build(),
      ResultBuilder("4").Visit("x").Times("A", {5}).Build(),
  };
  const MatchedBenchmarks matched = MatchBenchmarks(baseline, baseline, {});
  EXPECT_EQ(matched.baseline_visits, 3U);
  EXPECT_THAT(Visits(matched.pairs[0].baseline), ElementsAre(0, 0, 1, 2, 2));
  EXPECT_THAT(matched.warnings,
              ElementsAre("3 and 4 hold the same visit: counted as one",
                          "3 and 4 hold the same visit: counted as one"));
}

TEST(MatchBenchmarksTest, RowsOfOneFileMayBelongToSeveralVisits) {
  ResultBuilder builder("old");
  builder.Times("A", {1, 2, 3});
  builder.file().measurements[0].visit_id = "first";
  builder.file().measurements[1].visit_id = "second";
  builder.file().measurements[2].visit_id = "first";
  const Files files = {builder.Build()};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, {});
  EXPECT_EQ(matched.baseline_visits, 2U);
  EXPECT_THAT(Visits(matched.pairs[0].baseline), ElementsAre(0, 1, 0));
}

TEST(MatchBenchmarksTest, FilterSelectsByTheNameInTheFile) {
  const Files files = {
      ResultBuilder("f").Times("BM_A", {1}).Times("BM_B", {1}).Build()};
  MatchOptions options;
  options.filter = Pattern("A$");
  EXPECT_THAT(Names(MatchBenchmarks(files, files, options)),
              ElementsAre("BM_A"));
  options.filter = Pattern("-A$");
  EXPECT_THAT(Names(MatchBenchmarks(files, files, options)),
              ElementsAre("BM_B"));
}

TEST(MatchBenchmarksTest, TwoFamiliesOfOneFileMeetUnderACommonName) {
  const Files files = {ResultBuilder("f")
                           .Times("BM_Std/8", {1})
                           .Times("BM_Ours/8", {1})
                           .Times("BM_Std/64", {1})
                           .Times("BM_Ours/64", {1})
                           .Build()};
  MatchOptions options;
  options.filter_baseline = Pattern("BM_Std");
  options.filter_contender = Pattern("BM_Ours");
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, options);
  EXPECT_THAT(Names(matched),
              ElementsAre("[BM_Std vs BM_Ours]/8", "[BM_Std vs BM_Ours]/64"));
  EXPECT_THAT(matched.pairs[0].baseline.file_names, ElementsAre("BM_Std/8"));
  EXPECT_THAT(matched.pairs[0].contender.file_names, ElementsAre("BM_Ours/8"));
}

TEST(MatchBenchmarksTest, RenamesApplyInOrderOnBothSides) {
  const Files baseline = {ResultBuilder("old").Times("BM_Old/8", {1}).Build()};
  const Files contender = {ResultBuilder("new").Times("New<8>", {1}).Build()};
  MatchOptions options;
  options.renames = {Rename("^BM_Old/([0-9]+)$=New<\\1>"), Rename("New=N")};
  const MatchedBenchmarks matched =
      MatchBenchmarks(baseline, contender, options);
  EXPECT_THAT(Names(matched), ElementsAre("N<8>"));
  EXPECT_TRUE(matched.pairs[0].contender.present());
}

TEST(MatchBenchmarksTest, NamesThatMeetByRenamingAreRemembered) {
  const Files files = {
      ResultBuilder("f").Times("A1", {1}).Times("A2", {1}).Build()};
  MatchOptions options;
  options.renames = {Rename("[0-9]=")};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, options);
  EXPECT_THAT(matched.pairs[0].baseline.file_names, ElementsAre("A1", "A2"));
}

TEST(MatchBenchmarksTest, GuardsAreTakenInPastTheFilter) {
  const Files files = {ResultBuilder("f")
                           .Times("Target", {1})
                           .Times("Guard", {1})
                           .Times("Other", {1})
                           .Build()};
  MatchOptions options;
  options.filter = Pattern("Target");
  options.also = {Pattern("Guard")};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, options);
  EXPECT_THAT(Names(matched), ElementsAre("Target", "Guard"));
  EXPECT_TRUE(matched.pairs[0].selected);
  EXPECT_FALSE(matched.pairs[1].selected);
}

TEST(MatchBenchmarksTest, ProgramsThatShareANameAreKeptApart) {
  const auto file = [](const std::string& path, double time) {
    return ResultBuilder(path).Executable(path).Times("BM_A", {time}).Build();
  };
  // The same file names in differently placed folders.
  const Files baseline = {file("/old/x/bench", 1), file("/old/y/bench", 2)};
  const Files contender = {file("/new/x/bench", 1), file("/new/y/bench", 2)};
  EXPECT_THAT(Names(MatchBenchmarks(baseline, contender, {})),
              ElementsAre("x/bench: BM_A", "y/bench: BM_A"));
}

TEST(MatchBenchmarksTest, ProgramsAreToldApartByFileNameWhenFoldersDiffer) {
  const auto file = [](const std::string& path) {
    return ResultBuilder(path).Executable(path).Times("BM_A", {1}).Build();
  };
  const Files baseline = {file("/b/parse"), file("/b/scan")};
  const Files contender = {file("/c/d/parse"), file("/e/scan"),
                           file("/f/scan")};
  const MatchedBenchmarks matched = MatchBenchmarks(baseline, contender, {});
  EXPECT_THAT(Names(matched), ElementsAre("parse: BM_A", "scan: BM_A"));
  EXPECT_THAT(matched.pairs[1].contender.rows, SizeIs(2));
}

TEST(MatchBenchmarksTest, OneProgramInSeveralPlacesIsOneProgramAndSaidSo) {
  const auto file = [](const std::string& path) {
    return ResultBuilder(path).Executable(path).Times("BM_A", {1}).Build();
  };
  const Files baseline = {file("/a/bench"), file("/b/bench")};
  const Files contender = {file("/c/bench")};
  const MatchedBenchmarks matched = MatchBenchmarks(baseline, contender, {});
  EXPECT_THAT(Names(matched), ElementsAre("BM_A"));
  EXPECT_EQ(matched.baseline_visits, 2U);
  EXPECT_THAT(matched.warnings,
              ElementsAre("different programs of one name count as visits of "
                          "one: /a/bench, /b/bench"));
}

TEST(MatchBenchmarksTest, NamesThatOnlyOneProgramHasStayAsTheyAre) {
  const Files files = {
      ResultBuilder("1").Executable("/x/parse").Times("BM_A", {1}).Build(),
      ResultBuilder("2").Executable("/x/scan").Times("BM_B", {1}).Build()};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, {});
  EXPECT_THAT(Names(matched), ElementsAre("BM_A", "BM_B"));
  EXPECT_THAT(matched.warnings, IsEmpty());
}

TEST(MatchBenchmarksTest, RowsWithoutNumbersAndDoubtsFollowTheirBenchmark) {
  ResultBuilder builder("f");
  builder.Times("A", {1})
      .Unusable("A", UnusableRow::Kind::kErrored, "boom")
      .Published("A", "mean", 1);
  builder.file().suspicions = {{Suspicion::Kind::kTooFast, "A", "too fast"},
                               {Suspicion::Kind::kDebugBuild, "", "debug"},
                               {Suspicion::Kind::kTooFast, "absent", "no row"}};
  const Files files = {builder.Build()};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, {});
  ASSERT_THAT(matched.pairs, SizeIs(1));
  const BenchmarkSide& side = matched.pairs[0].baseline;
  EXPECT_THAT(side.unusable, SizeIs(1));
  EXPECT_THAT(side.aggregates, SizeIs(1));
  ASSERT_THAT(side.suspicions, SizeIs(1));
  EXPECT_EQ(side.suspicions[0]->text, "too fast");
}

TEST(ParseRenameRuleTest, TextIsSplitAtTheLastEqualsSign) {
  EXPECT_EQ(ParseRenameRule("a=b=c")->pattern.text(), "a=b");
  EXPECT_EQ(ParseRenameRule("a=b=c")->replacement, "c");
  EXPECT_EQ(ParseRenameRule("a=")->replacement, "");
}

TEST(ParseRenameRuleTest, WhatIsNoRuleIsRefused) {
  EXPECT_THAT(ParseRenameRule("abc"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "expected REGEX=TEXT, got \"abc\""));
  EXPECT_THAT(ParseRenameRule("=b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "expected REGEX=TEXT, got \"=b\""));
  EXPECT_THAT(ParseRenameRule("(=b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "bad regular expression \"(\": Unmatched ( or \\("));
  EXPECT_THAT(ParseRenameRule("-a=b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a leading '-' excludes names and cannot rename: "
                       "\"-a=b\""));
}

}  // namespace
}  // namespace autotune
