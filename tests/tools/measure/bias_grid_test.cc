// The errors of whole decisions when turns are biased: the real loop (rounds,
// pairs, settling, confirmation) on scripted visits. The short grid runs with
// the tests; AUTOTUNE_BIAS_GRID=TRIALS runs the whole one and prints its table.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/simulated_rounds.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/scripted_visits.h"

namespace autotune {
namespace {

constexpr double kMargin = 0.01005033585350145;  // -ln(1 - 1 %)

// How the bias falls with the turn, as a multiple of that at 5 ms.
struct Law {
  double power = 1.0;
  double constant = 0.0;  // share at 5 ms that no turn changes
};

struct Cell {
  double noise = 0.01;  // of a round in turns of 5 ms
  Law law;
  double bias = 0.0;  // at 5 ms
  double truth = 0.0;
};

// What longer turns and alternate rounds add to the noise, as replayed from a
// recorded machine (docs/measuring.md).
double NoiseOf(const Cell& cell, const RoundSetup& setup) {
  if (setup.mode == MeasureMode::kAlternate) return 2.5 * cell.noise;
  const double turn = absl::ToDoubleMilliseconds(setup.turn);
  return cell.noise * (turn <= 5.0 ? 1.0 : turn <= 20.0 ? 1.7 : 2.2);
}

double BiasOf(const Cell& cell, const RoundSetup& setup) {
  if (setup.mode == MeasureMode::kAlternate) return 0.0;
  const double turn = absl::ToDoubleMilliseconds(setup.turn);
  return cell.bias *
         ((1.0 - cell.law.constant) * std::pow(5.0 / turn, cell.law.power) +
          cell.law.constant);
}

struct Counts {
  int keeps = 0;
  int discards = 0;
  double seconds = 0.0;
};

Counts RunCell(const Cell& cell, int trials, PolicyKind kind) {
  Counts counts;
  for (int trial = 0; trial < trials; ++trial) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(trial) * 7919 + 1);
    std::normal_distribution<double> normal;
    // Some rounds are twice as restless as others, and their repetitions tell.
    ScriptedVisits* told = nullptr;
    ScriptedVisits visits([&](const std::string&, const RoundSetup& setup) {
      const double noise =
          NoiseOf(cell, setup) * std::exp(0.5 * normal(generator) - 0.125);
      told->ScatterRepetitions(setup.size.repetitions > 1 ? noise : 0.0);
      return cell.truth + BiasOf(cell, setup) + noise * normal(generator);
    });
    told = &visits;
    visits.plan().policy.kind = kind;
    visits.plan().policy.budget_seconds = 60.0;
    const absl::StatusOr<Evidence> evidence = visits.Run({"BM_A"});
    EXPECT_OK(evidence);
    if (!evidence.ok()) return counts;
    counts.keeps += evidence->decision == Decision::kKeep ? 1 : 0;
    counts.discards += evidence->decision == Decision::kDiscard ? 1 : 0;
    counts.seconds += visits.seconds();
  }
  return counts;
}

// All keeps of a truth of 0 are false, all discards of the margin or more.
void ExpectErrorsWithinLevels(const Cell& cell, const Counts& counts,
                              int trials) {
  SCOPED_TRACE(testing::Message()
               << "noise " << cell.noise << " power " << cell.law.power
               << " constant " << cell.law.constant << " bias " << cell.bias
               << " truth " << cell.truth);
  if (cell.truth <= 0.0) {
    EXPECT_LE(counts.keeps, MostByChance(trials, 0.055));
  }
  if (cell.truth >= kMargin) {
    EXPECT_LE(counts.discards, MostByChance(trials, 0.11));
  }
}

TEST(BiasGridTest, FalseKeepsAndDiscardsStayWithinTheirLevels) {
  constexpr int kTrials = Draws(60);
  const std::vector<Cell> cells = {
      {0.01, {1.0, 0.0}, 0.0025, 0.0},      {0.02, {1.0, 0.0}, 0.0025, 0.0},
      {0.01, {0.7, 0.0}, 0.005, 0.0},       {0.02, {0.7, 0.0}, 0.005, 0.0},
      {0.02, {1.0, 0.1}, 0.01, 0.0},        {0.005, {1.0, 0.1}, 0.04, 0.0},
      {0.01, {1.0, 0.0}, -0.0025, kMargin}, {0.02, {0.7, 0.0}, -0.005, kMargin},
      {0.01, {0.7, 0.0}, -0.01, kMargin},   {0.005, {1.0, 0.1}, -0.04, kMargin},
  };
  for (const Cell& cell : cells) {
    const Counts counts = RunCell(cell, kTrials, PolicyKind::kTune);
    ExpectErrorsWithinLevels(cell, counts, kTrials);
  }
}

// Without a bias the check must not cost the decision.
TEST(BiasGridTest, AnUnbiasedChangeIsStillKept) {
  constexpr int kTrials = Draws(60);
  const Cell cell = {0.01, {}, 0.0, kMargin};
  const Counts counts = RunCell(cell, kTrials, PolicyKind::kTune);
  EXPECT_GE(counts.keeps, FewestByChance(kTrials, 0.95));
}

// A gate's margin is 2 %: a bias that looks like a regression of 4 %.
TEST(BiasGridTest, GatesHaveTheSameBounds) {
  constexpr int kTrials = Draws(60);
  const Cell same = {0.01, {0.7, 0.0}, -0.04, 0.0};
  EXPECT_LE(RunCell(same, kTrials, PolicyKind::kGate).discards,
            MostByChance(kTrials, 0.11));
  const Cell worse = {0.01, {0.7, 0.0}, 0.02, -std::log(1.02)};
  EXPECT_LE(RunCell(worse, kTrials, PolicyKind::kGate).keeps,
            MostByChance(kTrials, 0.055));
}

TEST(BiasGridTest, WholeGrid) {
  const char* wanted = std::getenv("AUTOTUNE_BIAS_GRID");
  if (wanted == nullptr) {
    GTEST_SKIP() << "AUTOTUNE_BIAS_GRID=TRIALS runs it, in minutes";
  }
  const int trials = std::atoi(wanted);
  for (const double noise : {0.005, 0.01, 0.02, 0.05}) {
    for (const Law law : {Law{1.0, 0.0}, Law{0.7, 0.0}, Law{1.0, 0.1}}) {
      for (const double bias :
           {-0.04, -0.01, -0.005, -0.0025, 0.0, 0.0025, 0.005, 0.01, 0.04}) {
        std::printf("| %.1f %% | %.1f, %.0f %% | %+.2f %% |", 100.0 * noise,
                    law.power, 100.0 * law.constant, 100.0 * bias);
        for (const double truth : {0.0, 0.5 * kMargin, kMargin, 2 * kMargin}) {
          const Cell cell = {noise, law, bias, truth};
          const Counts counts = RunCell(cell, trials, PolicyKind::kTune);
          ExpectErrorsWithinLevels(cell, counts, trials);
          std::printf(" %.1f / %.1f, %.1f s |", 100.0 * counts.keeps / trials,
                      100.0 * counts.discards / trials,
                      counts.seconds / trials);
        }
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace
}  // namespace autotune
