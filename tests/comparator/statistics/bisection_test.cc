#include "comparator/statistics/bisection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <vector>

#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/descriptive.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/simulated_rounds.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr double kError = 0.05;

std::size_t CommitOf(const std::optional<Bisection::Step>& step) {
  return step.has_value() ? step->commit : 0;
}

TEST(BisectionTest, WhatReachesTheErrorOfItsStepIsProven) {
  Bisection search(8, kError);
  EXPECT_THAT(search.Plausible(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  auto step = search.Next();
  ASSERT_EQ(CommitOf(step), 4U);
  EXPECT_DOUBLE_EQ(step->error, kError / 4.0);  // three steps and one to spare
  search.Set(*step, std::log(4.0 / kError), -5.0);
  EXPECT_THAT(search.Plausible(), ElementsAre(1, 2, 3, 4));
  step = search.Next();
  ASSERT_EQ(CommitOf(step), 2U);
  EXPECT_DOUBLE_EQ(step->error, kError / 4.0);
  search.Set(*step, -5.0, std::log(4.0 / kError));
  EXPECT_THAT(search.Plausible(), ElementsAre(3, 4));
  step = search.Next();
  ASSERT_EQ(CommitOf(step), 3U);
  search.Set(*step, std::log(3.99 / kError), -5.0);  // just not
  EXPECT_THAT(search.Plausible(), ElementsAre(3, 4));
  EXPECT_EQ(search.Next(), std::nullopt);
}

TEST(BisectionTest, WhatProvedNothingShiftsTheChoice) {
  Bisection likely_bad(16, kError);
  likely_bad.Set({8, 0.01}, 2.0, -2.0);
  EXPECT_LT(CommitOf(likely_bad.Next()), 8U);
  Bisection likely_good(16, kError);
  likely_good.Set({8, 0.01}, -2.0, 2.0);
  EXPECT_GT(CommitOf(likely_good.Next()), 8U);
  Bisection both(16, kError);
  both.Set({8, 0.01}, 9.0, 9.0);  // no claim: they contradict each other
  EXPECT_THAT(both.Plausible(), SizeIs(16));
}

TEST(BisectionTest, TheErrorsOfAllStepsStayBelowThatOfTheSearch) {
  Bisection search(40, kError);
  double sum = 0.0;
  while (const auto step = search.Next()) {
    sum += step->error;
    EXPECT_GT(step->error, 0.0);
    search.Set(*step, 0.0, 0.0);
  }
  EXPECT_LT(sum, kError);
  EXPECT_GT(sum, 0.9 * kError);
}

TEST(BisectionTest, GoesAroundWhatCannotBeMeasured) {
  Bisection search(5, kError);
  for (const std::size_t m : {2U, 3U}) search.Exclude(m);
  EXPECT_EQ(CommitOf(search.Next()), 1U);
  search.Know(1, false);
  EXPECT_EQ(CommitOf(search.Next()), 4U);
  search.Know(4, true);
  EXPECT_THAT(search.Plausible(), ElementsAre(2, 3, 4));
  EXPECT_EQ(search.Next(), std::nullopt);
  search.Know(4, false);  // contradicts what is known
  EXPECT_THAT(search.Plausible(), ElementsAre(2, 3, 4));
  EXPECT_THAT(Bisection(1, kError).Plausible(), ElementsAre(1));
}

// A history of 64 commits: one slower by 2 %, a second, smaller change
// elsewhere, and noise of 2 % a round.
struct History {
  std::size_t first_bad = 0;
  std::vector<double> loss;  // of each commit against the first
};

constexpr std::size_t kCommits = 64;
constexpr double kLoss = 0.02;
constexpr std::size_t kMostRounds = 400;  // of one commit

History MakeHistory(std::uint64_t seed) {
  History history;
  history.first_bad = 1 + seed * 37 % kCommits;
  const std::size_t second = 1 + (seed * 53 + 11) % kCommits;
  for (std::size_t m = 0; m <= kCommits; ++m) {
    history.loss.push_back((m >= history.first_bad ? kLoss : 0.0) -
                           (m >= second ? 0.2 * kLoss : 0.0));
  }
  return history;
}

// Whether m is bad is whether it lost more than half of what the last did.
struct Found {
  std::vector<std::size_t> plausible;
  std::size_t rounds = 0;
  std::size_t builds = 0;
};

Found Search(const History& history, Noise noise, std::uint64_t seed) {
  const double half = 0.5 * history.loss.back();
  Bisection search(kCommits, kError);
  Found found;
  while (const auto step = search.Next()) {
    const std::size_t m = step->commit;
    JudgeSettings settings;
    settings.kind = PolicyKind::kGate;
    settings.targets = {"BM"};
    settings.target_margins = {std::expm1(half)};
    settings.alpha = settings.beta = step->error;
    SequentialJudge judge(settings);
    SimulatedRounds rounds(noise, seed * 1000 + m, -history.loss[m]);
    while (!judge.finished() && judge.rounds() < kMostRounds) {
      RoundRatios round;
      round.targets = {rounds.Next()};
      judge.Add(round);
    }
    const Comparison target = judge.targets().front();
    search.Set(*step, target.log_e_discard, target.log_e_keep);
    found.rounds += judge.rounds();
    ++found.builds;
  }
  found.plausible = search.Plausible();
  return found;
}

// `git bisect run` with a script that takes so many rounds and compares their
// median with half the loss.
std::size_t PlainSearch(const History& history, Noise noise, std::uint64_t seed,
                        std::size_t rounds_each) {
  std::size_t good = 0;
  std::size_t bad = kCommits;
  while (bad - good > 1) {
    const std::size_t m = (good + bad) / 2;
    SimulatedRounds rounds(noise, seed * 1000 + m, -history.loss[m]);
    std::vector<double> losses;
    for (std::size_t i = 0; i < rounds_each; ++i) {
      losses.push_back(-rounds.Next());
    }
    (Median(losses) > 0.5 * history.loss.back() ? bad : good) = m;
  }
  return bad;
}

TEST(BisectionTest, IsWrongAtMostAsOftenAsStatedAndFindsMoreThanPlainBisect) {
  constexpr std::uint64_t kHistories = 100;
  constexpr const char* kNoises[] = {"normal noise", "spikes"};
  for (const Noise noise : {Noise::kNormal, Noise::kSpikes}) {
    std::size_t wrong = 0;
    std::size_t found = 0;
    std::size_t plain = 0;
    for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
      const History history = MakeHistory(seed);
      const Found answer = Search(history, noise, seed);
      const auto& plausible = answer.plausible;
      wrong += std::count(plausible.begin(), plausible.end(),
                          history.first_bad) == 0;
      found += plausible == std::vector<std::size_t>{history.first_bad};
      // Equal time: as many rounds in its six steps.
      const std::size_t each = std::max<std::size_t>(1, answer.rounds / 6);
      plain += PlainSearch(history, noise, seed, each) == history.first_bad;
      EXPECT_LE(answer.builds, 20U);
    }
    // 11 of 100 at 5 % has probability 0.3 %.
    EXPECT_LE(wrong, 11U);
    EXPECT_GE(found, 90U);
    std::cout << kNoises[noise == Noise::kSpikes] << ": " << found << " of "
              << kHistories << " found, " << wrong << " wrong; "
              << "plain bisection in equal time: " << plain << " found\n";
    EXPECT_GE(found + 5, plain);
  }
}

}  // namespace
}  // namespace autotune
