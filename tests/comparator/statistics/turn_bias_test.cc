#include "comparator/statistics/turn_bias.h"

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace autotune {
namespace {

// y(20 ms) = 1 + B, y(4 ms) = 1 + 5 B with B = 0.5.
TEST(EstimateTurnBiasTest, SolvesForWhatGrowsWithShorterTurns) {
  const std::optional<TurnBias> bias =
      EstimateTurnBias({1.4, 1.5, 1.6}, 0.020, {3.4, 3.5, 3.6}, 0.004);
  ASSERT_TRUE(bias.has_value());
  EXPECT_NEAR(bias->bias, 0.5, 1e-12);
  // sqrt(pi / 2) * 1.4826 * 0.1 * sqrt(1 / 3 + 1 / 3) / 4
  EXPECT_NEAR(bias->error,
              1.2533141373155001 * 0.14826 * std::sqrt(2.0 / 3.0) / 4, 1e-12);
}

TEST(EstimateTurnBiasTest, AFewSpoiledRoundsHardlyMoveItsError) {
  const auto clean = EstimateTurnBias({1.4, 1.5, 1.6, 1.4, 1.6}, 0.020,
                                      {3.4, 3.5, 3.6}, 0.004);
  const auto spoiled = EstimateTurnBias({1.4, 1.5, 90.0, 1.4, 1.6}, 0.020,
                                        {3.4, 3.5, 3.6}, 0.004);
  EXPECT_NEAR(clean->error, spoiled->error, 1e-12);
}

TEST(EstimateTurnBiasTest, LongerCheckTurnsGiveTheSameBias) {
  // A duet of 4 ms slices: y = 1 + 2.5; turns of 20 ms: y = 1 + 0.5.
  const std::optional<TurnBias> bias =
      EstimateTurnBias({3.5, 3.5}, 0.004, {1.5, 1.5}, 0.020);
  ASSERT_TRUE(bias.has_value());
  EXPECT_NEAR(bias->bias, 2.5, 1e-12);
  EXPECT_EQ(bias->error, 0.0);
}

TEST(EstimateTurnBiasTest, NeedsTwoRoundsOfEitherKind) {
  EXPECT_FALSE(EstimateTurnBias({1.0}, 0.020, {1.0, 2.0}, 0.004).has_value());
  EXPECT_FALSE(EstimateTurnBias({1.0, 2.0}, 0.020, {}, 0.004).has_value());
}

// Of normal noise the estimate lies within two errors of the truth about as
// often as the error promises.
TEST(EstimateTurnBiasTest, ItsErrorIsThatOfTheEstimate) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> noise(0.0, 0.02);
  constexpr int kRuns = 400;
  int within = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> rounds;
    std::vector<double> checks;
    for (int i = 0; i < 20; ++i) rounds.push_back(0.01 + noise(generator));
    for (int i = 0; i < 10; ++i) checks.push_back(0.03 + noise(generator));
    const auto bias = EstimateTurnBias(rounds, 0.020, checks, 0.004);
    within += std::abs(bias->bias - 0.005) < 2.0 * bias->error ? 1 : 0;
  }
  EXPECT_GT(within, kRuns * 0.90);
  EXPECT_LT(within, kRuns * 0.99);
}

// At a tenth of the turn the bias is 10^0.7 = 5.01 times as large at least: y
// = 1 + 0.5 in the run's turns, 1 + 0.5 * 5.01 in the checking ones.
TEST(FreedOfBiasTest, TakesAwayABiasThatFallsWithTheLeastPower) {
  const double growth = std::pow(10.0, 0.7);
  EXPECT_NEAR(FreedOfBias(1.5, 0.005, 1.0 + 0.5 * growth, 0.0005), 1.0, 1e-12);
  EXPECT_NEAR(FreedOfBias(0.5, 0.005, 1.0 - 0.5 * growth, 0.0005), 1.0, 1e-12);
}

// y = 1 + 0.5 and 1 + 5: the steeper fall makes 0.5 look like 1.12.
TEST(FreedOfBiasTest, TakesAwayMoreThanABiasThatFallsSteeper) {
  EXPECT_NEAR(FreedOfBias(1.5, 0.005, 6.0, 0.0005),
              1.5 - 4.5 / (std::pow(10.0, 0.7) - 1.0), 1e-12);
  EXPECT_LT(FreedOfBias(1.5, 0.005, 6.0, 0.0005), 1.0);
}

// A duet of 4 ms slices checked by turns of 20 ms.
TEST(FreedOfBiasTest, LongerCheckTurnsFreeItToo) {
  const double share = std::pow(0.2, 0.7);
  EXPECT_NEAR(FreedOfBias(1.5, 0.004, 1.0 + 0.5 * share, 0.020), 1.0, 1e-12);
}

TEST(FreedOfBiasTest, WithoutABiasThereIsNothingToTakeAway) {
  EXPECT_EQ(FreedOfBias(0.01, 0.005, 0.01, 0.0005), 0.01);
}

}  // namespace
}  // namespace autotune
