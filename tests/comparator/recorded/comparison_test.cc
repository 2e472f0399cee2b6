#include "comparator/recorded/comparison.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

TEST(CompareFilesTest, AFasterBenchmarkOverSeveralVisitsIsKept) {
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}}), Contender({{"A", 90}}), Policy());
  EXPECT_EQ(Said(table), "keep: A improved");
  ASSERT_THAT(table.comparisons, SizeIs(1));
  const Comparison& comparison = table.comparisons[0];
  EXPECT_EQ(comparison.verdict, Verdict::kImproved);
  EXPECT_EQ(comparison.unit, SamplingUnit::kVisit);
  EXPECT_EQ(comparison.baseline_size, 6U);
  EXPECT_NEAR(comparison.estimate->ratio, 0.9, 0.002);
  // 2 / binomial(12, 6)
  EXPECT_THAT(comparison.p_value, Optional(DoubleNear(2.0 / 924.0, 1e-12)));
  EXPECT_THAT(comparison.adjusted_p_value, comparison.p_value);
  EXPECT_THAT(comparison.probability_of_superiority, Optional(1.0));
  EXPECT_EQ(comparison.metric.name, "cpu_time");
}

TEST(CompareFilesTest, SwappingTheSidesMirrorsTheDecision) {
  const ComparisonTable table =
      CompareFiles(Contender({{"A", 90}}), Baseline({{"A", 100}}), Policy());
  EXPECT_EQ(Said(table), "discard: A regressed");
  EXPECT_EQ(table.comparisons[0].verdict, Verdict::kRegressed);
}

TEST(CompareFilesTest, NoGainAndEquivalenceAreDiscarded) {
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}}), Contender({{"A", 100}}), Policy());
  EXPECT_EQ(Said(table), "discard: A is equivalent within 1 %");
}

TEST(CompareFilesTest, OneRunEachShowsADifferenceAndProvesNothing) {
  const ComparisonTable table =
      CompareFiles(OneFile("old", "A", {100, 101, 102, 103, 104}),
                   OneFile("new", "A", {80.5, 81, 82, 83, 84}), Policy());
  EXPECT_EQ(Said(table), std::string("inconclusive: ") + kOneRunEach);
  const Comparison& comparison = table.comparisons[0];
  EXPECT_EQ(comparison.unit, SamplingUnit::kRepetition);
  EXPECT_EQ(comparison.reason, kOneRunEach);
  EXPECT_FALSE(comparison.can_be_decided);
  EXPECT_LT(comparison.estimate->ratio, 0.85);
  EXPECT_TRUE(comparison.p_value.has_value());
  EXPECT_THAT(table.warnings,
              ElementsAre("repetitions of one process are not independent: on "
                          "a busy machine identical binaries compared this way "
                          "look different in 35 to 60 % of cases"));
}

TEST(CompareFilesTest, AssumedIndependenceLetsRepetitionsDecide) {
  CompareOptions options;
  options.assume_independent = true;
  const ComparisonTable table = CompareFiles(
      OneFile("old", "A", {100, 101, 102, 103, 104}),
      OneFile("new", "A", {80.5, 81, 82, 83, 84}), Policy(), options);
  EXPECT_EQ(Said(table), "keep: A improved");
  EXPECT_THAT(table.warnings, SizeIs(1)) << "the assumption is still doubted";
}

TEST(CompareFilesTest, AggregatesOfOneRunProveNothingWhateverIsAssumed) {
  CompareOptions options;
  options.assume_independent = true;
  const Files baseline = {
      ResultBuilder("old").Published("A", "median", 100).Build()};
  const Files contender = {
      ResultBuilder("new").Published("A", "median", 90).Build()};
  const ComparisonTable table =
      CompareFiles(baseline, contender, Policy(), options);
  EXPECT_EQ(Said(table), std::string("inconclusive: ") + kOneRunEach);
  EXPECT_THAT(table.comparisons[0].warnings,
              ElementsAre("compared on the published median: the repetitions "
                          "are not in the file, so this shows less and no test "
                          "is made"));
  EXPECT_EQ(table.comparisons[0].p_value, std::nullopt);
  EXPECT_NEAR(table.comparisons[0].estimate->ratio, 0.9, 1e-12);
}

TEST(CompareFilesTest, ASingleRunOnOneSideIsNamed) {
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}}),
                              OneFile("new", "A", {90, 91}), Policy())),
            "inconclusive: one run of the contender; use `bench_compare run`");
  EXPECT_EQ(Said(CompareFiles(OneFile("old", "A", {90, 91}),
                              Baseline({{"A", 100}}), Policy())),
            "inconclusive: one run of the baseline; use `bench_compare run`");
}

TEST(CompareFilesTest, TooFewVisitsSayHowManyCanDecide) {
  Files baseline = Baseline({{"A", 100}});
  Files contender = Contender({{"A", 90}});
  baseline.resize(2);
  contender.resize(2);
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table),
            "inconclusive: too few visits: 2 against 2 cannot decide whatever "
            "the numbers; 3 a side can");
  EXPECT_FALSE(table.comparisons[0].can_be_decided);
}

TEST(CompareFilesTest, SeveralTargetsAreDecidedByTheirGeometricMean) {
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}, {"B", 2000}, {"C", 5}}),
                   Contender({{"A", 95}, {"B", 1900}, {"C", 5.05}}), Policy());
  EXPECT_EQ(Said(table), "keep: geometric mean of 3 benchmarks improved");
  EXPECT_EQ(table.overall_size, 3U);
  // (0.95 * 0.95 * 1.01) ^ (1/3)
  EXPECT_NEAR(table.overall->estimate->ratio, 0.9696, 0.001);
  EXPECT_TRUE(table.overall->estimate->interval.lower.has_value());
  EXPECT_EQ(table.overall->verdict, Verdict::kImproved);
}

TEST(CompareFilesTest, EachTargetAloneIsEnoughWhenTheOthersAreUnharmed) {
  Policy policy;
  policy.targets = TargetRule::kEach;
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}, {"B", 2000}}),
                              Contender({{"A", 95}, {"B", 2001}}), policy)),
            "keep: A improved");
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}, {"B", 2000}}),
                              Contender({{"A", 95}, {"B", 2100}}), policy)),
            "discard: B is worse by more than 2 %");
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}, {"B", 2000}}),
                              Contender({{"A", 100}, {"B", 2000}}), policy)),
            "discard: none of 2 targets improves by 1 % or more");
}

TEST(CompareFilesTest, GuardsMustBeProvenUnharmedForAKeep) {
  Policy policy;
  policy.guards = {GuardOn("Guard")};
  const auto said = [&](double guard_time) {
    return Said(CompareFiles(Baseline({{"A", 100}, {"Guard", 50}}),
                             Contender({{"A", 90}, {"Guard", guard_time}}),
                             policy));
  };
  EXPECT_EQ(said(50.1), "keep: A improved, 1 guard unharmed");
  EXPECT_EQ(said(60), "discard: guard Guard is worse by more than 2 %");
  EXPECT_EQ(said(51),
            "inconclusive: A improved, but guard Guard is not "
            "proven within 2 %");
}

TEST(CompareFilesTest, AVetoGuardOnlyBlocksOnProvenHarm) {
  Policy policy;
  policy.guards = {GuardOn("Guard")};
  policy.guards[0].mode = GuardMode::kVeto;
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}, {"Guard", 50}}),
                              Contender({{"A", 90}, {"Guard", 51}}), policy)),
            "keep: A improved, no evidence of harm to 1 guard");
}

TEST(CompareFilesTest, GuardsAreJudgedPastTheFilter) {
  Policy policy;
  policy.guards = {GuardOn("Guard")};
  CompareOptions options;
  options.match.filter = Pattern("^A$");
  const ComparisonTable table = CompareFiles(
      Baseline({{"A", 100}, {"B", 1}, {"Guard", 50}}),
      Contender({{"A", 90}, {"B", 9}, {"Guard", 60}}), policy, options);
  EXPECT_EQ(Said(table), "discard: guard Guard is worse by more than 2 %");
  EXPECT_THAT(table.comparisons, SizeIs(2));
}

TEST(CompareFilesTest, AGuardOnAnotherMetricIsComparedExactlyWhenAsked) {
  Policy policy;
  Guard guard;
  guard.metric = "allocs_per_iter";
  guard.mode = GuardMode::kExact;
  policy.guards = {guard};
  const auto said = [&](double allocations) {
    Files baseline = Baseline({{"A", 100}});
    Files contender = Contender({{"A", 90}});
    for (ResultFile& file : baseline) {
      file.measurements[0].counters.emplace_back("allocs_per_iter", 3.0);
    }
    for (ResultFile& file : contender) {
      file.measurements[0].counters.emplace_back("allocs_per_iter",
                                                 allocations);
    }
    return Said(CompareFiles(baseline, contender, policy));
  };
  EXPECT_EQ(said(3), "keep: A improved, 1 guard unharmed");
  EXPECT_EQ(said(4), "discard: guard A is worse by more than 2 %");
  EXPECT_THAT(IdleIn(CompareFiles(Baseline({{"A", 100}}),
                                  Contender({{"A", 90}}), policy)),
              ElementsAre("guard \"allocs_per_iter\": no target carries it; "
                          "there are real_time, cpu_time"));
}

TEST(CompareFilesTest, ImplausibleGainsNeedReview) {
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 100}}), Contender({{"A", 10}}),
                              Policy())),
            "inconclusive: needs review: A is 10 times better; check that the "
            "work is still done");
}

TEST(CompareFilesTest, BenchmarksOnOneSideOnlyCannotBeJudged) {
  const ComparisonTable removed =
      CompareFiles(Baseline({{"A", 100}, {"B", 1}, {"C", 1}}),
                   Contender({{"A", 90}}), Policy());
  EXPECT_EQ(Said(removed),
            "cannot judge: B and 1 more are only in the baseline");
  EXPECT_THAT(removed.only_in_baseline, ElementsAre("B", "C"));
  const ComparisonTable added = CompareFiles(
      Baseline({{"A", 100}}), Contender({{"A", 90}, {"B", 1}}), Policy());
  EXPECT_EQ(Said(added), "cannot judge: B is only in the contender");
  CompareOptions options;
  options.common_only = true;
  EXPECT_EQ(
      Said(CompareFiles(Baseline({{"A", 100}, {"B", 1}}),
                        Contender({{"A", 90}, {"C", 1}}), Policy(), options)),
      "keep: A improved");
}

TEST(CompareFilesTest, NothingInCommonOrSelectedCannotBeJudged) {
  EXPECT_EQ(
      Said(CompareFiles(Baseline({{"A", 1}}), Contender({{"B", 1}}), Policy())),
      "cannot judge: the two sides have no benchmark in common");
  CompareOptions options;
  options.match.filter = Pattern("Z");
  EXPECT_EQ(Said(CompareFiles(Baseline({{"A", 1}}), Contender({{"A", 1}}),
                              Policy(), options)),
            "cannot judge: no benchmark is selected on either side");
}

TEST(CompareFilesTest, RanBeforeAndErroredNowIsNeverFaster) {
  Files contender = Contender({{"A", 90}, {"B", 1}});
  contender[2].measurements.erase(contender[2].measurements.begin());
  contender[2].unusable.push_back({"A", UnusableRow::Kind::kErrored, "boom"});
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}, {"B", 1}}), contender, Policy());
  EXPECT_EQ(Said(table),
            "cannot judge: A: contender: failed in 1 of 6 runs: boom");
  EXPECT_FALSE(table.comparisons[0].estimate.has_value());
  EXPECT_THAT(table.unusable_contender, SizeIs(1));
  EXPECT_THAT(table.overall_size, 1U) << "only over valid benchmarks";
}

TEST(CompareFilesTest, SkippedOnBothSidesIsOnlyListed) {
  Files baseline = Baseline({{"A", 100}});
  Files contender = Contender({{"A", 90}});
  baseline[0].unusable.push_back({"S", UnusableRow::Kind::kSkipped, "no AVX"});
  contender[0].unusable.push_back({"S", UnusableRow::Kind::kSkipped, "no AVX"});
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table), "keep: A improved");
  EXPECT_THAT(table.unusable_baseline, SizeIs(1));
}

TEST(CompareFilesTest, ACounterIsComparedInItsDirection) {
  Policy policy;
  policy.metric = "items_per_second";
  Files baseline = Baseline({{"A", 100}, {"B", 1}});
  Files contender = Contender({{"A", 100}, {"B", 1}});
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    baseline[i].measurements[0].counters.emplace_back("items_per_second",
                                                      1e6 * Spread()[i]);
    contender[i].measurements[0].counters.emplace_back(
        "items_per_second", 1.2e6 * OtherSpread()[i]);
  }
  const ComparisonTable table = CompareFiles(baseline, contender, policy);
  EXPECT_EQ(Said(table), "keep: A improved");
  EXPECT_NEAR(table.comparisons[0].estimate->ratio, 1.2, 0.01);
  EXPECT_THAT(table.without_metric, ElementsAre("B"));
  policy.metric = "bytes_per_second";
  EXPECT_EQ(Said(CompareFiles(baseline, contender, policy)),
            "cannot judge: no benchmark carries the metric; A is without it");
}

TEST(CompareFilesTest, TheSameNumbersOnBothSidesAreDoubted) {
  const Files files = Baseline({{"A", 100}});
  const ComparisonTable table = CompareFiles(files, files, Policy());
  EXPECT_EQ(Said(table),
            "inconclusive: needs review: A: both sides hold the same numbers "
            "to the last digit");
  EXPECT_FALSE(table.overall.has_value());
}

TEST(CompareFilesTest, AScaledCopyIsDoubted) {
  const ComparisonTable table =
      CompareFiles(VisitsOf("old", Spread(), {{"A", 128}, {"B", 64}}),
                   VisitsOf("new", Spread(), {{"A", 64}, {"B", 32}}), Policy());
  EXPECT_THAT(Said(table), HasSubstr("a scaled copy"));
  EXPECT_EQ(table.decision, Decision::kInconclusive);
}

TEST(CompareFilesTest, ADoubtedTargetStopsAKeepAndStaysOutOfTheMean) {
  Files contender = Contender({{"A", 90}, {"B", 45}});
  contender[0].suspicions = {
      {Suspicion::Kind::kTooFast, "B", "the loop was removed"}};
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 100}, {"B", 50}}), contender, Policy());
  EXPECT_EQ(Said(table),
            "inconclusive: needs review: B: contender: the loop was removed");
  EXPECT_EQ(table.overall_size, 1U);
  EXPECT_EQ(table.comparisons[0].verdict, Verdict::kImproved);
}

// A loop that is empty on both sides; one that became empty is a doubt.
TEST(CompareFilesTest, ANoOpIsDoubtedAndHindersNothing) {
  const Suspicion no_op = {Suspicion::Kind::kNoOp, "B", "no time at all"};
  for (const double time : {0.0, 1e-5}) {
    Files baseline = Baseline({{"A", 100}, {"B", time}});
    Files contender = Contender({{"A", 90}, {"B", time}});
    for (ResultFile& file : contender) file.suspicions = {no_op};
    const ComparisonTable one_side =
        CompareFiles(baseline, contender, Policy());
    EXPECT_NE(one_side.decision, Decision::kKeep);
    for (ResultFile& file : baseline) file.suspicions = {no_op};
    const ComparisonTable table = CompareFiles(baseline, contender, Policy());
    EXPECT_EQ(Said(table), "keep: A improved");
    EXPECT_EQ(table.overall_size, 1U);
    EXPECT_EQ(table.comparisons[1].suspicion, "baseline: no time at all");
    EXPECT_EQ(Said(CompareFiles(baseline, contender, GatePolicy())),
              "pass: 1 benchmark proven within the margin");
    CompareOptions options;
    options.match.filter = Pattern("B");
    EXPECT_EQ(Said(CompareFiles(baseline, contender, GatePolicy(), options)),
              "cannot judge: B takes no time: there is nothing to compare");
  }
}

TEST(CompareFilesTest, FilesOfAnotherMachineProveNothing) {
  Files baseline = Baseline({{"A", 100}});
  Files contender = Contender({{"A", 90}});
  for (ResultFile& file : baseline) file.context.host_name = "ada";
  for (ResultFile& file : contender) file.context.host_name = "bob";
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table),
            "cannot judge: context: different hosts: ada against bob");
  CompareOptions options;
  options.ignore_context = true;
  const ComparisonTable ignored =
      CompareFiles(baseline, contender, Policy(), options);
  EXPECT_EQ(Said(ignored), "keep: A improved");
  EXPECT_THAT(ignored.warnings,
              ElementsAre("different hosts: ada against bob"));
}

TEST(CompareFilesTest, ThreadedRealTimeAcrossItsChangeOfMeaningIsRefused) {
  const auto versions = [](Files files, const std::string& version) {
    for (ResultFile& file : files) file.context.library_version = version;
    return files;
  };
  const Files baseline = Baseline({{"A/threads:4", 100}});
  const Files contender = Contender({{"A/threads:4", 90}});
  EXPECT_EQ(Said(CompareFiles(versions(baseline, "v1.8.4"),
                              versions(contender, "v1.9.0-3-gabc"), Policy())),
            "cannot judge: A/threads:4: real time of threads means something "
            "else from Google Benchmark 1.9 on: measure both sides with one "
            "version, or use --metric cpu_time");
  EXPECT_EQ(Said(CompareFiles(versions(baseline, "v1.9.1"),
                              versions(contender, "v1.10.0"), Policy())),
            "keep: A/threads:4 improved");
}

TEST(CompareFilesTest, WarningsOfFilesAreRepeatedWithTheirNames) {
  Files baseline = Baseline({{"A", 100}});
  baseline[0].complete = false;
  baseline[1].warnings = {"odd"};
  baseline[2].suspicions = {{Suspicion::Kind::kDebugBuild, "", "debug build"}};
  const ComparisonTable table =
      CompareFiles(baseline, Contender({{"A", 90}}), Policy());
  EXPECT_THAT(table.warnings,
              ElementsAre("old0: incomplete: its run did not end", "old1: odd",
                          "old2: debug build"));
}

TEST(CompareFilesTest, HolmOverTheTableMayBeRelaxedToBenjaminiHochberg) {
  // Three visits a side: one-sided p = 1/20 for the clear one among two.
  Files baseline = Baseline({{"A", 100}, {"B", 50}});
  Files contender = Contender({{"A", 90}, {"B", 40}});
  baseline.resize(3);
  contender.resize(3);
  const ComparisonTable holm = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(holm.comparisons[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(holm.comparisons[0].reason.substr(0, 51),
            "improved by itself, not among 2 benchmarks (Holm); ");
  CompareOptions options;
  options.adjustment = ErrorAdjustment::kBenjaminiHochberg;
  const ComparisonTable bh =
      CompareFiles(baseline, contender, Policy(), options);
  EXPECT_EQ(bh.comparisons[0].verdict, Verdict::kImproved);
  EXPECT_THAT(bh.comparisons[0].adjusted_p_value, Optional(0.1));
  EXPECT_THAT(holm.comparisons[0].adjusted_p_value, Optional(0.2));
}

// Correlated repetitions in few visits: what a U test over repetitions calls
// different half of the time must not be decided, by visits it is decided
// within its error. 600 tables: 0.05 plus three standard errors is 0.077.
TEST(CompareFilesTest, CorrelatedRepetitionsDoNotRaiseFalseAlarms) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> between(0.0, 0.03);
  std::normal_distribution<double> within(0.0, 0.005);
  const auto side = [&](const std::string& source) {
    Files files;
    for (int visit = 0; visit < 6; ++visit) {
      const double level = 100.0 * std::exp(between(random));
      std::vector<double> times;
      for (int i = 0; i < 10; ++i) {
        times.push_back(level * std::exp(within(random)));
      }
      files.push_back(ResultBuilder(source + std::to_string(visit))
                          .Times("A", times)
                          .Build());
    }
    return files;
  };
  constexpr int kTables = 600;
  int false_keeps = 0;
  int single_run_decisions = 0;
  for (int table = 0; table < kTables; ++table) {
    const Files baseline = side("old");
    const Files contender = side("new");
    const ComparisonTable visits = CompareFiles(baseline, contender, Policy());
    false_keeps += visits.decision == Decision::kKeep;
    const ComparisonTable single = CompareFiles(
        std::span(baseline).first(1), std::span(contender).first(1), Policy());
    single_run_decisions += single.decision != Decision::kInconclusive;
  }
  EXPECT_LE(false_keeps, 0.077 * kTables);
  EXPECT_GE(false_keeps, 1) << "the test can alarm at all";
  EXPECT_EQ(single_run_decisions, 0);
}

}  // namespace
}  // namespace autotune
