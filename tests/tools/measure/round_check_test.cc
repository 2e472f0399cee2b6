#include "tools/measure/round_check.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace autotune {
namespace {

const Metric kCpuTime = {"cpu_time", Direction::kLowerIsBetter};

VisitEvidence VisitOf(std::int64_t iterations, double ns) {
  VisitEvidence visit;
  visit.benchmarks.resize(1);
  visit.benchmarks[0].name = "BM_X";
  visit.benchmarks[0].iterations = {1000, iterations};
  visit.benchmarks[0].values = {10000, ns};
  return visit;
}

RoundEvidence RoundOf(VisitEvidence baseline, VisitEvidence contender) {
  RoundEvidence round;
  round.baseline = std::move(baseline);
  round.contender = std::move(contender);
  return round;
}

TEST(ShortestSoundTest, IsMinTimeUnlessTheCodeFixesLess) {
  Pilot pilot;
  pilot.targets.resize(3);
  pilot.targets[2].name = "BM_FixedOnALoadedMachine";
  pilot.targets[2].measured_seconds = 0.004;
  pilot.targets[2].least_counted_seconds = 0.001;
  pilot.targets[0].name = "BM_Free";
  pilot.targets[0].measured_seconds = 0.013;
  pilot.targets[1].name = "BM_Fixed";
  pilot.targets[1].measured_seconds = 0.0004;
  const ShortestRepetitions shortest = ShortestSound(pilot, 0.005);
  EXPECT_EQ(shortest.at("BM_Free"), 0.005);
  EXPECT_EQ(shortest.at("BM_Fixed"), 0.0004);
  EXPECT_EQ(shortest.at("BM_FixedOnALoadedMachine"), 0.001);
}

TEST(ShortestSoundTest, IterationsThatTheNameFixesAreNotSearchedFor) {
  Pilot pilot;
  pilot.targets.resize(1);
  pilot.targets[0].name = "BM_X/64/iterations:4/repeats:3";
  pilot.targets[0].measured_seconds = 0.004;
  EXPECT_TRUE(ShortestSound(pilot, 0.005).empty());
}

TEST(VoidReasonTest, ARepetitionBelowHalfOfTheTimeVoidsTheRound) {
  const ShortestRepetitions shortest = {{"BM_X", 0.01}};
  const VisitEvidence good = VisitOf(1000, 10000);  // 10 ms
  const VisitEvidence edge = VisitOf(500, 10000);   // 5 ms
  const VisitEvidence bad = VisitOf(499, 10000);
  EXPECT_EQ(VoidReason(RoundOf(good, edge), kCpuTime, shortest), "");
  EXPECT_EQ(VoidReason(RoundOf(good, bad), kCpuTime, shortest),
            "\"BM_X\": the iteration search was cut short");
}

TEST(VoidReasonTest, DoesNotDependOnWhichSideItWas) {
  const ShortestRepetitions shortest = {{"BM_X", 0.01}};
  for (const std::int64_t left : {1L, 499L, 500L, 1000L}) {
    for (const std::int64_t right : {1L, 499L, 500L, 1000L}) {
      const VisitEvidence one = VisitOf(left, 10000);
      const VisitEvidence two = VisitOf(right, 10000);
      EXPECT_EQ(VoidReason(RoundOf(one, two), kCpuTime, shortest),
                VoidReason(RoundOf(two, one), kCpuTime, shortest));
    }
  }
}

TEST(VoidReasonTest, HardlyAnyOverlapVoidsTheRound) {
  RoundEvidence round = RoundOf(VisitOf(1000, 10000), VisitOf(1000, 10000));
  round.overlap = 0.3;
  EXPECT_EQ(VoidReason(round, kCpuTime, {}), "");
  round.overlap = 0.29;
  EXPECT_EQ(VoidReason(round, kCpuTime, {}),
            "the visits ran together for only 29 % of the round");
}

TEST(VoidReasonTest, ABenchmarkWithoutNumbersVoidsTheRoundOfAnyMetric) {
  VisitEvidence empty;
  empty.benchmarks.resize(1);
  empty.benchmarks[0].name = "BM_X";
  const Metric hits = {"hits", Direction::kLowerIsBetter};
  for (const Metric& metric : {kCpuTime, hits}) {
    EXPECT_EQ(VoidReason(RoundOf(empty, VisitOf(1, 1)), metric, {}),
              "\"BM_X\": the iteration search was cut short");
    EXPECT_EQ(VoidReason(RoundOf(VisitOf(1, 1), empty), metric, {}),
              "\"BM_X\": the iteration search was cut short");
  }
}

TEST(VoidReasonTest, CountersHaveNoShortestTime) {
  const RoundEvidence round = RoundOf(VisitOf(1, 1), VisitOf(1, 1));
  EXPECT_EQ(
      VoidReason(round, {"hits", Direction::kLowerIsBetter}, {{"BM_X", 0.01}}),
      "");
}

}  // namespace
}  // namespace autotune
