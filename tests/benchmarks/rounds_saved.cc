// Rounds that weighing them by the spread of their own visits saves.
//
//   rounds_saved                 on simulated rounds
//   rounds_saved EVIDENCE...     on the counted rounds of evidence files of a
//                                program against itself (--rounds N): blocks of
//                                25 rounds in a row, drawn with their labels
//                                exchanged by chance
//
// Prints, for truths of 0, 1 and 5 % and 2,000 trials each, the mean rounds to
// a decision and the share of wrong ones, of the test as it is and of one that
// is told no spread. The figures of docs/statistics.md.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/statistics/sequential_test.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

constexpr int kTrials = 2000;
constexpr int kMostRounds = 1000;
constexpr int kRepetitions = 4;
constexpr std::size_t kBlock = 25;
const double kEffect = -std::log(0.99);

struct Round {
  double y = 0.0;  // of no change
  double spread = 0.0;
};

using NextRound = std::function<Round()>;
using Series = std::function<NextRound(std::uint64_t seed)>;

// Normal rounds of this standard deviation, a share of whose variance shows
// within the visits too; `unrest` is the standard deviation of the logarithm by
// which rounds differ in noise.
Series Simulated(double sd, double within, double unrest) {
  return [=](std::uint64_t seed) -> NextRound {
    return [=, generator = std::mt19937_64(seed),
            normal = std::normal_distribution<double>()]() mutable {
      const double round_sd =
          sd * std::exp(unrest * normal(generator) - 0.5 * unrest * unrest);
      const double visit_sd = round_sd * std::sqrt(0.5 * (1.0 - within));
      const double repetition_sd =
          round_sd * std::sqrt(0.5 * within * kRepetitions);
      VisitEvidence visits[2];
      double means[2] = {};
      for (int side = 0; side < 2; ++side) {
        VisitBenchmark& benchmark = visits[side].benchmarks.emplace_back();
        benchmark.name = "b";
        const double level = visit_sd * normal(generator);
        for (int i = 0; i < kRepetitions; ++i) {
          const double log = level + repetition_sd * normal(generator);
          means[side] += log / kRepetitions;
          benchmark.values.push_back(std::exp(log));
        }
      }
      return Round{means[0] - means[1], RatioSpread(visits[0], visits[1], "b")};
    };
  };
}

Series Recorded(std::vector<Round> rounds) {
  return [rounds = std::move(rounds)](std::uint64_t seed) -> NextRound {
    return [&rounds, generator = std::mt19937_64(seed), at = std::size_t{0},
            left = std::size_t{0}]() mutable {
      if (left == 0) {
        at = generator() % rounds.size();
        left = kBlock;
      }
      --left;
      Round round = rounds[at++ % rounds.size()];
      if ((generator() & 1) != 0) round.y = -round.y;
      return round;
    };
  };
}

struct Tally {
  double rounds = 0.0;
  int wrong = 0;
};

Tally Decide(const Series& series, double truth, bool told) {
  Tally tally;
  for (int trial = 0; trial < kTrials; ++trial) {
    const NextRound next = series(static_cast<std::uint64_t>(trial) + 1);
    SequentialTest test({});
    for (int i = 0;
         i < kMostRounds && test.decision() == Decision::kInconclusive; ++i) {
      const Round round = next();
      test.Add(truth + round.y, told ? round.spread : 0.0);
    }
    tally.rounds += static_cast<double>(test.rounds()) / kTrials;
    const Decision error = truth > 0.0 ? Decision::kDiscard : Decision::kKeep;
    tally.wrong += test.decision() == error ? 1 : 0;
  }
  return tally;
}

void PrintRow(const std::string& name, const Series& series) {
  std::printf("| %s |", name.c_str());
  for (const double truth : {0.0, kEffect, 5 * kEffect}) {
    const Tally plain = Decide(series, truth, false);
    const Tally told = Decide(series, truth, true);
    std::printf(" %.1f (%.1f %%) | %.1f (%.1f %%) |", plain.rounds,
                100.0 * plain.wrong / kTrials, told.rounds,
                100.0 * told.wrong / kTrials);
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<Round> RoundsOf(const Evidence& evidence) {
  std::vector<Round> rounds;
  const std::string& target = evidence.settings.targets.front();
  for (const RoundEvidence& round : evidence.rounds) {
    const std::optional<double> y = MeanTargetRatio(round);
    if (!y.has_value()) continue;
    rounds.push_back(
        {*y, RatioSpread(round.baseline, round.contender, target)});
  }
  return rounds;
}

int Run(const std::vector<std::string>& files) {
  std::printf(
      "| rounds | truth 0: not told | told | truth 1 %%: not told | told | 5 "
      "%%: not told | told |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& file : files) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const absl::StatusOr<Evidence> evidence = ParseEvidence(text, file);
    const std::vector<Round> rounds =
        evidence.ok() ? RoundsOf(*evidence) : std::vector<Round>();
    if (rounds.empty()) {
      std::fprintf(stderr, "%s: expected evidence with rounds of one target\n",
                   file.c_str());
      return 1;
    }
    PrintRow(evidence->settings.targets.front(), Recorded(rounds));
  }
  if (!files.empty()) return 0;
  for (const double sd : {0.005, 0.01, 0.02, 0.03, 0.05}) {
    for (const double unrest : {0.0, 0.6}) {
      char name[80];
      std::snprintf(name, sizeof name, "%.1f %%, %s", 100.0 * sd,
                    unrest > 0.0 ? "rounds unlike" : "rounds alike");
      PrintRow(name, Simulated(sd, 0.5, unrest));
    }
  }
  return 0;
}

}  // namespace
}  // namespace autotune

int main(int argc, char** argv) {
  return autotune::Run({argv + 1, argv + argc});
}
