#include "comparator/recorded/recorded_shift.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sample.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"

namespace autotune {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Optional;

RecordedShift ShiftOf(const std::vector<double>& baseline,
                      const std::vector<double>& contender,
                      Direction direction = Direction::kLowerIsBetter) {
  RankTables tables;
  return RecordedShift(Sample::Create(CostsOf(baseline, direction)).value(),
                       Sample::Create(CostsOf(contender, direction)).value(),
                       tables);
}

RecordedVerdict VerdictOf(const RecordedShift& shift, const Policy& policy) {
  const RecordedShift* const family = &shift;
  return DecideFamily({&family, 1}, policy, ErrorAdjustment::kHolm).front();
}

void ExpectBound(const ConfidenceBound& bound, std::optional<double> expected) {
  ASSERT_EQ(bound.value.has_value(), expected.has_value());
  if (!expected.has_value()) return;
  EXPECT_NEAR(*bound.value, *expected, 1e-12);
}

// tests/reference/recorded_shift.R
TEST(RecordedShiftTest, AgreesWithRsRankTestOfLogarithms) {
  const double m = MinLogImprovement(Policy());
  for (const ReferenceRow& row : ReadReferenceCsv("recorded_shift.csv")) {
    SCOPED_TRACE(row.Text("name"));
    const RecordedShift shift =
        ShiftOf(row.Numbers("baseline"), row.Numbers("contender"));
    EXPECT_NEAR(shift.y(), *row.Number("y"), 1e-12);
    ExpectBound(shift.LowerBound(0.05), row.Number("low"));
    ExpectBound(shift.UpperBound(0.10), row.Number("high"));
    ExpectBound(shift.UpperBound(0.05), row.Number("high_alpha"));
    EXPECT_NEAR(shift.PAtMost(0.0), *row.Number("p_at_most_0"), 1e-12);
    EXPECT_NEAR(shift.PAtLeast(0.0), *row.Number("p_at_least_0"), 1e-12);
    EXPECT_NEAR(shift.PAtLeast(m), *row.Number("p_at_least_m"), 1e-12);
  }
}

TEST(RecordedShiftTest, SwappingTheSidesMirrorsEverything) {
  const std::vector<double> a = {10, 11, 12, 13.5};
  const std::vector<double> b = {9, 10.5, 9.5, 12.5, 8};
  const RecordedShift forward = ShiftOf(a, b);
  const RecordedShift backward = ShiftOf(b, a);
  EXPECT_DOUBLE_EQ(forward.y(), -backward.y());
  EXPECT_DOUBLE_EQ(*forward.LowerBound(0.1).value,
                   -*backward.UpperBound(0.1).value);
  EXPECT_DOUBLE_EQ(forward.PAtMost(0.01), backward.PAtLeast(-0.01));
  EXPECT_DOUBLE_EQ(forward.PTwoSided(), backward.PTwoSided());
  EXPECT_DOUBLE_EQ(forward.ProbabilityOfSuperiority(),
                   1.0 - backward.ProbabilityOfSuperiority());
}

TEST(RecordedShiftTest, HigherIsBetterMirrorsTheImprovement) {
  const std::vector<double> a = {10, 11, 12, 13};
  const std::vector<double> b = {20, 22, 21, 24};
  EXPECT_LT(ShiftOf(a, b, Direction::kLowerIsBetter).y(), 0.0);
  EXPECT_DOUBLE_EQ(ShiftOf(a, b, Direction::kHigherIsBetter).y(),
                   -ShiftOf(a, b, Direction::kLowerIsBetter).y());
}

TEST(RecordedShiftTest, ScalingBothSidesByAPowerOfTwoChangesNothing) {
  const std::vector<double> a = {10, 11, 12, 13};
  const std::vector<double> b = {9, 10.5, 9.5, 12.5};
  const std::vector<double> a4 = {40, 44, 48, 52};
  const std::vector<double> b4 = {36, 42, 38, 50};
  EXPECT_NEAR(ShiftOf(a, b).y(), ShiftOf(a4, b4).y(), 1e-14);
  EXPECT_EQ(ShiftOf(a, b).PTwoSided(), ShiftOf(a4, b4).PTwoSided());
}

TEST(RecordedShiftTest, NoiseIsPooledOverTheSides) {
  // Logarithms 0, 2 and 1, 1: sums of squares 2 and 0 over 2 degrees.
  const RecordedShift shift =
      ShiftOf({1, std::exp(2)}, {std::exp(1), std::exp(1)});
  EXPECT_THAT(shift.Noise(), Optional(DoubleNear(1.0, 1e-12)));
  EXPECT_EQ(ShiftOf({1}, {2}).Noise(), std::nullopt);
}

TEST(RecordedShiftTest, TooFewValuesCannotReachAlphaAndSaySo) {
  // 1 / binomial(4, 2) = 1/6, 1 / binomial(6, 3) = 1/20.
  EXPECT_DOUBLE_EQ(ShiftOf({2, 3}, {1, 1.5}).SmallestP(), 1.0 / 6.0);
  EXPECT_FALSE(CanReach(ShiftOf({2, 3}, {1, 1.5}), 0.05));
  EXPECT_TRUE(CanReach(ShiftOf({4, 2, 3}, {1, 1.5, 1.2}), 0.05));
}

TEST(VisitsNeededForTest, IsTheSmallestSizeWhoseExtremeReachesTheError) {
  EXPECT_EQ(VisitsNeededFor(0.5), 1);    // 1/2
  EXPECT_EQ(VisitsNeededFor(0.10), 3);   // 1/20, 1/6 is too large
  EXPECT_EQ(VisitsNeededFor(0.05), 3);   // 1/20
  EXPECT_EQ(VisitsNeededFor(0.049), 4);  // 1/70
  EXPECT_EQ(VisitsNeededFor(0.01), 5);   // 1/252
}

TEST(VerdictFromBoundsTest, TheFirstRowOfTheTableThatHoldsWins) {
  const Policy policy;
  const double m = MinLogImprovement(policy);
  const auto verdict = [&](std::optional<double> low,
                           std::optional<double> high,
                           std::optional<double> high_alpha) {
    return VerdictFromBounds({{low, 0.95}, {high, 0.9}, {high_alpha, 0.95}},
                             policy);
  };
  EXPECT_EQ(verdict(0.001, 0.5, 0.6), Verdict::kImproved);
  EXPECT_EQ(verdict(0.001, 0.002, 0.003), Verdict::kImproved);
  EXPECT_EQ(verdict(-0.5, -0.2, -0.1), Verdict::kRegressed);
  EXPECT_EQ(verdict(-0.5, -0.2, 0.0), Verdict::kNoGain);
  EXPECT_EQ(verdict(-0.9 * m, 0.9 * m, m), Verdict::kEquivalent);
  EXPECT_EQ(verdict(-m, 0.9 * m, m), Verdict::kNoGain);
  EXPECT_EQ(verdict(-0.9 * m, m, m), Verdict::kNoGain);
  EXPECT_EQ(verdict(-0.5, 1.001 * m, 2 * m), Verdict::kInconclusive);
  EXPECT_EQ(verdict(0.0, 0.5, 0.6), Verdict::kInconclusive);
  EXPECT_EQ(verdict(std::nullopt, std::nullopt, std::nullopt),
            Verdict::kInconclusive);
}

TEST(VerdictFromBoundsTest, AFloorMustBeBeatenToo) {
  Policy policy;
  policy.floor = 0.02;
  const double m = MinLogImprovement(policy);
  const auto verdict = [&](double low, double high) {
    return VerdictFromBounds({{low, 0.95}, {high, 0.9}, {high, 0.95}}, policy);
  };
  EXPECT_EQ(verdict(0.021, 0.5), Verdict::kImproved);
  EXPECT_EQ(verdict(0.019, 0.5), Verdict::kInconclusive);
  EXPECT_EQ(verdict(0.0, 0.02 + m), Verdict::kNoGain);
}

TEST(RatioOfTest, IntervalIsOnTheMetricsScaleAtTheLevelAchieved) {
  const RecordedBounds bounds = {{-0.1, 0.96}, {0.2, 0.92}, {0.3, 0.96}};
  const RatioEstimate lower =
      RatioOf(0.1, bounds, Policy(), Direction::kLowerIsBetter);
  EXPECT_DOUBLE_EQ(lower.ratio, std::exp(-0.1));
  EXPECT_DOUBLE_EQ(*lower.interval.lower, std::exp(-0.2));
  EXPECT_DOUBLE_EQ(*lower.interval.upper, std::exp(0.1));
  EXPECT_DOUBLE_EQ(lower.interval.confidence_level, 0.88);
  const RatioEstimate higher =
      RatioOf(0.1, bounds, Policy(), Direction::kHigherIsBetter);
  EXPECT_DOUBLE_EQ(higher.ratio, std::exp(0.1));
  EXPECT_DOUBLE_EQ(*higher.interval.upper, std::exp(0.2));
}

TEST(RatioOfTest, AnAbsentEndCountsAtTheErrorAskedFor) {
  const RecordedBounds bounds = {{std::nullopt, 0.5}, {0.2, 0.92}, {}};
  const RatioEstimate estimate =
      RatioOf(0.1, bounds, Policy(), Direction::kLowerIsBetter);
  EXPECT_FALSE(estimate.interval.upper.has_value());
  EXPECT_DOUBLE_EQ(estimate.interval.confidence_level, 0.87);
}

TEST(DecideFamilyTest, ClearDifferencesAreDecidedBothWays) {
  const std::vector<double> slow = {100, 101, 102, 99};
  const std::vector<double> fast = {90, 91, 92, 89};
  EXPECT_EQ(VerdictOf(ShiftOf(slow, fast), Policy()).verdict,
            Verdict::kImproved);
  EXPECT_EQ(VerdictOf(ShiftOf(fast, slow), Policy()).verdict,
            Verdict::kRegressed);
}

TEST(DecideFamilyTest, EqualBuildsWithLittleNoiseAreEquivalent) {
  const std::vector<double> before = {100.0, 100.01, 100.02, 100.03, 100.04};
  const std::vector<double> after = {100.005, 100.015, 100.02, 100.035, 100.0};
  EXPECT_EQ(VerdictOf(ShiftOf(before, after), Policy()).verdict,
            Verdict::kEquivalent);
}

TEST(DecideFamilyTest, TooFewVisitsAreNamedWithTheNumberThatCan) {
  const RecordedVerdict verdict =
      VerdictOf(ShiftOf({100, 101}, {90, 91}), Policy());
  EXPECT_EQ(verdict.verdict, Verdict::kInconclusive);
  EXPECT_EQ(verdict.reason,
            "too few visits: 2 against 2 cannot decide whatever the numbers; "
            "3 a side can");
}

TEST(DecideFamilyTest, OpenCasesSayHowManyMoreVisitsWouldDecide) {
  // sd of the logarithms 0.0226, y = 0: discard needs (1.2816 + 0.8416)^2 * 2
  // sd^2 / m^2 / 0.955 = 48 values a side, 4 are there.
  const std::vector<double> values = {98, 99, 101, 103};
  const RecordedVerdict verdict = VerdictOf(ShiftOf(values, values), Policy());
  EXPECT_EQ(verdict.verdict, Verdict::kInconclusive);
  ASSERT_TRUE(verdict.more_visits.has_value());
  EXPECT_EQ(verdict.reason,
            "neither an improvement nor its absence is proven; about " +
                std::to_string(*verdict.more_visits) +
                " more visits a side would probably decide");
  EXPECT_NEAR(static_cast<double>(*verdict.more_visits), 44.0, 2.0);
}

TEST(DecideFamilyTest, WhatHoldsAloneMayNotHoldAmongMany) {
  // p = 1/20 for the first: enough alone, not as the smallest of two.
  const RecordedShift clear = ShiftOf({100, 101, 102}, {90, 91, 92});
  const RecordedShift open = ShiftOf({100, 105, 110}, {101, 104, 111});
  const std::vector<const RecordedShift*> family = {&clear, &open};
  const std::vector<RecordedVerdict> verdicts =
      DecideFamily(family, Policy(), ErrorAdjustment::kHolm);
  EXPECT_EQ(verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_THAT(
      verdicts[0].reason,
      testing::StartsWith("improved by itself, not among 2 benchmarks (Holm)"));
  EXPECT_EQ(VerdictOf(clear, Policy()).verdict, Verdict::kImproved);
}

TEST(StandFamilyTest, MarginsAreProvenKeptOrBrokenOrLeftOpen) {
  const std::vector<double> before = {100, 100.1, 100.2, 99.9};
  const RecordedShift same = ShiftOf(before, {100.05, 100.15, 100, 99.95});
  const RecordedShift worse = ShiftOf(before, {110, 110.1, 110.2, 109.9});
  const RecordedShift noisy = ShiftOf(before, {80, 120, 90, 130});
  const std::vector<const RecordedShift*> family = {&same, &worse, &noisy};
  const std::vector<double> margins = {0.02, 0.02, 0.02};
  EXPECT_THAT(
      StandFamily(family, margins, {0.05, 0.10}, ErrorAdjustment::kHolm),
      ElementsAre(MarginStanding::kWithin, MarginStanding::kBeyond,
                  MarginStanding::kUndecided));
}

TEST(StandFamilyTest, ALossBelowTheMarginIsWithinIt) {
  const std::vector<double> before = {100, 100.1, 100.2, 99.9};
  const RecordedShift slightly = ShiftOf(before, {103, 103.1, 103.2, 102.9});
  const RecordedShift* const family = &slightly;
  const auto stand = [&](double margin) {
    return StandFamily({&family, 1}, std::vector<double>{margin}, {0.05, 0.10},
                       ErrorAdjustment::kHolm)
        .front();
  };
  EXPECT_EQ(stand(0.05), MarginStanding::kWithin);
  EXPECT_EQ(stand(0.02), MarginStanding::kBeyond);
  EXPECT_EQ(stand(0.03), MarginStanding::kUndecided);
}

// Independent visits of identical programs: improved or regressed in at most
// alpha each, whatever the shape of the noise. 2,000 draws: 0.05 plus three
// standard errors is 0.065.
TEST(DecideFamilyTest, FalseAlarmsStayWithinAlphaOnDrawnNoise) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> skewed(0.0, 0.02);
  int improved = 0;
  int regressed = 0;
  constexpr int kDraws = 2000;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < 6; ++i) {
      before.push_back(100.0 * skewed(random));
      after.push_back(100.0 * skewed(random));
    }
    const Verdict verdict = VerdictOf(ShiftOf(before, after), Policy()).verdict;
    improved += verdict == Verdict::kImproved;
    regressed += verdict == Verdict::kRegressed;
  }
  EXPECT_LE(improved, 0.065 * kDraws);
  EXPECT_LE(regressed, 0.065 * kDraws);
  EXPECT_GE(improved, 0.01 * kDraws) << "the test can alarm at all";
}

// Holm: any false alarm among ten identical pairs in at most alpha.
TEST(DecideFamilyTest, FamilyWiseFalseAlarmsStayWithinAlpha) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> noise(0.0, 0.02);
  constexpr int kDraws = 400;
  int alarms = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<RecordedShift> shifts;
    for (int k = 0; k < 10; ++k) {
      std::vector<double> before;
      std::vector<double> after;
      for (int i = 0; i < 8; ++i) {
        before.push_back(std::exp(noise(random)));
        after.push_back(std::exp(noise(random)));
      }
      shifts.push_back(ShiftOf(before, after));
    }
    std::vector<const RecordedShift*> family;
    for (const RecordedShift& shift : shifts) family.push_back(&shift);
    bool alarm = false;
    for (const RecordedVerdict& verdict :
         DecideFamily(family, Policy(), ErrorAdjustment::kHolm)) {
      alarm = alarm || verdict.verdict == Verdict::kImproved;
    }
    alarms += alarm;
  }
  EXPECT_LE(alarms, 0.083 * kDraws);  // 0.05 plus three standard errors
}

}  // namespace
}  // namespace autotune
