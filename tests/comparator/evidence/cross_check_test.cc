#include "comparator/evidence/cross_check.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A visit of 0.1 s of CPU in the timed part, `outside` seconds besides.
VisitEvidence VisitOf(double value, double outside = 0.01) {
  VisitEvidence visit;
  visit.user_cpu_seconds = 0.1 + outside;
  visit.excess_cpu_seconds = outside;
  visit.wall_seconds = 0.2;
  visit.threads = 1;
  VisitBenchmark benchmark;
  benchmark.name = "BM_A";
  benchmark.iterations = {static_cast<std::int64_t>(1e8 / value)};
  benchmark.values = {value};
  benchmark.value = value;
  visit.benchmarks.push_back(benchmark);
  return visit;
}

RoundEvidence RoundOf(VisitEvidence baseline, VisitEvidence contender) {
  RoundEvidence round;
  round.mode = MeasureMode::kTurns;
  round.baseline = std::move(baseline);
  round.contender = std::move(contender);
  return round;
}

// A keep of a contender that takes 80 % of the time, in `rounds` rounds whose
// contender spent `outside` seconds besides.
Evidence KeepWith(double outside, int rounds = 8) {
  Evidence evidence;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings.targets = {"BM_A"};
  evidence.repetition_min_time_seconds = 0.002;
  evidence.decision = Decision::kKeep;
  evidence.overall.estimate = RatioEstimate{.ratio = 0.8, .interval = {}};
  for (int i = 0; i < rounds; ++i) {
    evidence.rounds.push_back(
        RoundOf(VisitOf(1000.0), VisitOf(800.0, outside)));
  }
  return evidence;
}

TEST(DecisionObjectionTest, ACleanKeepMeetsNone) {
  EXPECT_EQ(DecisionObjection(KeepWith(0.01)), "");
  EXPECT_EQ(DecisionObjection(KeepWith(0.005)), "") << "less is no harm";
}

// The gain of 1.25 times claims 25 %: 12.5 % of 0.1 s explain half of it.
TEST(DecisionObjectionTest, WorkMovedOutOfTheTimedThreadIsNoGain) {
  EXPECT_EQ(DecisionObjection(KeepWith(0.0224)), "");
  EXPECT_EQ(DecisionObjection(KeepWith(0.0226)),
            "work outside the timed thread: the contender spends 12.6 % more "
            "there, the gain claims 25.0 %");
}

TEST(DecisionObjectionTest, GrowthThatTheSearchMayExplainIsNone) {
  Evidence evidence = KeepWith(0.0226);
  // 1.1 * 15 ms and 2 ms for starting, of 100 ms.
  evidence.repetition_min_time_seconds = 0.015;
  EXPECT_EQ(DecisionObjection(evidence), "");
  evidence = KeepWith(0.0284);
  evidence.repetition_min_time_seconds = 0.015;
  EXPECT_EQ(DecisionObjection(evidence), "");
  evidence = KeepWith(0.0286);
  evidence.repetition_min_time_seconds = 0.015;
  EXPECT_NE(DecisionObjection(evidence), "");
}

// The library searches for no iterations that the code has fixed.
TEST(DecisionObjectionTest, FixedIterationsAreNotSearchedFor) {
  Evidence evidence = KeepWith(0.0226);
  evidence.repetition_min_time_seconds = 0.015;
  const std::string fixed = "BM_A/iterations:40/repeats:3";
  evidence.settings.targets = {fixed};
  for (RoundEvidence& round : evidence.rounds) {
    round.baseline.benchmarks[0].name = fixed;
    round.contender.benchmarks[0].name = fixed;
  }
  EXPECT_NE(DecisionObjection(evidence), "");
}

// 2^-4 is more than a twentieth, 2^-5 less: what a keep needs at least.
TEST(DecisionObjectionTest, FewRoundsMayShowMoreWorkByChance) {
  EXPECT_EQ(DecisionObjection(KeepWith(0.04, 4)), "");
  EXPECT_NE(DecisionObjection(KeepWith(0.04, 5)), "");
}

TEST(DecisionObjectionTest, OneRoundOfSevenAgainstItIsEnoughDoubt) {
  Evidence evidence = KeepWith(0.04, 7);
  evidence.rounds[3].contender = VisitOf(800.0, 0.01);
  EXPECT_EQ(DecisionObjection(evidence), "");
}

TEST(DecisionObjectionTest, AGateToleratesItsMargin) {
  Evidence evidence = KeepWith(0.0119);
  evidence.settings.kind = PolicyKind::kGate;
  evidence.repetition_min_time_seconds = 0.0;
  evidence.overall.estimate = RatioEstimate{};
  EXPECT_EQ(DecisionObjection(evidence), "");
  for (RoundEvidence& round : evidence.rounds) {
    round.contender = VisitOf(1000.0, 0.0125);
  }
  EXPECT_EQ(DecisionObjection(evidence),
            "work outside the timed thread: the contender spends 2.5 % more "
            "there");
}

TEST(DecisionObjectionTest, RealTimeIsHeldAgainstTheWallOfTheProcess) {
  Evidence evidence = KeepWith(0.01, 8);
  evidence.metric.name = "real_time";
  for (RoundEvidence& round : evidence.rounds) {
    round.mode = MeasureMode::kAlternate;
    round.contender.wall_seconds = 0.22;
  }
  EXPECT_EQ(DecisionObjection(evidence),
            "work outside the timed part: the contender spends 20.0 % more "
            "there, the gain claims 25.0 %");
  for (RoundEvidence& round : evidence.rounds) round.mode = MeasureMode::kTurns;
  EXPECT_EQ(DecisionObjection(evidence), "") << "walls of turns hold both";
}

TEST(DecisionObjectionTest, MoreThreadsHideWorkFromCpuTime) {
  Evidence evidence = KeepWith(0.01);
  evidence.rounds[2].contender.threads = 3;
  EXPECT_EQ(DecisionObjection(evidence),
            "work outside the timed thread: the baseline ran 1 thread, the "
            "contender 3, and cpu_time counts the main one only");
  evidence.metric.name = "real_time";
  EXPECT_EQ(DecisionObjection(evidence), "");
  evidence = KeepWith(0.01);
  for (RoundEvidence& round : evidence.rounds) round.baseline.threads = 2;
  EXPECT_EQ(DecisionObjection(evidence), "") << "fewer threads hide nothing";
}

TEST(DecisionObjectionTest, OnlyAKeepIsHeldAgainstWhereTheWorkIsDone) {
  Evidence evidence = KeepWith(0.04);
  evidence.decision = Decision::kDiscard;
  EXPECT_EQ(DecisionObjection(evidence), "");
  evidence.decision = Decision::kInconclusive;
  EXPECT_EQ(DecisionObjection(evidence), "");
}

TEST(DecisionObjectionTest, ConfirmationRoundsMayContradictAKeep) {
  Evidence evidence = KeepWith(0.01);
  for (int i = 0; i < 2; ++i) {
    RoundEvidence round = RoundOf(VisitOf(1000.0), VisitOf(1001.0));
    round.use = RoundUse::kConfirmation;
    evidence.rounds.push_back(std::move(round));
  }
  EXPECT_EQ(DecisionObjection(evidence),
            "contradicted: in 2 rounds of one visit after the other the "
            "contender was worse");
  evidence.rounds.back().contender = VisitOf(999.0);
  EXPECT_EQ(DecisionObjection(evidence), "");
}

// A confirmation's visit: `length` times as long as VisitOf, with `rate`
// seconds outside for each second of timed work beside 8 ms once a process.
VisitEvidence LongVisit(double value, double length, double rate) {
  VisitEvidence visit = VisitOf(value);
  visit.excess_cpu_seconds = 0.008 + 0.1 * length * rate;
  visit.user_cpu_seconds = 0.1 * length + visit.excess_cpu_seconds;
  return visit;
}

Evidence ConfirmedKeep(double length, double rate) {
  Evidence evidence = KeepWith(0.01);
  for (RoundEvidence& round : evidence.rounds) {
    round.contender = VisitOf(800.0, 0.008 + 0.1 * rate);
    round.baseline = VisitOf(1000.0, 0.008);
  }
  for (int i = 0; i < 2; ++i) {
    RoundEvidence round =
        RoundOf(LongVisit(1000.0, length, 0.0), LongVisit(800.0, length, rate));
    round.use = RoundUse::kConfirmation;
    evidence.rounds.push_back(std::move(round));
  }
  return evidence;
}

// A clock that is slow by 3 % of the timed work, and the search of up to 4.2 ms
// in 100 ms cannot hide it in visits three times as long.
TEST(DecisionObjectionTest, TheKernelsAccountOfLongVisitsHasToAgree) {
  EXPECT_EQ(DecisionObjection(ConfirmedKeep(3.0, 0.0)), "");
  EXPECT_EQ(DecisionObjection(ConfirmedKeep(3.0, 0.029)), "");
  EXPECT_EQ(DecisionObjection(ConfirmedKeep(3.0, 0.031)),
            "work outside the timed thread: the contender spends 3.1 % more "
            "there, the gain claims 25.0 %");
  EXPECT_EQ(DecisionObjection(ConfirmedKeep(2.0, 0.041)), "")
      << "the search may explain 4.2 % of so little";
  Evidence once = ConfirmedKeep(3.0, 0.031);
  once.rounds.back().contender = LongVisit(800.0, 3.0, 0.0);
  EXPECT_EQ(DecisionObjection(once), "") << "not in every round";
  Evidence wall = ConfirmedKeep(3.0, 0.1);
  wall.metric.name = "real_time";
  EXPECT_EQ(DecisionObjection(wall), "");
}

// What the contender prepares once a process grows with no iteration.
TEST(DecisionObjectionTest, PreparationsOfAProcessAreNoSlowClock) {
  Evidence evidence = ConfirmedKeep(3.0, 0.0);
  for (RoundEvidence& round : evidence.rounds) {
    round.contender.excess_cpu_seconds += 0.012;
    round.contender.user_cpu_seconds += 0.012;
  }
  EXPECT_EQ(DecisionObjection(evidence), "");
}

TEST(ConfirmationLengthTest, LeavesChanceTwoPerCentOfTheTimedWork) {
  Evidence evidence = KeepWith(0.01);  // 4.2 ms of chance in 100 ms
  EXPECT_NEAR(ConfirmationLength(evidence), 1.0 + 0.0042 / (0.02 * 0.1), 1e-9);
  evidence.repetition_min_time_seconds = 1.0;
  EXPECT_NEAR(ConfirmationLength(evidence), 20.0, 1e-9) << "2 s at most";
  evidence.metric.name = "real_time";
  EXPECT_EQ(ConfirmationLength(evidence), 1.0);
  EXPECT_EQ(ConfirmationLength(Evidence()), 1.0);
}

// Alternate rounds; whatever follows the contender is a fifth slower.
TEST(DecisionObjectionTest, CarryOverHoldsADiscardBackToo) {
  Evidence evidence = KeepWith(0.01, 0);
  evidence.decision = Decision::kDiscard;
  bool after_contender = false;
  for (int i = 0; i < 24; ++i) {
    const bool baseline_first = i % 4 < 2;
    const double jitter = 0.1 * i;
    const double first = (after_contender ? 1200.0 : 1000.0) + jitter;
    const double second = (baseline_first ? 1000.0 : 1200.0) + jitter;
    RoundEvidence round = RoundOf(VisitOf(baseline_first ? first : second),
                                  VisitOf(baseline_first ? second : first));
    round.mode = MeasureMode::kAlternate;
    round.baseline_first = baseline_first;
    after_contender = baseline_first;
    evidence.rounds.push_back(std::move(round));
  }
  EXPECT_THAT(DecisionObjection(evidence),
              ::testing::MatchesRegex(
                  "carry-over: a visit after the contender is 20\\.0 % slower "
                  "than one after the baseline \\(p 0\\.000[0-9]\\)"));
}

TEST(ConfirmationContradictsTest, AllOfAFewOrAllButOneOfMany) {
  EXPECT_FALSE(ConfirmationContradicts({}));
  EXPECT_FALSE(ConfirmationContradicts({-0.1}));
  EXPECT_TRUE(ConfirmationContradicts({-0.1, -0.1}));
  EXPECT_FALSE(ConfirmationContradicts({-0.1, 0.0}));
  EXPECT_FALSE(ConfirmationContradicts({-1, -1, -1, -1, -1, -1, 1}));
  EXPECT_TRUE(ConfirmationContradicts({-1, -1, -1, -1, -1, -1, -1, 1}));
  EXPECT_FALSE(ConfirmationContradicts({-1, -1, -1, -1, -1, -1, 1, 1}));
}

TEST(RoundImprovementTest, IsTheMeanLogOverTheTargets) {
  Evidence evidence = KeepWith(0.01, 0);
  const RoundEvidence round = RoundOf(VisitOf(1000.0), VisitOf(800.0));
  EXPECT_NEAR(*RoundImprovement(evidence, round), std::log(1.25), 1e-12);
  evidence.metric.direction = Direction::kHigherIsBetter;
  EXPECT_NEAR(*RoundImprovement(evidence, round), -std::log(1.25), 1e-12);
  evidence.settings.targets = {"BM_A", "BM_Missing"};
  EXPECT_FALSE(RoundImprovement(evidence, round).has_value());
}

TEST(RoundWarningsTest, NameUnlikeWorkAndShortOverlaps) {
  Evidence evidence = KeepWith(0.01, 3);
  EXPECT_THAT(RoundWarnings(evidence), IsEmpty());
  for (RoundEvidence& round : evidence.rounds) {
    round.overlap = 0.5;
    round.contender.benchmarks[0].iterations[0] *= 5;
  }
  EXPECT_THAT(RoundWarnings(evidence),
              ElementsAre("the contender's visits measure 5.00 times the "
                          "baseline's time: do both use the same settings?",
                          "the visits ran together for only 50 % of a round"));
}

}  // namespace
}  // namespace autotune
