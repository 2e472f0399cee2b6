#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(CompareGateTest, EveryBenchmarkWithinItsMarginPasses) {
  EXPECT_EQ(
      Said(CompareFiles(Baseline({{"A", 100}, {"B", 50}}),
                        Contender({{"A", 100.5}, {"B", 40}}), GatePolicy())),
      "pass: 2 benchmarks proven within the margins");
}

TEST(CompareGateTest, AProvenLossBeyondTheMarginIsARegression) {
  EXPECT_EQ(
      Said(CompareFiles(Baseline({{"A", 100}, {"B", 50}}),
                        Contender({{"A", 105}, {"B", 40}}), GatePolicy())),
      "regression: A is worse by more than 2 %");
}

TEST(CompareGateTest, MarginsApplyByNameAndTheFirstOneWins) {
  Policy policy = GatePolicy();
  policy.margins = {{"^A$", 0.10}, {"A", 0.001}};
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}}), Contender({{"A", 105}}), policy);
  EXPECT_EQ(Said(table), "pass: 1 benchmark proven within the margin");
  EXPECT_THAT(table.comparisons[0].margin, Optional(0.10));
}

TEST(CompareGateTest, AWaiverHoldsToItsCeilingAndItsDay) {
  Policy policy = GatePolicy();
  policy.waivers = {{"A", 0.08, "2027-01-31", "the new parser"}};
  CompareOptions options;
  options.today = "2027-01-31";
  const auto said = [&](double time) {
    return Said(CompareFiles(Baseline({{"A", 100}}), Contender({{"A", time}}),
                             policy, options));
  };
  EXPECT_EQ(said(105), "pass: 1 benchmark proven within the margin");
  EXPECT_EQ(said(112), "regression: A is worse by more than 8 %");
  options.today = "2027-02-01";
  EXPECT_EQ(said(105), "regression: A is worse by more than 2 %");
  const ComparisonTable table = CompareFiles(
      Baseline({{"A", 100}}), Contender({{"A", 105}}), policy, options);
  EXPECT_THAT(table.warnings,
              ElementsAre("the waiver of A expired on 2027-01-31"));
}

TEST(CompareGateTest, OpenBenchmarksAreInconclusive) {
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}}), Contender({{"A", 102}}),
                              GatePolicy())),
            "inconclusive: A is not proven within 2 % (alpha 0.05)");
}

// By Holm the smallest p-value, 1 / 924 of six against six, counts once for
// each benchmark: from 93 of them on it never is below beta.
TEST(CompareGateTest, TooManyBenchmarksToFindALossCannotJudge) {
  CompareOptions options;
  const auto gate = [&options](int benchmarks, double loss) {
    std::vector<std::pair<std::string, double>> before;
    for (int i = 0; i < benchmarks; ++i) {
      before.push_back({"B" + std::to_string(i), 100.0 + i});
    }
    auto after = before;
    after[0].second *= loss;
    return CompareFiles(Baseline(before), Contender(after), GatePolicy(),
                        options);
  };
  EXPECT_EQ(Said(gate(92, 1.2)), "regression: B0 is worse by more than 2 %");
  EXPECT_EQ(Said(gate(93, 1.2)),
            "cannot judge: B0: too few visits: 6 against 6 cannot find any "
            "loss among 93 benchmarks; 7 a side can");
  EXPECT_EQ(Said(gate(93, 1.0)), Said(gate(93, 1.2)));
  options.adjustment = ErrorAdjustment::kBenjaminiHochberg;
  EXPECT_EQ(Said(gate(92, 1.2)), "regression: B0 is worse by more than 2 %");
  EXPECT_EQ(Said(gate(93, 1.2)),
            "cannot judge: B0: too few visits: 6 against 6 cannot find a "
            "single loss among 93 benchmarks; 7 a side can");
}

TEST(CompareGateTest, TooFewVisitsToEverPassCannotJudge) {
  Files baseline = Baseline({{"A", 100}});
  Files contender = Contender({{"A", 100}});
  baseline.resize(2);
  contender.resize(2);
  EXPECT_EQ(Said(CompareFiles(baseline, contender, GatePolicy())),
            "cannot judge: A: too few visits: 2 against 2 cannot decide "
            "whatever the numbers; 3 a side can");
  EXPECT_EQ(Said(CompareFiles(OneFile("old", "A", {100, 101}),
                              OneFile("new", "A", {90, 91}), GatePolicy())),
            std::string("cannot judge: A: ") + kOneRunEach);
}

TEST(CompareGateTest, MissingBenchmarksCannotJudgeEvenBesideARegression) {
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}, {"B", 1}}),
                              Contender({{"A", 150}}), GatePolicy())),
            "cannot judge: B is only in the baseline");
}

}  // namespace
}  // namespace autotune
