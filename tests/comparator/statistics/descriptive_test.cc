#include "comparator/statistics/descriptive.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"
#include "tests/support/samples.h"

namespace autotune {
namespace {

TEST(DescriptiveTest, AgreesWithR) {
  for (const ReferenceRow& row : ReadReferenceCsv("median.csv")) {
    const Sample sample = SampleOf(row.Numbers("values"));
    const std::string where = std::to_string(sample.size());
    EXPECT_NEAR(Median(sample), *row.Number("median"), 1e-13) << where;
    EXPECT_NEAR(Mean(sample), *row.Number("mean"), 1e-13) << where;
    ExpectNearOrBothAbsent(StandardDeviation(sample), row.Number("sd"), 1e-13,
                           where);
    EXPECT_NEAR(MedianAbsoluteDeviation(sample), *row.Number("mad"), 1e-13)
        << where;
    const Interval interval = MedianInterval(sample, *row.Number("level"));
    ExpectNearOrBothAbsent(interval.lower, row.Number("lower"), 0.0, where);
    ExpectNearOrBothAbsent(interval.upper, row.Number("upper"), 0.0, where);
    EXPECT_NEAR(interval.confidence_level, *row.Number("achieved"), 1e-13)
        << where;
  }
}

// 1, 2, ..., n: order statistics are their own ranks.
Sample Ranks(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 1; i <= n; ++i) values.push_back(static_cast<double>(i));
  return SampleOf(values);
}

TEST(DescriptiveTest, MedianIntervalUsesThePublishedRanks) {
  struct Row {
    std::size_t n;
    double lower;
    double upper;
    double level;
  };
  for (const Row& row : std::vector<Row>{{6, 1, 6, .96875},
                                         {8, 1, 8, .99219},
                                         {9, 2, 8, .96094},
                                         {10, 2, 9, .97852},
                                         {15, 4, 12, .96484},
                                         {20, 6, 15, .95861},
                                         {40, 14, 27, .96152}}) {
    const Interval interval = MedianInterval(Ranks(row.n), 0.95);
    EXPECT_EQ(interval.lower, row.lower) << row.n;
    EXPECT_EQ(interval.upper, row.upper) << row.n;
    EXPECT_NEAR(interval.confidence_level, row.level, 5e-6) << row.n;
  }
}

TEST(DescriptiveTest, FiveValuesHaveNoMedianIntervalAtNinetyFivePerCent) {
  const Interval interval = MedianInterval(Ranks(5), 0.95);
  EXPECT_EQ(interval.lower, std::nullopt);
  EXPECT_EQ(interval.upper, std::nullopt);
  EXPECT_DOUBLE_EQ(interval.confidence_level, 0.9375);
  // The very level of the extremes is reached, though.
  EXPECT_EQ(MedianInterval(Ranks(5), 0.9375).lower, 1.0);
}

TEST(DescriptiveTest, OneValueHasNoSpread) {
  EXPECT_EQ(StandardDeviation(SampleOf({3.0})), std::nullopt);
  EXPECT_EQ(CoefficientOfVariation(SampleOf({3.0})), std::nullopt);
  EXPECT_EQ(MedianAbsoluteDeviation(SampleOf({3.0})), 0.0);
  EXPECT_EQ(MedianInterval(SampleOf({3.0}), 0.5).lower, std::nullopt);
}

TEST(DescriptiveTest, CoefficientOfVariationNeedsAPositiveMean) {
  EXPECT_DOUBLE_EQ(*CoefficientOfVariation(SampleOf({9.0, 10.0, 11.0})), 0.1);
  EXPECT_EQ(CoefficientOfVariation(SampleOf({-1.0, 1.0})), std::nullopt);
  EXPECT_EQ(CoefficientOfVariation(SampleOf({-3.0, -1.0})), std::nullopt);
}

TEST(DescriptiveTest, HugeAndTinyValuesNeitherOverflowNorVanish) {
  const Sample huge = SampleOf({1e308, 1.5e308, 1.2e308});
  EXPECT_TRUE(std::isfinite(Mean(huge)));
  EXPECT_NEAR(Mean(huge) / 1e308, 3.7 / 3, 1e-12);
  EXPECT_NEAR(*StandardDeviation(huge) / 1e307, 2.516611478, 1e-8);
  const Sample tiny = SampleOf({1e-310, 1.5e-310, 1.2e-310});
  EXPECT_NEAR(*StandardDeviation(tiny) / 1e-311, 2.516611478, 1e-4);
  EXPECT_EQ(Median(SampleOf({1.7e308, 1.7e308})), 1.7e308);
  EXPECT_EQ(*StandardDeviation(SampleOf({0.0, 0.0})), 0.0);
}

TEST(DescriptiveTest, ScalingByPowersOfTwoScalesExactly) {
  const std::vector<double> values = {1.1, 2.7, 0.3, 9.4, 5.5};
  const auto times = [](double v) { return 1024.0 * v; };
  const Sample once = SampleOf(values);
  const Sample scaled = SampleOf(Mapped(values, times));
  EXPECT_EQ(Mean(scaled), 1024.0 * Mean(once));
  EXPECT_EQ(*StandardDeviation(scaled), 1024.0 * *StandardDeviation(once));
  EXPECT_EQ(MedianAbsoluteDeviation(scaled),
            1024.0 * MedianAbsoluteDeviation(once));
}

TEST(DescriptiveTest, TheMedianOfPlainValuesNeedsNoOrder) {
  EXPECT_EQ(Median(std::vector<double>{9.0, 1.0, 4.0}), 4.0);
  EXPECT_EQ(Median(std::vector<double>{9.0, 1.0, 4.0, 2.0}), 3.0);
}

}  // namespace
}  // namespace autotune
