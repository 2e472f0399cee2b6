#include "comparator/evidence/round_ratios.h"

#include <cmath>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Optional;

constexpr double kTolerance = 1e-15;

VisitEvidence VisitOf(double parse, double encode) {
  VisitEvidence visit;
  visit.peak_rss_bytes = 2'000'000;
  visit.excess_cpu_seconds = 0.004;
  visit.program_bytes = 1000;
  visit.benchmarks.resize(2);
  visit.benchmarks[0].name = "BM_Parse";
  visit.benchmarks[0].value = parse;
  visit.benchmarks[1].name = "BM_Encode";
  visit.benchmarks[1].value = encode;
  return visit;
}

TEST(GuardValueTest, ReadsTheProcessOrABenchmark) {
  const VisitEvidence visit = VisitOf(3.0, 5.0);
  EXPECT_EQ(GuardValue(visit, "peak_rss"), 2e6);
  EXPECT_EQ(GuardValue(visit, "excess_cpu"), 0.004);
  EXPECT_EQ(GuardValue(visit, "binary_size"), 1000.0);
  EXPECT_EQ(GuardValue(visit, "BM_Encode"), 5.0);
  EXPECT_EQ(GuardValue(visit, "BM_Other"), std::nullopt);
}

TEST(GuardValueTest, ExcessBelowAMillisecondCountsAsOne) {
  VisitEvidence visit;
  visit.excess_cpu_seconds = -0.002;
  EXPECT_EQ(GuardValue(visit, "excess_cpu"), 1e-3);
}

TEST(CounterEntryNameTest, PutsTheCounterInBrackets) {
  EXPECT_EQ(CounterEntryName("BM_X/8", "hits"), "BM_X/8 [hits]");
}

// Logarithms 0, 2 and 0, 4: variances 2 and 8, of means 1 and 4.
TEST(RatioSpreadTest, IsTheErrorThatBothVisitsRepetitionsLeave) {
  VisitEvidence before = VisitOf(1.0, 1.0);
  VisitEvidence after = VisitOf(1.0, 1.0);
  before.benchmarks[0].values = {1.0, std::exp(2.0)};
  after.benchmarks[0].values = {5.0, 5.0 * std::exp(4.0)};
  EXPECT_NEAR(RatioSpread(before, after, "BM_Parse"), std::sqrt(5.0), 1e-12);
  EXPECT_EQ(RatioSpread(before, after, "BM_Parse"),
            RatioSpread(after, before, "BM_Parse"));
}

TEST(RatioSpreadTest, IsNotKnownOfOneRepetitionOrOfNone) {
  VisitEvidence before = VisitOf(1.0, 1.0);
  VisitEvidence after = VisitOf(1.0, 1.0);
  before.benchmarks[0].values = {1.0, 2.0};
  for (const std::vector<double>& values :
       {std::vector<double>{}, {3.0}, {3.0, 0.0}, {3.0, -1.0}}) {
    after.benchmarks[0].values = values;
    EXPECT_EQ(RatioSpread(before, after, "BM_Parse"), 0.0);
  }
  EXPECT_EQ(RatioSpread(before, after, "BM_Other"), 0.0);
  EXPECT_EQ(RatioSpread(before, after, "peak_rss"), 0.0);
}

TEST(ComputeRoundRatiosTest, GoWithTheirSpreads) {
  JudgeSettings settings;
  settings.targets = {"BM_Encode"};
  settings.guards = {{.name = "peak_rss"}, {.name = "BM_Parse"}};
  VisitEvidence before = VisitOf(1.0, 1.0);
  VisitEvidence after = VisitOf(1.0, 1.0);
  before.benchmarks[0].values = {1.0, std::exp(2.0)};
  after.benchmarks[0].values = {1.0, std::exp(4.0)};
  ASSERT_OK_AND_ASSIGN(
      const RoundRatios ratios,
      ComputeRoundRatios(SequentialJudge(settings),
                         {"cpu_time", Direction::kLowerIsBetter}, before,
                         after));
  EXPECT_THAT(ratios.target_spreads, ElementsAre(0.0));
  EXPECT_THAT(ratios.guard_spreads,
              ElementsAre(0.0, DoubleNear(std::sqrt(5.0), 1e-12)));
}

TEST(ComputeRoundRatiosTest, CountersOfZeroHaveAnAnswerWithoutARatio) {
  JudgeSettings settings;
  settings.targets = {"BM_Parse"};
  settings.guards = {{.name = "BM_Encode [allocs]"}};
  const auto ratios = [&settings](double parse, double allocs,
                                  double parse_after, double allocs_after,
                                  const Metric& metric) {
    VisitEvidence before = VisitOf(parse, allocs);
    VisitEvidence after = VisitOf(parse_after, allocs_after);
    before.benchmarks[1].name = "BM_Encode [allocs]";
    after.benchmarks[1].name = "BM_Encode [allocs]";
    return ComputeRoundRatios(SequentialJudge(settings), metric, before, after);
  };
  const Metric lower = {"allocs", Direction::kLowerIsBetter};
  const Metric higher = {"hits", Direction::kHigherIsBetter};
  ASSERT_OK_AND_ASSIGN(RoundRatios both, ratios(0, 0, 0, 0, lower));
  EXPECT_THAT(both.targets, ElementsAre(Optional(0.0)));
  EXPECT_THAT(both.guards, ElementsAre(0.0));
  ASSERT_OK_AND_ASSIGN(RoundRatios worse, ratios(0, 0, 12, 1, lower));
  EXPECT_THAT(worse.targets, ElementsAre(Optional(-kChangeFromZero)));
  EXPECT_THAT(worse.guards, ElementsAre(-kChangeFromZero));
  ASSERT_OK_AND_ASSIGN(RoundRatios better, ratios(12, 1, 0, 0, lower));
  EXPECT_THAT(better.targets, ElementsAre(Optional(kChangeFromZero)));
  EXPECT_THAT(better.guards, ElementsAre(kChangeFromZero));
  ASSERT_OK_AND_ASSIGN(RoundRatios hits, ratios(0, 1, 12, 1, higher));
  EXPECT_THAT(hits.targets, ElementsAre(Optional(kChangeFromZero)));
  const Metric time = {"cpu_time", Direction::kLowerIsBetter};
  EXPECT_THAT(ratios(0, 1, 12, 1, time),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "baseline: \"BM_Parse\": expected a number above 0, got "
                       "0"));
  EXPECT_THAT(ratios(1, 0, 1, -1, lower),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "baseline: \"BM_Encode [allocs]\": expected a number "
                       "above 0, got 0"));
}

TEST(ComputeRoundRatiosTest, KeepsTheOrderOfTheSettings) {
  JudgeSettings settings;
  settings.targets = {"BM_Encode", "BM_Parse"};
  settings.guards = {
      {.name = "peak_rss"},
      {.name = "BM_Parse", .direction = Direction::kHigherIsBetter}};
  VisitEvidence contender = VisitOf(6.0, 1.0);
  contender.peak_rss_bytes = 4'000'000;
  ASSERT_OK_AND_ASSIGN(
      const RoundRatios ratios,
      ComputeRoundRatios(SequentialJudge(settings),
                         {"cpu_time", Direction::kLowerIsBetter},
                         VisitOf(3.0, 4.0), contender));
  EXPECT_THAT(ratios.targets,
              ElementsAre(Optional(DoubleNear(std::log(4.0), kTolerance)),
                          Optional(DoubleNear(-std::log(2.0), kTolerance))));
  EXPECT_THAT(ratios.guards,
              ElementsAre(DoubleNear(-std::log(2.0), kTolerance),
                          DoubleNear(std::log(2.0), kTolerance)));
}

TEST(ComputeRoundRatiosTest, NamesTheSideAndTheBenchmarkWithoutARatio) {
  JudgeSettings settings;
  settings.targets = {"BM_Parse"};
  const SequentialJudge judge(settings);
  const Metric metric = {"cpu_time", Direction::kLowerIsBetter};
  EXPECT_THAT(
      ComputeRoundRatios(judge, metric, VisitOf(1, 1), VisitEvidence{}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "contender: \"BM_Parse\": expected a number above 0, got none"));
  EXPECT_THAT(
      ComputeRoundRatios(judge, metric, VisitOf(0, 1), VisitOf(1, 1)),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "baseline: \"BM_Parse\": expected a number above 0, got 0"));
}

}  // namespace
}  // namespace autotune
