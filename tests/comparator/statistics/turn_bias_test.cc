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

TEST(BiasAtTest, FallsAsTheTurnGrows) {
  const TurnBias longer = BiasAt({0.010, 0.002}, 0.020, 0.100);
  EXPECT_NEAR(longer.bias, 0.002, 1e-15);
  EXPECT_NEAR(longer.error, 0.0004, 1e-15);
}

TEST(JudgeBiasTest, IsClearOnlyWhenTwoErrorsMoreWouldNotReachTheSlack) {
  EXPECT_EQ(JudgeBias(0.0, 0.004, 0.01), BiasStanding::kClear);
  EXPECT_EQ(JudgeBias(0.002, 0.004, 0.01), BiasStanding::kUnsure);
  EXPECT_EQ(JudgeBias(0.0, 0.005, 0.01), BiasStanding::kUnsure);
}

TEST(JudgeBiasTest, IsBiasedWhenProvenAndAtLeastHalfOfTheSlack) {
  EXPECT_EQ(JudgeBias(0.005, 0.0025, 0.01), BiasStanding::kBiased);
  EXPECT_EQ(JudgeBias(0.005, 0.00251, 0.01), BiasStanding::kUnsure);
  EXPECT_EQ(JudgeBias(0.0049, 0.0026, 0.01), BiasStanding::kUnsure);
}

// What hinders the contender cannot make a keep wrong.
TEST(JudgeBiasTest, ABiasTheOtherWayEndangersNothing) {
  EXPECT_EQ(JudgeBias(-0.05, 0.004, 0.01), BiasStanding::kClear);
}

TEST(SettleUnsureTest, HalfOfTheSlackDecides) {
  EXPECT_EQ(SettleUnsure(0.0049, 0.01), BiasStanding::kClear);
  EXPECT_EQ(SettleUnsure(0.005, 0.01), BiasStanding::kUnsure);
}

}  // namespace
}  // namespace autotune
