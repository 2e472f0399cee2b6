#include "comparator/evidence/carry_over.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "comparator/evidence/evidence.h"
#include "gtest/gtest.h"
#include "tests/support/simulated_rounds.h"

namespace autotune {
namespace {

VisitEvidence VisitOf(double value) {
  VisitEvidence visit;
  visit.benchmarks = {
      {.name = "BM_A", .iterations = {}, .values = {value}, .value = value}};
  return visit;
}

struct Machine {
  double gain = 0.0;         // log-improvement of the contender
  double slow_after = 0.0;   // of whatever follows the contender, in sd
  double slot_effect = 0.0;  // of every second visit, log
  double sd = 0.02;
};

// An alternate run in which every visit is what the machine makes of it.
Evidence Simulated(const Machine& machine, int rounds, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> noise(0.0, machine.sd);
  Evidence evidence;
  evidence.settings.targets = {"BM_A"};
  bool after_contender = false;
  for (int i = 0; i < rounds; ++i) {
    RoundEvidence round;
    round.index = i;
    round.baseline_first = (generator() & 1) != 0;
    for (const bool first : {true, false}) {
      const bool contender = round.baseline_first != first;
      const double log_time =
          noise(generator) - (contender ? machine.gain : 0.0) +
          (after_contender ? machine.slow_after * machine.sd : 0.0) +
          (first ? 0.0 : machine.slot_effect);
      (contender ? round.contender : round.baseline) =
          VisitOf(100.0 * std::exp(log_time));
      after_contender = contender;
    }
    evidence.rounds.push_back(std::move(round));
  }
  return evidence;
}

int Alarms(const Machine& machine, int rounds, int runs) {
  int alarms = 0;
  for (int run = 0; run < runs; ++run) {
    const auto result = TestCarryOver(
        Simulated(machine, rounds, static_cast<std::uint64_t>(run)));
    if (result && result->p_value < kCarryOverLevel) ++alarms;
  }
  return alarms;
}

TEST(CarryOverTest, CleanRunsRaiseOneAlarmInAHundredWhateverTheEffect) {
  constexpr int kRuns = Draws(1000);
  const double most = MostByChance(kRuns, 0.01);
  EXPECT_LE(Alarms({}, 40, kRuns), most);
  EXPECT_LE(Alarms({.gain = 0.05}, 40, kRuns), most);
  EXPECT_LE(Alarms({.gain = -0.3}, 20, kRuns), most);
  EXPECT_LE(Alarms({.slot_effect = 0.1}, 40, kRuns), most);
}

TEST(CarryOverTest, StrongCarryOverIsFound) {
  EXPECT_GT(Alarms({.slow_after = 1.0}, 60, 200), 140);
  EXPECT_GT(Alarms({.gain = 0.05, .slow_after = 2.0}, 40, 200), 180);
}

TEST(CarryOverTest, TheSlowdownIsMeasured) {
  const auto result =
      TestCarryOver(Simulated({.slow_after = 3.0, .sd = 0.001}, 100, 1));
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->log_slowdown, 0.003, 0.0006);
  EXPECT_EQ(result->after_baseline + result->after_contender, 99u);
}

TEST(CarryOverTest, HigherIsBetterTurnsTheSign) {
  Evidence evidence = Simulated({.slow_after = 3.0, .sd = 0.001}, 100, 1);
  evidence.metric = {"items_per_second", Direction::kHigherIsBetter};
  EXPECT_NEAR(TestCarryOver(evidence)->log_slowdown, -0.003, 0.0006);
}

TEST(CarryOverTest, OnlyAlternateRoundsThatCountAreLookedAt) {
  Evidence evidence = Simulated({}, 30, 1);
  for (RoundEvidence& round : evidence.rounds) round.mode = MeasureMode::kTurns;
  EXPECT_EQ(TestCarryOver(evidence), std::nullopt);
  evidence = Simulated({}, 30, 1);
  evidence.rounds[7].use = RoundUse::kVoid;
  const auto result = TestCarryOver(evidence);
  EXPECT_EQ(result->after_baseline + result->after_contender, 28u);
  EXPECT_EQ(TestCarryOver(Simulated({}, 1, 1)), std::nullopt);
  EXPECT_EQ(TestCarryOver(Evidence()), std::nullopt);
}

TEST(CarryOverTest, AVisitWithoutANumberIsLeftOut) {
  Evidence evidence = Simulated({}, 30, 1);
  evidence.rounds[7].baseline.benchmarks.clear();
  evidence.rounds[7].contender.benchmarks[0].value = 0.0;
  const auto result = TestCarryOver(evidence);
  EXPECT_EQ(result->after_baseline + result->after_contender, 28u);
}

}  // namespace
}  // namespace autotune
