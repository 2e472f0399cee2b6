// Error rates of every test on seeded simulated noise: promises of
// docs/statistics.md that no formula check can show.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/online_fdr.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"
#include "gtest/gtest.h"
#include "tests/support/samples.h"
#include "tests/support/simulated_rounds.h"

namespace autotune {
namespace {

constexpr int kTrials = Draws(500);
constexpr int kMostRounds = 100;
constexpr int kJudgedRuns = Draws(200);
constexpr int kRankTrials = Draws(2000);
const double kMargin = -std::log(0.99);

std::uint64_t Seed(Noise noise, int trial) {
  return static_cast<std::uint64_t>(noise) * 1'000'003 +
         static_cast<std::uint64_t>(trial);
}

// Whether the test is told the spreads of the rounds.
enum class Told { kNothing, kSpreads };

SequentialTest Decided(SimulatedRounds rounds, int most_rounds = kMostRounds,
                       Told told = Told::kNothing) {
  SequentialTest test({});
  for (int i = 0; i < most_rounds; ++i) {
    const double y = rounds.Next();
    test.Add(y, told == Told::kSpreads ? rounds.spread() : 0.0);
    if (test.decision() != Decision::kInconclusive) break;
  }
  return test;
}

struct Tally {
  int keeps = 0;
  int discards = 0;
  int covered = 0;
  double rounds = 0.0;
};

Tally RunTrials(Noise noise, double truth, Told told = Told::kNothing) {
  Tally tally;
  for (int trial = 0; trial < kTrials; ++trial) {
    const SequentialTest test = Decided(
        SimulatedRounds(noise, Seed(noise, trial), truth), kMostRounds, told);
    tally.keeps += test.decision() == Decision::kKeep ? 1 : 0;
    tally.discards += test.decision() == Decision::kDiscard ? 1 : 0;
    tally.rounds += static_cast<double>(test.rounds());
    const Interval y = test.log_improvement();
    const bool covers =
        (!y.lower || *y.lower <= truth) && (!y.upper || truth <= *y.upper);
    tally.covered += covers ? 1 : 0;
  }
  return tally;
}

TEST(CalibrationTest, NoChangeIsKeptAtMostAlphaOfTheTimeWhateverTheNoise) {
  for (const auto& [noise, name] : kNoises) {
    const Tally tally = RunTrials(noise, 0.0);
    EXPECT_LE(tally.keeps, MostByChance(kTrials, 0.05)) << name;
    EXPECT_GE(tally.covered, FewestByChance(kTrials, 0.85)) << name;
    EXPECT_GT(tally.discards, kTrials / 10) << name << ": decides nothing";
  }
}

// A scale that knows nearly all of the round but its sign.
TEST(CalibrationTest, SpreadsThatTellThePairChangeNoErrorRate) {
  for (const auto& [noise, name] : kNoises) {
    const Tally same = RunTrials(noise, 0.0, Told::kSpreads);
    EXPECT_LE(same.keeps, MostByChance(kTrials, 0.05)) << name;
    EXPECT_GE(same.covered, FewestByChance(kTrials, 0.85)) << name;
    const Tally better = RunTrials(noise, kMargin, Told::kSpreads);
    EXPECT_LE(better.discards, MostByChance(kTrials, 0.10)) << name;
    EXPECT_GE(better.covered, FewestByChance(kTrials, 0.85)) << name;
  }
}

TEST(CalibrationTest, AWorseContenderIsKeptAtMostAlphaOfTheTime) {
  for (const auto& [noise, name] : kNoises) {
    EXPECT_LE(RunTrials(noise, -0.002).keeps, MostByChance(kTrials, 0.05))
        << name;
  }
}

TEST(CalibrationTest, TheSmallestWorthyGainIsDiscardedAtMostBetaOfTheTime) {
  for (const auto& [noise, name] : kNoises) {
    const Tally tally = RunTrials(noise, kMargin);
    EXPECT_LE(tally.discards, MostByChance(kTrials, 0.10)) << name;
    EXPECT_GE(tally.covered, FewestByChance(kTrials, 0.85)) << name;
    EXPECT_GT(tally.keeps, kTrials / 10) << name << ": decides nothing";
  }
}

// Never stopping, asked after every round: the e-value itself may reach 20 in
// at most a twentieth of the runs, however long they are.
TEST(CalibrationTest, EKeepEverReachesItsLimitInAtMostAlphaOfLongRuns) {
  constexpr int kRuns = Draws(200);
  for (const auto& [noise, name] : kNoises) {
    int reached = 0;
    for (int trial = 0; trial < kRuns; ++trial) {
      SimulatedRounds rounds(noise, Seed(noise, trial + 5000), 0.0);
      SequentialTest test({.stop_when_decided = false});
      bool ever = false;
      for (int i = 0; i < 120 && !ever; ++i) {
        test.Add(rounds.Next());
        ever = test.log_e_keep() >= test.log_keep_limit();
      }
      reached += ever ? 1 : 0;
    }
    EXPECT_LE(reached, MostByChance(kRuns, 0.05)) << name;
  }
}

TEST(CalibrationTest, AGuardAtItsMarginIsRarelyCalledEitherWay) {
  const double at_margin = -std::log1p(0.02);
  for (const auto& [noise, name] : kNoises) {
    int unharmed = 0;
    int harmed = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      SimulatedRounds rounds(noise, Seed(noise, trial), at_margin);
      SequentialGuard guard({});
      for (int i = 0; i < 60 && !guard.settled(); ++i) guard.Add(rounds.Next());
      unharmed += guard.proven_unharmed() ? 1 : 0;
      harmed += guard.proven_harmed() ? 1 : 0;
    }
    EXPECT_LE(unharmed, MostByChance(kTrials, 0.05)) << name;
    EXPECT_LE(harmed, MostByChance(kTrials, 0.10)) << name;
  }
}

// Rounds that Wald's sequential test of 0 against kMargin takes, told that the
// rounds are normal with this sd. Source: Wald (1945), Ann. Math. Stat. 16(2).
int WaldRounds(SimulatedRounds rounds, double sd) {
  const double keep = std::log((1.0 - 0.10) / 0.05);
  const double discard = std::log(0.10 / (1.0 - 0.05));
  double log_likelihood_ratio = 0.0;
  int count = 0;
  while (log_likelihood_ratio < keep && log_likelihood_ratio > discard) {
    log_likelihood_ratio +=
        kMargin * (rounds.Next() - 0.5 * kMargin) / (sd * sd);
    ++count;
  }
  return count;
}

TEST(CalibrationTest, NormalRoundsAreFewComparedWithWaldsTest) {
  constexpr double kRoundSd = 0.02;
  for (const double truth : {0.0, kMargin}) {
    double ours = 0.0;
    double walds = 0.0;
    for (int trial = 0; trial < 2 * kTrials; ++trial) {
      const SimulatedRounds rounds(Noise::kNormal, Seed(Noise::kNormal, trial),
                                   truth, kRoundSd / std::sqrt(2.0));
      ours += static_cast<double>(Decided(rounds, 1000).rounds());
      walds += WaldRounds(rounds, kRoundSd);
    }
    EXPECT_LE(ours, 1.35 * walds);
  }
}

// Judges all targets and guards of one simulated run with a given truth each.
Decision JudgedDecision(const JudgeSettings& settings, std::uint64_t seed,
                        const std::vector<double>& target_truths,
                        const std::vector<double>& guard_truths) {
  SequentialJudge judge(settings);
  std::vector<SimulatedRounds> targets;
  std::vector<SimulatedRounds> guards;
  for (const double truth : target_truths) {
    targets.emplace_back(Noise::kHeavyTails, seed * 31 + targets.size(), truth);
  }
  for (const double truth : guard_truths) {
    guards.emplace_back(Noise::kNormal, seed * 37 + 100 + guards.size(), truth);
  }
  for (int i = 0; i < kMostRounds && !judge.finished(); ++i) {
    RoundRatios round;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      std::optional<double> y;
      if (judge.measures(k)) y = targets[k].Next();
      round.targets.push_back(y);
    }
    for (SimulatedRounds& guard : guards) round.guards.push_back(guard.Next());
    judge.Add(round);
  }
  return judge.decision();
}

int CountDecisions(const JudgeSettings& settings, Decision wanted, int runs,
                   const std::vector<double>& target_truths,
                   const std::vector<double>& guard_truths) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    const Decision decision = JudgedDecision(
        settings, static_cast<std::uint64_t>(run), target_truths, guard_truths);
    count += decision == wanted ? 1 : 0;
  }
  return count;
}

TEST(CalibrationTest, EachOfManyUselessTargetsIsKeptAtMostAlphaOfTheTime) {
  JudgeSettings settings;
  settings.targets = {"a", "b", "c", "d", "e"};
  settings.rule = TargetRule::kEach;
  settings.target_margins.assign(5, 0.2);
  EXPECT_LE(CountDecisions(settings, Decision::kKeep, kJudgedRuns,
                           std::vector<double>(5, 0.0), {}),
            MostByChance(kJudgedRuns, 0.05));
}

TEST(CalibrationTest, AGoodChangeWithOneHarmedGuardIsKeptAtMostAlphaOfTheTime) {
  JudgeSettings settings;
  settings.targets = {"a"};
  settings.guards = {{.name = "g"}, {.name = "h"}};
  EXPECT_LE(CountDecisions(settings, Decision::kKeep, kJudgedRuns, {0.08},
                           {-std::log1p(0.02), 0.0}),
            MostByChance(kJudgedRuns, 0.05));
}

TEST(CalibrationTest, ManyGuardsAtTheirMarginsDiscardAtMostBetaOfTheTime) {
  JudgeSettings settings;
  settings.targets = {"a"};
  settings.guards.assign(6, {.name = "g"});
  EXPECT_LE(CountDecisions(settings, Decision::kDiscard, kJudgedRuns, {0.08},
                           std::vector<double>(6, -std::log1p(0.02))),
            MostByChance(kJudgedRuns, 0.10));
}

TEST(CalibrationTest, AGateOfUnharmedBenchmarksFailsAtMostBetaOfTheTime) {
  JudgeSettings settings;
  settings.kind = PolicyKind::kGate;
  settings.targets.assign(6, "b");
  EXPECT_LE(CountDecisions(settings, Decision::kDiscard, kJudgedRuns,
                           std::vector<double>(6, -std::log1p(0.02)), {}),
            MostByChance(kJudgedRuns, 0.10));
}

TEST(CalibrationTest, AGateWithOneHarmedBenchmarkPassesAtMostAlphaOfTheTime) {
  JudgeSettings settings;
  settings.kind = PolicyKind::kGate;
  settings.targets.assign(3, "b");
  EXPECT_LE(CountDecisions(settings, Decision::kKeep, kJudgedRuns,
                           {0.0, -std::log1p(0.02), 0.0}, {}),
            MostByChance(kJudgedRuns, 0.05));
}

// Two are soon proven and dropped; what is left stands at its margin.
TEST(CalibrationTest, AGateThatDropsDecidedBenchmarksFailsAtMostBetaOfTheTime) {
  JudgeSettings settings;
  settings.kind = PolicyKind::kGate;
  settings.targets.assign(6, "b");
  const double at_margin = -std::log1p(0.02);
  EXPECT_LE(CountDecisions(
                settings, Decision::kDiscard, kJudgedRuns,
                {0.1, at_margin, 0.1, at_margin, at_margin, at_margin}, {}),
            MostByChance(kJudgedRuns, 0.10));
}

// One task of 60 attempts: most do nothing, some harm, a few gain 3 %. Returns
// the share of its keeps that are false.
double FalseKeepShare(std::uint64_t seed) {
  const OnlineFdrPlan plan{.fdr = 0.10, .alpha = 0.05, .horizon = 60};
  int kept = 0;
  int false_keeps = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const double truth = attempt % 10 == 3   ? 0.03
                         : attempt % 10 == 7 ? -0.02
                                             : 0.0;
    const absl::StatusOr<double> level = NextDecisionLevel(plan, attempt, kept);
    EXPECT_TRUE(level.ok());
    SequentialTest test({.alpha = *level});
    SimulatedRounds rounds(Noise::kHeavyTails,
                           seed * 1000 + static_cast<std::uint64_t>(attempt),
                           truth);
    for (int i = 0; i < 80 && test.decision() == Decision::kInconclusive; ++i) {
      test.Add(rounds.Next());
    }
    if (test.decision() != Decision::kKeep) continue;
    ++kept;
    false_keeps += truth <= 0.0 ? 1 : 0;
  }
  return kept == 0 ? 0.0 : static_cast<double>(false_keeps) / kept;
}

TEST(CalibrationTest, TheShareOfFalseKeepsOfATaskStaysBelowItsFdr) {
  constexpr int kTasks = Draws(40);
  double share = 0.0;
  for (int task = 0; task < kTasks; ++task) {
    share += FalseKeepShare(static_cast<std::uint64_t>(task));
  }
  EXPECT_LE(share / kTasks, 0.10);
}

// --- Recorded files: tests of independent values.

struct Rates {
  int two_sided = 0;
  int lower_bound_above_truth = 0;
  int upper_bound_below_truth = 0;
  int interval_misses = 0;
};

template <typename Draw>
Rates RankTestRates(std::size_t n, std::size_t m, double level,
                    const Draw& draw, int trials = kRankTrials) {
  std::mt19937_64 generator(n * 100 + m);
  Rates rates;
  for (int trial = 0; trial < trials; ++trial) {
    const Sample x = SampleOf(draw(generator, n));
    const Sample y = SampleOf(draw(generator, m));
    rates.two_sided += MannWhitneyTest(x, y).p_two_sided <= level ? 1 : 0;
    const TwoSampleShift shift(x, y);
    const ConfidenceBound lower = shift.LowerBound(level);
    const ConfidenceBound upper = shift.UpperBound(level);
    rates.lower_bound_above_truth += lower.value && *lower.value > 0.0 ? 1 : 0;
    rates.upper_bound_below_truth += upper.value && *upper.value < 0.0 ? 1 : 0;
    const ConfidenceBound low = shift.LowerBound(level / 2.0);
    const ConfidenceBound high = shift.UpperBound(level / 2.0);
    const bool misses =
        (low.value && *low.value > 0.0) || (high.value && *high.value < 0.0);
    rates.interval_misses += misses ? 1 : 0;
  }
  return rates;
}

void ExpectAtMost(const Rates& rates, double level, int trials = kRankTrials) {
  const double most = MostByChance(trials, level);
  EXPECT_LE(rates.two_sided, most);
  EXPECT_LE(rates.lower_bound_above_truth, most);
  EXPECT_LE(rates.upper_bound_below_truth, most);
  EXPECT_LE(rates.interval_misses, most);
}

TEST(CalibrationTest, RankTestsRejectEqualDistributionsAtMostAtTheirLevel) {
  const auto skewed = [](std::mt19937_64& generator, std::size_t n) {
    return Mapped(NormalValues(generator, n),
                  [](double v) { return std::exp(v); });
  };
  for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{4, 4},
                             {5, 9},
                             {10, 10},
                             {20, 15},
                             {55, 60}}) {
    ExpectAtMost(RankTestRates(n, m, 0.05, skewed), 0.05);
  }
  // And not far below it: the test is exact, not timid.
  EXPECT_GE(
      RankTestRates(10, 10, 0.05, skewed).two_sided,
      FewestByChance(kRankTrials, 0.0433));  // attained level at 10 against 10
}

TEST(CalibrationTest, RankTestsWithTiesRejectAtMostAtTheirLevel) {
  const auto coarse = [](std::mt19937_64& generator, std::size_t n) {
    return Mapped(NormalValues(generator, n),
                  [](double v) { return std::round(v); });
  };
  for (const auto& [n, m] :
       {std::pair<std::size_t, std::size_t>{5, 5}, {12, 9}, {40, 45}}) {
    ExpectAtMost(RankTestRates(n, m, 0.05, coarse, kRankTrials / 2), 0.05,
                 kRankTrials / 2);
  }
}

// `visits` process runs of `repetitions` each; half of the variance lies
// between the runs.
std::vector<std::vector<double>> Visits(std::mt19937_64& generator,
                                        std::size_t visits,
                                        std::size_t repetitions) {
  std::vector<std::vector<double>> side;
  for (std::size_t v = 0; v < visits; ++v) {
    const double centre = NormalValues(generator, 1).front();
    side.push_back(NormalValues(generator, repetitions, centre));
  }
  return side;
}

std::vector<double> Pooled(const std::vector<std::vector<double>>& visits) {
  std::vector<double> all;
  for (const std::vector<double>& visit : visits) {
    all.insert(all.end(), visit.begin(), visit.end());
  }
  return all;
}

std::vector<double> MediansOf(const std::vector<std::vector<double>>& visits) {
  std::vector<double> medians;
  for (const std::vector<double>& visit : visits) {
    medians.push_back(Median(SampleOf(visit)));
  }
  return medians;
}

TEST(CalibrationTest, CorrelatedRepetitionsAreSoundByVisitAndWrongPooled) {
  constexpr int kRuns = Draws(300);
  std::mt19937_64 generator(17);
  int by_visit = 0;
  int pooled = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto baseline = Visits(generator, 5, 10);
    const auto contender = Visits(generator, 5, 10);
    by_visit += MannWhitneyTest(SampleOf(MediansOf(baseline)),
                                SampleOf(MediansOf(contender)))
                            .p_two_sided <= 0.05
                    ? 1
                    : 0;
    pooled +=
        MannWhitneyTest(SampleOf(Pooled(baseline)), SampleOf(Pooled(contender)))
                    .p_two_sided <= 0.05
            ? 1
            : 0;
  }
  EXPECT_LE(by_visit, MostByChance(kRuns, 0.05));
  EXPECT_GT(pooled, kRuns / 3);
}

TEST(CalibrationTest, AdjustedPValuesKeepTheirPromises) {
  // 20 hypotheses, 12 true; the false ones have small p-values.
  constexpr int kRuns = Draws(2000);
  std::mt19937_64 generator(29);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int any_false = 0;
  double false_share = 0.0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> p(20);
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = i < 12 ? uniform(generator) : 0.02 * uniform(generator);
    }
    const std::vector<double> holm = AdjustHolm(p);
    any_false += *std::min_element(holm.begin(), holm.begin() + 12) <= 0.1;
    const std::vector<double> bh = AdjustBenjaminiHochberg(p);
    const auto rejected = [](double q) { return q <= 0.1; };
    const auto wrong = std::count_if(bh.begin(), bh.begin() + 12, rejected);
    const auto all = std::count_if(bh.begin(), bh.end(), rejected);
    if (all > 0)
      false_share += static_cast<double>(wrong) / static_cast<double>(all);
  }
  EXPECT_LE(any_false, MostByChance(kRuns, 0.1));
  EXPECT_LE(false_share / kRuns, 0.1);
  EXPECT_GE(false_share / kRuns, 0.04);  // 12 / 20 of the level: not timid
}

}  // namespace
}  // namespace autotune
