// Files whose text ends early, read with ParseOptions::partial.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ParseOptions kPartial = {.partial = true};

// Rows of A (2 repetitions with mean), of B (2 repetitions) and of C (one).
std::string File(bool typed) {
  const auto row = [typed](const std::string& name, int repetition,
                           int repetitions) {
    const std::string type =
        typed ? absl::StrCat(R"("run_name": ")", name,
                             R"(", "run_type": "iteration", "repetitions": )",
                             repetitions, R"(, "repetition_index": )",
                             repetition, ", ")
              : "";
    return absl::StrCat(R"({"name": ")", name, "\", ", type,
                        R"("iterations": 1000, "real_time": 251.5, )",
                        R"("cpu_time": 250.5, "time_unit": "ns"})");
  };
  const auto aggregate = [typed](const std::string& name,
                                 const std::string& statistic) {
    const std::string type =
        typed
            ? absl::StrCat(R"("run_name": ")", name,
                           R"(", "run_type": "aggregate", "repetitions": 2, )",
                           R"("aggregate_name": ")", statistic, "\", ")
            : "";
    return absl::StrCat(R"({"name": ")", name, "_", statistic, "\", ", type,
                        R"("iterations": 1000, "real_time": 251.5, )",
                        R"("cpu_time": 250.5, "time_unit": "ns"})");
  };
  return absl::StrCat("{\"benchmarks\": [\n", row("A", 0, 2), ",\n",
                      row("A", 1, 2), ",\n", aggregate("A", "mean"), ",\n",
                      aggregate("A", "stddev"), ",\n", row("B", 0, 2), ",\n",
                      row("B", 1, 2), ",\n", row("C", 0, 1), "\n]}\n");
}

std::vector<std::string> Names(const ResultFile& file) {
  std::vector<std::string> names;
  for (const Measurement& row : file.measurements) names.push_back(row.name);
  return names;
}

std::vector<std::string> Unusable(const ResultFile& file) {
  std::vector<std::string> rows;
  for (const UnusableRow& row : file.unusable) {
    rows.push_back(absl::StrCat(row.name, ": ", row.reason));
  }
  return rows;
}

// The place after the `count`-th "}" that ends a row.
std::size_t EndOfRow(std::string_view text, int count) {
  std::size_t place = 0;
  for (int i = 0; i < count; ++i) place = text.find('}', place) + 1;
  return place;
}

ResultFile ReadPrefix(const std::string& text, std::size_t size) {
  absl::StatusOr<ResultFile> file =
      ParseResultFile(text.substr(0, size), "a.json", kPartial);
  EXPECT_OK(file);
  return file.ok() ? *std::move(file) : ResultFile();
}

TEST(ResultFilePartialTest, AWholeFileIsReadWhole) {
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    const ResultFile file = ReadPrefix(text, text.size());
    EXPECT_TRUE(file.complete);
    EXPECT_THAT(Names(file), ElementsAre("A", "A", "B", "B", "C"));
    EXPECT_THAT(file.unusable, IsEmpty());
  }
}

TEST(ResultFilePartialTest, ACutBetweenBenchmarksLosesNone) {
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    const ResultFile file = ReadPrefix(text, EndOfRow(text, 6));
    EXPECT_FALSE(file.complete);
    EXPECT_THAT(Names(file), ElementsAre("A", "A", "B", "B"));
    EXPECT_THAT(file.unusable, IsEmpty());
  }
}

TEST(ResultFilePartialTest, ACutBetweenRepetitionsTakesTheBenchmarkOut) {
  const std::string text = File(/*typed=*/true);
  const ResultFile file = ReadPrefix(text, EndOfRow(text, 5));
  EXPECT_THAT(Names(file), ElementsAre("A", "A"));
  EXPECT_THAT(Unusable(file),
              ElementsAre("B: the file ends within it, after 1 repetition"));
  EXPECT_EQ(file.unusable[0].kind, UnusableRow::Kind::kNotMeasured);
}

TEST(ResultFilePartialTest, ACutInARowTakesItsBenchmarkOut) {
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    const ResultFile file =
        ReadPrefix(text, text.find("\"iterations\"", EndOfRow(text, 5)));
    EXPECT_THAT(Names(file), ElementsAre("A", "A"));
    EXPECT_THAT(Unusable(file),
                ElementsAre("B: the file ends within it, after 1 repetition"));
  }
}

TEST(ResultFilePartialTest, ACutInTheNextBenchmarkKeepsTheOneBefore) {
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    const ResultFile file =
        ReadPrefix(text, text.find("\"iterations\"", EndOfRow(text, 6)));
    EXPECT_THAT(Names(file), ElementsAre("A", "A", "B", "B"));
    EXPECT_THAT(file.unusable, IsEmpty());
  }
}

TEST(ResultFilePartialTest, ACutBeforeTheNameTrustsTheClaimedRepetitions) {
  const std::string typed = File(true);
  EXPECT_THAT(Names(ReadPrefix(typed, EndOfRow(typed, 6) + 4)),
              ElementsAre("A", "A", "B", "B"));
  // Without such a claim the torn row may be one more repetition.
  const std::string untyped = File(false);
  const ResultFile file = ReadPrefix(untyped, EndOfRow(untyped, 6) + 4);
  EXPECT_THAT(Names(file), ElementsAre("A", "A"));
  EXPECT_THAT(Unusable(file),
              ElementsAre("B: the file ends within it, after 2 repetitions"));
}

TEST(ResultFilePartialTest, ACutInAggregatesLosesNoRepetition) {
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    for (const std::size_t size :
         {EndOfRow(text, 3), text.find("\"iterations\"", EndOfRow(text, 3)),
          EndOfRow(text, 4)}) {
      const ResultFile file = ReadPrefix(text, size);
      EXPECT_THAT(Names(file), ElementsAre("A", "A")) << size;
      EXPECT_THAT(file.unusable, IsEmpty()) << size;
    }
  }
}

TEST(ResultFilePartialTest, EveryPrefixHoldsWholeBenchmarksInOrder) {
  const std::vector<std::string> all = {"A", "A", "B", "B", "C"};
  for (const bool typed : {true, false}) {
    const std::string text = File(typed);
    const std::size_t end = text.rfind('}');
    for (std::size_t size = 2; size <= end; ++size) {
      EXPECT_FALSE(ParseResultFile(text.substr(0, size), "a.json").ok());
      const ResultFile file = ReadPrefix(text, size);
      EXPECT_FALSE(file.complete);
      const std::vector<std::string> names = Names(file);
      // Without a claim of repetitions, a cut between rows is taken for one
      // between benchmarks, where the library flushes.
      if (typed) {
        EXPECT_THAT(names.size(), testing::AnyOf(0U, 2U, 4U, 5U));
      }
      EXPECT_TRUE(std::equal(names.begin(), names.end(), all.begin()));
    }
  }
}

TEST(ResultFilePartialTest, ErroredRepetitionsCountAsThere) {
  const std::string text = absl::StrReplaceAll(
      File(true), {{R"("repetition_index": 0, "iterations": 1000)",
                    R"("repetition_index": 0, "error_occurred": true,
                       "error_message": "no", "iterations": 1)"}});
  const ResultFile file = ReadPrefix(text, EndOfRow(text, 6));
  EXPECT_THAT(Names(file), ElementsAre("A", "B"));
  EXPECT_THAT(Unusable(file), ElementsAre("A: no", "B: no"));
}

TEST(ResultFilePartialTest, WhatIsWrongIsRefusedAlsoWhenPartial) {
  const std::string text =
      absl::StrReplaceAll(File(true), {{"251.5", "\"fast\""}});
  EXPECT_FALSE(ParseResultFile(text, "a.json", kPartial).ok());
  EXPECT_FALSE(ParseResultFile("", "a.json", kPartial).ok());
  EXPECT_FALSE(ParseResultFile("BM_A\n", "a.json", kPartial).ok());
}

}  // namespace
}  // namespace autotune
