#include "comparator/recorded/visit_values.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/result_builder.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;

using Files = std::vector<ResultFile>;

// The pair of benchmark A of two sides; keeps what it points into.
class Sides {
 public:
  Sides(Files baseline, Files contender)
      : baseline_(std::move(baseline)),
        contender_(std::move(contender)),
        matched_(MatchBenchmarks(baseline_, contender_, {})) {}

  const BenchmarkPair& pair() const { return matched_.pairs.at(0); }
  absl::StatusOr<PairValues> Values(const std::string& metric) const {
    return ValuesOf(pair(), metric);
  }

 private:
  Files baseline_;
  Files contender_;
  MatchedBenchmarks matched_;
};

ResultFile TimesOf(const std::vector<double>& times) {
  return ResultBuilder("f").Times("A", times).Build();
}

Sides AgainstTen(Files baseline) {
  return Sides(std::move(baseline), {TimesOf({10})});
}

std::string WhyNot(const Sides& sides, const std::string& metric = "cpu_time") {
  const auto values = sides.Values(metric);
  EXPECT_EQ(values.status().code(), absl::StatusCode::kAborted);
  return std::string(values.status().message());
}

TEST(ValuesOfTest, AVisitsValueIsTheMedianOfItsRepetitions) {
  const Sides sides({TimesOf({1, 9, 2}), TimesOf({4, 6})},
                    {TimesOf({10}), TimesOf({20})});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_EQ(values.unit, SamplingUnit::kVisit);
  EXPECT_THAT(values.baseline.values, ElementsAre(2, 5));
  EXPECT_THAT(values.baseline.units, ElementsAre(0, 1));
  EXPECT_EQ(values.baseline.visits, 2U);
  EXPECT_EQ(values.baseline.repetitions, 5U);
  EXPECT_THAT(values.contender.values, ElementsAre(10, 20));
}

TEST(ValuesOfTest, ASingleVisitOnEitherSideLeavesRepetitions) {
  const Sides sides({TimesOf({1, 9, 2})}, {TimesOf({10}), TimesOf({20, 30})});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_EQ(values.unit, SamplingUnit::kRepetition);
  EXPECT_THAT(values.baseline.values, ElementsAre(1, 9, 2));
  EXPECT_THAT(values.contender.values, ElementsAre(10, 20, 30));
  EXPECT_THAT(values.contender.units, ElementsAre(0, 1, 2));
  EXPECT_EQ(values.contender.visits, 2U);
}

TEST(ValuesOfTest, PublishedMediansStandInForMissingRepetitions) {
  const Sides sides({ResultBuilder("1")
                         .Published("A", "mean", 3)
                         .Published("A", "median", 2)
                         .Build(),
                     TimesOf({4, 8, 5})},
                    {TimesOf({10}), TimesOf({20})});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_TRUE(values.from_aggregates);
  EXPECT_EQ(values.statistic, "median");
  EXPECT_THAT(values.baseline.values, ElementsAre(2, 5));
}

TEST(ValuesOfTest, WhereOnlyMeansArePublishedEveryVisitGivesItsMean) {
  const Sides sides({ResultBuilder("1").Published("A", "mean", 3).Build(),
                     TimesOf({4, 8, 6})},
                    {TimesOf({1, 1, 4}), TimesOf({20})});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_EQ(values.statistic, "mean");
  EXPECT_THAT(values.baseline.values, ElementsAre(3, 6));
  EXPECT_THAT(values.contender.values, ElementsAre(2, 20));
}

TEST(ValuesOfTest, AggregatesBesideRepetitionsAreNotCountedAgain) {
  const Sides sides = AgainstTen({ResultBuilder("1")
                                      .Times("A", {1, 3})
                                      .Published("A", "median", 2)
                                      .Build()});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_FALSE(values.from_aggregates);
  EXPECT_THAT(values.baseline.values, ElementsAre(1, 3));
}

TEST(ValuesOfTest, OtherAggregatesAreNoValues) {
  EXPECT_EQ(WhyNot(AgainstTen(
                {ResultBuilder("1").Published("A", "stddev", 3).Build()})),
            "baseline: publishes neither repetitions nor a median or mean");
}

TEST(ValuesOfTest, AMedianAndAMeanAreNotCompared) {
  const ResultFile median =
      ResultBuilder("1").Published("A", "median", 2).Build();
  const ResultFile mean = ResultBuilder("2").Published("A", "mean", 3).Build();
  const ResultFile both = ResultBuilder("3")
                              .Published("A", "median", 2)
                              .Published("A", "mean", 3)
                              .Build();
  EXPECT_EQ(WhyNot(Sides({median}, {mean})),
            "the baseline publishes a median and the contender a mean: let "
            "both publish the same, or their repetitions");
  EXPECT_EQ(WhyNot(Sides({mean, median}, {median})),
            "the baseline publishes some a median and some a mean and the "
            "contender a median: let both publish the same, or their "
            "repetitions");
  for (const ResultFile& one : {median, mean}) {
    ASSERT_OK(Sides({one}, {both}).Values("cpu_time"));
    ASSERT_OK(Sides({both}, {one}).Values("cpu_time"));
    ASSERT_OK(Sides({one}, {TimesOf({1, 2})}).Values("cpu_time"));
  }
}

TEST(ValuesOfTest, ACpuTimeOfZeroHasAWayOut) {
  EXPECT_EQ(WhyNot(AgainstTen({TimesOf({0, 0})})),
            "baseline: a CPU time of 0: its clock did not count; use --metric "
            "real_time");
}

TEST(ValuesOfTest, ErroredAndSkippedRowsCannotBeJudged) {
  ResultBuilder errored("1");
  errored.Times("A", {1}).Unusable("A", UnusableRow::Kind::kErrored, "boom");
  EXPECT_EQ(WhyNot(AgainstTen({errored.Build()})), "baseline: failed: boom");
  ResultBuilder skipped("1");
  skipped.Unusable("A", UnusableRow::Kind::kSkipped, "");
  EXPECT_EQ(WhyNot(Sides({TimesOf({1})}, {skipped.Build()})),
            "contender: skipped");
  ResultBuilder endless("1");
  endless.Unusable("A", UnusableRow::Kind::kNotMeasured,
                   std::string(1000, 'x'));
  EXPECT_EQ(WhyNot(AgainstTen({endless.Build()})),
            "baseline: not measured: " + std::string(200, 'x') + "...");
}

// Whatever kept a run from giving a number, and on whichever side.
TEST(ValuesOfTest, WhatHappenedInSomeRunsIsCountedTheSameWayOnBothSides) {
  using Kind = UnusableRow::Kind;
  const auto with = [](Kind kind, const std::string& reason) {
    return ResultBuilder("x").Times("B", {1}).Unusable("A", kind, reason);
  };
  const auto fine = [](double time) {
    return ResultBuilder("1").Times("A", {time}).Times("B", {1}).Build();
  };
  const struct {
    ResultFile odd;
    std::string said;
  } cases[] = {
      {with(Kind::kErrored, "boom").Build(), "failed in 1 of 3 runs: boom"},
      {with(Kind::kSkipped, "no AVX").Build(),
       "skipped in 1 of 3 runs: no AVX"},
      {with(Kind::kNotMeasured, "dry run").Build(),
       "not measured in 1 of 3 runs: dry run"},
      {with(Kind::kErrored, "").Times("A", {5}).Build(),
       "failed in 1 of 3 runs"},
      {with(Kind::kErrored, "").Published("A", "median", 5).Build(),
       "failed in 1 of 3 runs"},
      {ResultBuilder("x").Times("B", {1}).Build(), "missing in 1 of 3 runs"},
      {ResultBuilder("x").Build(), "missing in 1 of 3 runs"},
  };
  const std::vector<ResultFile> sound = {fine(10), fine(11), fine(12)};
  for (const auto& one : cases) {
    const std::vector<ResultFile> odd = {fine(20), one.odd, fine(22)};
    EXPECT_EQ(WhyNot(Sides(odd, sound)), "baseline: " + one.said);
    EXPECT_EQ(WhyNot(Sides(sound, odd)), "contender: " + one.said);
  }
}

TEST(ValuesOfTest, RunsOfOtherPartsOfAProgramMissNothing) {
  const Sides sides(
      {TimesOf({1}), TimesOf({2}), ResultBuilder("3").Times("B", {1}).Build()},
      {TimesOf({3}), TimesOf({4})});
  ASSERT_OK_AND_ASSIGN(const PairValues values, sides.Values("cpu_time"));
  EXPECT_THAT(values.baseline.values, ElementsAre(1, 2));
}

TEST(ValuesOfTest, ValuesWithoutARatioCannotBeJudged) {
  EXPECT_EQ(WhyNot(AgainstTen({TimesOf({1, 0})}), "real_time"),
            "baseline: a value of 0 has no ratio");
  EXPECT_EQ(WhyNot(AgainstTen({TimesOf({-2.5})})),
            "baseline: a value of -2.5 has no ratio");
}

TEST(ValuesOfTest, RowsWithoutTheMetricAreCounted) {
  ResultBuilder builder("1");
  builder.Times("A", {1, 2, 3}).Counter("A", "widgets", {5, 6});
  EXPECT_EQ(WhyNot(AgainstTen({builder.Build()}), "widgets"),
            "baseline: 1 of 3 rows carry no widgets");
}

TEST(ValuesOfTest, SeveralBenchmarksUnderOneNameCannotBeJudged) {
  const Files files = {
      ResultBuilder("f").Times("A1", {1}).Times("A2", {1}).Build()};
  MatchOptions options;
  options.renames = {ParseRenameRule("[0-9]=").value()};
  const MatchedBenchmarks matched = MatchBenchmarks(files, files, options);
  EXPECT_THAT(ValuesOf(matched.pairs[0], "cpu_time"),
              StatusIs(absl::StatusCode::kAborted,
                       "baseline: several benchmarks meet under this name: "
                       "A1, A2"));
}

TEST(CarriesMetricTest, AnyRowOrPublishedAverageIsEnough) {
  ResultBuilder builder("1");
  builder.Times("A", {1, 2}).Counter("A", "widgets", {5});
  const Sides sides = AgainstTen({builder.Build()});
  EXPECT_TRUE(CarriesMetric(sides.pair(), "widgets"));
  EXPECT_TRUE(CarriesMetric(sides.pair(), "real_time"));
  EXPECT_FALSE(CarriesMetric(sides.pair(), "gadgets"));
  const Sides published({ResultBuilder("1").Published("A", "mean", 3).Build()},
                        {ResultBuilder("1").Published("A", "mean", 3).Build()});
  EXPECT_TRUE(CarriesMetric(published.pair(), "real_time"));
}

}  // namespace
}  // namespace autotune
