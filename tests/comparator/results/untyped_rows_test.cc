#include "comparator/results/untyped_rows.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "comparator/results/measurement.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::ElementsAre;

using NameAndIterations = std::pair<std::string, std::int64_t>;

std::vector<std::string> Statistics(const std::vector<NameAndIterations>& rows,
                                    bool cut = false) {
  std::vector<Measurement> measurements;
  for (const auto& [name, iterations] : rows) {
    measurements.emplace_back();
    measurements.back().name = name;
    measurements.back().iterations = iterations;
  }
  return UntypedAggregateNames(measurements, cut);
}

TEST(UntypedRowsTest, AggregatesFollowTheirRepetitions) {
  EXPECT_THAT(Statistics({{"A", 9}, {"A", 9}, {"A_mean", 9}, {"A_stddev", 0}}),
              ElementsAre("", "", "mean", "stddev"));
  EXPECT_THAT(Statistics({{"A/2", 9},
                          {"A/2", 9},
                          {"A/2_mean", 9},
                          {"A/2_median", 9},
                          {"A/2_stddev", 9},
                          {"B", 5}}),
              ElementsAre("", "", "mean", "median", "stddev", ""));
}

TEST(UntypedRowsTest, AggregatesMayStandAlone) {
  EXPECT_THAT(Statistics({{"A_mean", 9},
                          {"A_median", 9},
                          {"A_stddev", 9},
                          {"B_mean", 7},
                          {"B_stddev", 7}}),
              ElementsAre("mean", "median", "stddev", "mean", "stddev"));
}

TEST(UntypedRowsTest, StatisticsOfTheUserFollowTheOthers) {
  EXPECT_THAT(Statistics({{"A", 9},
                          {"A", 9},
                          {"A_mean", 9},
                          {"A_median", 9},
                          {"A_stddev", 9},
                          {"A_max", 9},
                          {"A_99th_percentile", 9},
                          {"A_b", 8}}),
              ElementsAre("", "", "mean", "median", "stddev", "max",
                          "99th_percentile", ""));
}

TEST(UntypedRowsTest, ABenchmarkNamedLikeAnAggregateStaysOne) {
  EXPECT_THAT(Statistics({{"A_mean", 9}}), ElementsAre(""));
  EXPECT_THAT(Statistics({{"A", 9}, {"A_mean", 9}}), ElementsAre("", ""));
  EXPECT_THAT(Statistics({{"A", 9}, {"A_mean", 9}, {"A_stddev", 9}}),
              ElementsAre("", "", ""));
  EXPECT_THAT(Statistics({{"A_mean", 9}, {"A_stddev", 8}}),
              ElementsAre("", ""));
  EXPECT_THAT(Statistics({{"A_mean", 9}, {"B", 9}, {"A_stddev", 9}}),
              ElementsAre("", "", ""));
  EXPECT_THAT(Statistics({{"_mean", 9}, {"_stddev", 9}}), ElementsAre("", ""));
}

TEST(UntypedRowsTest, ABenchmarkNamedLikeAnAggregateHasAggregatesOfItsOwn) {
  EXPECT_THAT(Statistics({{"A_mean", 9},
                          {"A_mean", 9},
                          {"A_mean_mean", 9},
                          {"A_mean_median", 9},
                          {"A_mean_stddev", 9}}),
              ElementsAre("", "", "mean", "median", "stddev"));
  EXPECT_THAT(Statistics({{"A", 9},
                          {"A", 9},
                          {"A_mean", 9},
                          {"A_stddev", 9},
                          {"A_mean", 5},
                          {"A_mean", 5},
                          {"A_mean_mean", 5},
                          {"A_mean_stddev", 5}}),
              ElementsAre("", "", "mean", "stddev", "", "", "mean", "stddev"));
}

TEST(UntypedRowsTest, ACutGroupOfAggregatesIsOneAtTheEndOnly) {
  const std::vector<NameAndIterations> rows = {
      {"A", 9}, {"A", 9}, {"A_mean", 9}, {"A_median", 9}};
  EXPECT_THAT(Statistics(rows), ElementsAre("", "", "", ""));
  EXPECT_THAT(Statistics(rows, true), ElementsAre("", "", "mean", "median"));
  std::vector<NameAndIterations> more = rows;
  more.emplace_back("B", 9);
  EXPECT_THAT(Statistics(more, true), ElementsAre("", "", "", "", ""));
}

}  // namespace
}  // namespace autotune
