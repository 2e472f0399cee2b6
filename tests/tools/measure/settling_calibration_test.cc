#include <cstdint>

#include "absl/time/time.h"
#include "comparator/statistics/sequential_test.h"
#include "gtest/gtest.h"
#include "tests/support/simulated_rounds.h"
#include "tools/measure/bias_check.h"
#include "tools/measure/mode_choice.h"

namespace autotune {
namespace {

constexpr int kTrials = Draws(500);
constexpr int kMostRounds = 60;

// One stage on fresh rounds of an unchanged program.
Decision DecideStage(Noise noise, std::uint64_t seed, double alpha) {
  SimulatedRounds rounds(noise, seed, 0.0);
  SequentialTest test({.alpha = alpha});
  for (int i = 0; i < kMostRounds; ++i) {
    test.Add(rounds.Next());
    if (test.decision() != Decision::kInconclusive) break;
  }
  return test.decision();
}

// The worst that a bias check could do: it doubts every discard as long as
// there are longer turns, and no keep.
Decision DecideDoubtingDiscards(Noise noise, int trial) {
  double alpha = 0.05;
  absl::Duration turn = kUsualTurn;
  std::uint64_t seed = static_cast<std::uint64_t>(noise) * 1'000'003 +
                       static_cast<std::uint64_t>(trial) * 16;
  Decision decision = DecideStage(noise, seed, alpha);
  while (decision == Decision::kDiscard && turn < kLongestTurn) {
    alpha = SettlingAlpha(alpha, decision);
    turn = NextTurn(turn);
    decision = DecideStage(noise, ++seed, alpha);
  }
  return decision;
}

TEST(SettlingCalibrationTest, DoubtingEveryDiscardKeepsFalseKeepsNearAlpha) {
  int discards = 0;
  for (const auto& [noise, name] : kNoises) {
    int keeps = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      const Decision decision = DecideDoubtingDiscards(noise, trial);
      keeps += decision == Decision::kKeep ? 1 : 0;
      discards += decision == Decision::kDiscard ? 1 : 0;
    }
    EXPECT_LE(keeps, MostByChance(kTrials, 0.05 * 1.11)) << name;
  }
  EXPECT_GT(discards, 3 * kTrials) << "decides hardly anything";
}

}  // namespace
}  // namespace autotune
