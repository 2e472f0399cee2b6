#include "comparator/statistics/sequential_test.h"

#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"

namespace autotune {
namespace {

constexpr double kTolerance = 1e-11;

// The normal log-ratios of one run.
std::vector<double> NormalRounds(int seed, double mean, double sd, int count) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> noise(mean, sd);
  std::vector<double> ys;
  for (int i = 0; i < count; ++i) ys.push_back(noise(generator));
  return ys;
}

SequentialTest AfterRounds(const std::vector<double>& ys,
                           const SequentialOptions& options = {}) {
  SequentialTest test(options);
  for (const double y : ys) test.Add(y);
  return test;
}

TEST(SequentialTestTest, AgreesWithTheReferenceModelInEveryRound) {
  std::string current;
  std::optional<SequentialTest> test;
  for (const ReferenceRow& row : ReadReferenceCsv("sequential_test.csv")) {
    if (row.Text("case") != current) {
      current = row.Text("case");
      test.emplace(SequentialOptions{
          .min_log_improvement = -std::log(1.0 - *row.Number("min_effect")),
          .floor = *row.Number("floor"),
          .alpha = *row.Number("alpha"),
          .beta = *row.Number("beta")});
    }
    test->Add(*row.Number("log_ratio"), *row.Number("spread"));
    const std::string where =
        current + ", round " + std::to_string(test->rounds());
    EXPECT_NEAR(test->log_e_keep(), *row.Number("log_e_keep"), kTolerance)
        << where;
    EXPECT_NEAR(test->log_e_discard(), *row.Number("log_e_discard"), kTolerance)
        << where;
    EXPECT_NEAR(test->log_e_worse(), *row.Number("log_e_worse"), kTolerance)
        << where;
    ExpectNearOrBothAbsent(test->log_improvement().lower, row.Number("lower"),
                           kTolerance, where);
    ExpectNearOrBothAbsent(test->log_improvement().upper, row.Number("upper"),
                           kTolerance, where);
    EXPECT_EQ(NameOf(test->decision()), row.Text("decision")) << where;
  }
}

TEST(SequentialTestTest, WithoutRoundsNothingIsKnown) {
  const SequentialTest test({});
  EXPECT_EQ(test.decision(), Decision::kInconclusive);
  EXPECT_EQ(test.verdict(), Verdict::kInconclusive);
  EXPECT_EQ(test.log_e_keep(), 0.0);
  EXPECT_EQ(test.log_improvement().lower, std::nullopt);
  EXPECT_EQ(test.log_improvement().upper, std::nullopt);
}

TEST(SequentialTestTest, OneRoundGivesAnEstimateWithoutInterval) {
  const SequentialTest test = AfterRounds({std::log(1.25)});
  EXPECT_DOUBLE_EQ(test.estimate().ratio, 0.8);
  EXPECT_EQ(test.estimate().interval.lower, std::nullopt);
  EXPECT_EQ(test.estimate().interval.upper, std::nullopt);
  EXPECT_NEAR(test.estimate().interval.confidence_level, 0.85, 1e-15);
}

TEST(SequentialTestTest, NoFewerThanFiveRoundsKeepAtFivePerCent) {
  SequentialTest test({});
  for (int i = 0; i < 4; ++i) test.Add(1e3);
  EXPECT_EQ(test.decision(), Decision::kInconclusive);
  for (int i = 0; i < 3; ++i) test.Add(1e3);
  EXPECT_EQ(test.decision(), Decision::kKeep);
}

TEST(SequentialTestTest, RoundsAfterTheDecisionAreNotLookedAt) {
  SequentialTest test = AfterRounds(std::vector<double>(30, 0.05));
  ASSERT_EQ(test.decision(), Decision::kKeep);
  const std::size_t rounds = test.rounds();
  const double log_e_keep = test.log_e_keep();
  EXPECT_LT(rounds, 30u);
  for (int i = 0; i < 100; ++i) test.Add(-1.0);
  EXPECT_EQ(test.decision(), Decision::kKeep);
  EXPECT_EQ(test.rounds(), rounds);
  EXPECT_EQ(test.log_e_keep(), log_e_keep);
}

TEST(SequentialTestTest, AFixedNumberOfRoundsUsesThemAll) {
  SequentialTest test =
      AfterRounds(std::vector<double>(30, 0.05), {.stop_when_decided = false});
  EXPECT_EQ(test.rounds(), 30u);
  EXPECT_EQ(test.decision(), Decision::kKeep);
  for (int i = 0; i < 100; ++i) test.Add(-1.0);
  EXPECT_EQ(test.rounds(), 130u);
  EXPECT_EQ(test.decision(), Decision::kDiscard);
}

TEST(SequentialTestTest, VerdictsFollowTheEValuesAndTheInterval) {
  EXPECT_EQ(AfterRounds(std::vector<double>(30, 0.05)).verdict(),
            Verdict::kImproved);
  EXPECT_EQ(AfterRounds(std::vector<double>(3, 0.05)).verdict(),
            Verdict::kInconclusive);
  // No noise at all: "worth having" is excluded long before "worse" is shown.
  EXPECT_EQ(AfterRounds(std::vector<double>(30, 0.0)).verdict(),
            Verdict::kNoGain);
  const SequentialOptions all_rounds{.stop_when_decided = false};
  EXPECT_EQ(AfterRounds(std::vector<double>(30, -0.05), all_rounds).verdict(),
            Verdict::kRegressed);
  EXPECT_EQ(AfterRounds(NormalRounds(1, 0.0, 0.002, 60), all_rounds).verdict(),
            Verdict::kEquivalent);
  EXPECT_EQ(
      AfterRounds(NormalRounds(1, -0.009, 0.002, 6), all_rounds).verdict(),
      Verdict::kNoGain);
}

TEST(SequentialTestTest, AtALaxBetaADiscardMaySayRegressed) {
  const SequentialTest test =
      AfterRounds(std::vector<double>(30, -0.05), {.alpha = 0.2, .beta = 0.01});
  EXPECT_EQ(test.decision(), Decision::kDiscard);
  EXPECT_TRUE(test.proven_worse());
  EXPECT_EQ(test.verdict(), Verdict::kRegressed);
}

TEST(SequentialTestTest, IntervalAndDecisionNeverContradictEachOther) {
  const double m = -std::log(0.99);
  int keeps = 0;
  int discards = 0;
  for (int seed = 0; seed < 400; ++seed) {
    const double mean = 0.001 * (seed % 25 - 8);
    SequentialTest test({});
    for (const double y : NormalRounds(seed, mean, 0.012, 60)) {
      test.Add(y);
      const Interval interval = test.log_improvement();
      EXPECT_EQ(test.decision() == Decision::kKeep,
                interval.lower && *interval.lower >= 0.0);
      if (test.decision() != Decision::kKeep) {
        EXPECT_EQ(test.decision() == Decision::kDiscard,
                  interval.upper && *interval.upper <= m);
      }
      if (interval.lower && interval.upper) {
        EXPECT_LE(*interval.lower, *interval.upper);
      }
    }
    keeps += test.decision() == Decision::kKeep ? 1 : 0;
    discards += test.decision() == Decision::kDiscard ? 1 : 0;
  }
  EXPECT_GT(keeps, 50);
  EXPECT_GT(discards, 50);
}

TEST(SequentialTestTest, EstimateIsTheRatioOfTheReversedInterval) {
  const SequentialTest test = AfterRounds(NormalRounds(3, 0.01, 0.02, 40));
  const Interval y = test.log_improvement();
  const RatioEstimate estimate = test.estimate();
  EXPECT_DOUBLE_EQ(estimate.ratio, std::exp(-test.centre()));
  EXPECT_DOUBLE_EQ(estimate.interval.lower.value(), std::exp(-y.upper.value()));
  EXPECT_DOUBLE_EQ(estimate.interval.upper.value(), std::exp(-y.lower.value()));
}

TEST(SequentialTestTest, AHugeRoundLeavesEverythingFinite) {
  const SequentialTest test = AfterRounds({0.01, -1e3, 1e3, 0.0, 0.01});
  for (const double value : {test.log_e_keep(), test.log_e_discard(),
                             test.log_e_worse(), test.estimate().ratio}) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace autotune
