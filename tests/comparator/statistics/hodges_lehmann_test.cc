#include "comparator/statistics/hodges_lehmann.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "comparator/statistics/mann_whitney.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"
#include "tests/support/samples.h"

namespace autotune {
namespace {

constexpr double kTolerance = 1e-12;

// Both bounds at half of the error each, which cut off equally many.
Interval IntervalOf(const TwoSampleShift& shift, double level) {
  const ConfidenceBound lower = shift.LowerBound(0.5 * (1.0 - level));
  const ConfidenceBound upper = shift.UpperBound(0.5 * (1.0 - level));
  EXPECT_EQ(lower.confidence_level, upper.confidence_level);
  return {lower.value, upper.value,
          std::max(0.0, 2.0 * lower.confidence_level - 1.0)};
}

TEST(HodgesLehmannTest, TwoSampleShiftAgreesWithR) {
  for (const ReferenceRow& row : ReadReferenceCsv("hodges_lehmann.csv")) {
    const std::string where = row.Text("name");
    const TwoSampleShift shift(SampleOf(row.Numbers("x")),
                               SampleOf(row.Numbers("y")));
    EXPECT_NEAR(shift.estimate(), *row.Number("estimate"), kTolerance) << where;
    const Interval interval = IntervalOf(shift, *row.Number("level"));
    ExpectNearOrBothAbsent(interval.lower, row.Number("lower"), kTolerance,
                           where);
    ExpectNearOrBothAbsent(interval.upper, row.Number("upper"), kTolerance,
                           where);
    EXPECT_NEAR(interval.confidence_level, *row.Number("achieved"), kTolerance)
        << where;
  }
}

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return values[half - 1] / 2.0 + values[half] / 2.0;
}

std::vector<double> Differences(const std::vector<double>& x,
                                const std::vector<double>& y) {
  std::vector<double> differences;
  for (const double a : x) {
    for (const double b : y) differences.push_back(a - b);
  }
  return differences;
}

std::vector<double> Means(const std::vector<double>& values) {
  std::vector<double> means;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) {
      means.push_back(values[i] / 2.0 + values[j] / 2.0);
    }
  }
  return means;
}

// Values that tie often, of both signs and with zeros.
std::vector<double> CoarseValues(std::mt19937_64& generator, std::size_t n) {
  return Mapped(NormalValues(generator, n, 0.0, 2.0),
                [](double v) { return std::round(v) / 4.0; });
}

TEST(HodgesLehmannTest, EstimatesAreTheMedianOfAllPairsToTheLastBit) {
  std::mt19937_64 generator(1);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t n = 1 + generator() % 80;
    const std::size_t m = 1 + generator() % 80;
    const bool coarse = trial % 2 == 0;
    const auto draw = [&](std::size_t count) {
      return coarse ? CoarseValues(generator, count)
                    : NormalValues(generator, count);
    };
    const std::vector<double> x = draw(n);
    const std::vector<double> y = draw(m);
    EXPECT_EQ(TwoSampleShift(SampleOf(x), SampleOf(y)).estimate(),
              MedianOf(Differences(x, y)));
    const Sample sample = SampleOf(x);
    EXPECT_EQ(PseudoMedianOfSorted(sample.sorted()),
              MedianOf(Means(sample.sorted())));
  }
}

TEST(HodgesLehmannTest, NoValueHidesBehindMinusZero) {
  const double estimate = PseudoMedianOfSorted(std::vector<double>{-1.0, 1.0});
  EXPECT_EQ(estimate, 0.0);
  EXPECT_FALSE(std::signbit(estimate));
}

TEST(HodgesLehmannTest, BoundsAreThePairsThatTheErrorAllows) {
  // 4 against 4: P(U <= 0) = 1/70, P(U <= 1) = 2/70, P(U <= 2) = 4/70.
  const TwoSampleShift shift(SampleOf({10, 20, 30, 40}),
                             SampleOf({1, 2, 3, 4}));
  EXPECT_EQ(shift.LowerBound(0.05).value, 7.0);  // second smallest of 6, 7, ...
  EXPECT_DOUBLE_EQ(shift.LowerBound(0.05).confidence_level, 1.0 - 2.0 / 70);
  EXPECT_EQ(shift.LowerBound(2.0 / 70).value, 7.0);
  EXPECT_EQ(shift.LowerBound(0.025).value, 6.0);
  EXPECT_EQ(shift.LowerBound(0.01).value, std::nullopt);
  EXPECT_DOUBLE_EQ(shift.LowerBound(0.01).confidence_level, 1.0 - 1.0 / 70);
  EXPECT_EQ(shift.UpperBound(0.05).value, 38.0);  // second largest of 39, 38
  EXPECT_EQ(shift.UpperBound(0.025).value, 39.0);
  EXPECT_EQ(shift.UpperBound(0.01).value, std::nullopt);
}

TEST(HodgesLehmannTest, TheBoundExcludesZeroExactlyWhenTheTestRejects) {
  std::mt19937_64 generator(5);
  int rejected = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Sample x =
        SampleOf(NormalValues(generator, 3 + generator() % 60, 0.6));
    const Sample y = SampleOf(NormalValues(generator, 3 + generator() % 60));
    const MannWhitney test = MannWhitneyTest(x, y);
    const TwoSampleShift shift(x, y);
    for (const double alpha : {0.01, 0.05, 0.2}) {
      const ConfidenceBound lower = shift.LowerBound(alpha);
      EXPECT_EQ(lower.value && *lower.value > 0.0,
                test.p_contender_lower <= alpha);
      const ConfidenceBound upper = shift.UpperBound(alpha);
      EXPECT_EQ(upper.value && *upper.value < 0.0,
                test.p_contender_higher <= alpha);
      rejected += test.p_contender_lower <= alpha ? 1 : 0;
    }
  }
  EXPECT_GT(rejected, 100);
}

TEST(HodgesLehmannTest, SwappingNegatesAndScalingScales) {
  std::mt19937_64 generator(6);
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> x = NormalValues(generator, 2 + generator() % 60);
    const std::vector<double> y = NormalValues(generator, 2 + generator() % 60);
    const TwoSampleShift shift(SampleOf(x), SampleOf(y));
    const TwoSampleShift swapped(SampleOf(y), SampleOf(x));
    EXPECT_EQ(shift.estimate(), -swapped.estimate());
    const Interval interval = IntervalOf(shift, 0.8);
    const Interval mirrored = IntervalOf(swapped, 0.8);
    ASSERT_EQ(interval.lower.has_value(), mirrored.upper.has_value());
    if (interval.lower) {
      EXPECT_EQ(*interval.lower, -*mirrored.upper);
      EXPECT_EQ(*interval.upper, -*mirrored.lower);
    }
    const auto times8 = [](double v) { return 8.0 * v; };
    const TwoSampleShift scaled(SampleOf(Mapped(x, times8)),
                                SampleOf(Mapped(y, times8)));
    EXPECT_EQ(scaled.estimate(), 8.0 * shift.estimate());
  }
}

TEST(HodgesLehmannTest, PublishedExampleOnLogsComesOut) {
  // R's permeability constants, by ratio: HL of the logs .2713752.
  const auto log = [](double v) { return std::log(v); };
  const TwoSampleShift shift(
      SampleOf(Mapped({.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46},
                      log)),
      SampleOf(Mapped({1.15, .88, .90, .74, 1.21}, log)));
  const Interval interval = IntervalOf(shift, .95);
  EXPECT_NEAR(shift.estimate(), .2713752, 5e-8);
  EXPECT_NEAR(std::exp(*interval.lower), .8595041, 5e-8);
  EXPECT_NEAR(std::exp(*interval.upper), 1.959459, 5e-7);
}

}  // namespace
}  // namespace autotune
