// What judging costs: one round of the sequential test with its progress line,
// whole runs, and the rank tests of recorded files. Rerun with
//   build/release/tests/benchmarks/statistics_benchmark
// docs/statistics.md quotes the figures.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/sample.h"
#include "comparator/statistics/sequential_test.h"

namespace autotune {
namespace {

std::vector<double> Values(std::size_t count, std::uint64_t seed,
                           double step = 0.0) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(100.0, 2.0);
  std::vector<double> values(count);
  for (double& value : values) {
    value = normal(generator);
    if (step > 0.0) value = std::round(value / step) * step;
  }
  return values;
}

Sample SampleOf(std::size_t count, std::uint64_t seed, double step = 0.0) {
  return *Sample::Create(Values(count, seed, step));
}

// A run of as many rounds that never decides: the noise is far too large.
std::vector<double> EndlessRounds(std::size_t count) {
  std::vector<double> ys = Values(count, 1);
  for (double& y : ys) y = (y - 100.0) / 10.0 + 0.005;
  return ys;
}

void BM_SequentialRounds(benchmark::State& state) {
  const auto ys = EndlessRounds(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    SequentialTest test({.stop_when_decided = false});
    for (const double y : ys) test.Add(y);
    benchmark::DoNotOptimize(test.log_e_keep());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_SequentialRounds)->Arg(25)->Arg(200)->Arg(2000);

// With the estimate after each round, as the progress line wants it.
void BM_SequentialRoundsWithEstimates(benchmark::State& state) {
  const auto ys = EndlessRounds(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    SequentialTest test({.stop_when_decided = false});
    for (const double y : ys) {
      test.Add(y);
      benchmark::DoNotOptimize(test.estimate());
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_SequentialRoundsWithEstimates)->Arg(25)->Arg(200)->Arg(2000);

// Twenty targets by their geometric mean and five guards, 200 rounds.
void BM_JudgeTwentyTargets(benchmark::State& state) {
  JudgeSettings settings;
  settings.targets.assign(20, "target");
  settings.guards.assign(5, {.name = "guard"});
  settings.stop_when_decided = false;
  const auto ys = EndlessRounds(200);
  for (auto _ : state) {
    SequentialJudge judge(settings);
    for (const double y : ys) {
      judge.Add({.targets = std::vector<std::optional<double>>(20, y),
                 .guards = std::vector<double>(5, y)});
    }
    benchmark::DoNotOptimize(judge.overall());
  }
}
BENCHMARK(BM_JudgeTwentyTargets)->Unit(benchmark::kMillisecond);

void BM_MannWhitney(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Sample baseline = SampleOf(size, 1);
  const Sample contender = SampleOf(size, 2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(MannWhitneyTest(baseline, contender));
  }
}
BENCHMARK(BM_MannWhitney)->Arg(5)->Arg(10)->Arg(50)->Arg(1000);

void BM_MannWhitneyWithTies(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Sample baseline = SampleOf(size, 1, 1.0);
  const Sample contender = SampleOf(size, 2, 1.0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(MannWhitneyTest(baseline, contender));
  }
}
BENCHMARK(BM_MannWhitneyWithTies)->Arg(5)->Arg(10)->Arg(30);

// Estimate, both one-sided bounds and an interval: a row of a table.
void BM_HodgesLehmann(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Sample baseline = SampleOf(size, 1);
  const Sample contender = SampleOf(size, 2);
  for (auto _ : state) {
    const TwoSampleShift shift(baseline, contender);
    benchmark::DoNotOptimize(shift.estimate());
    benchmark::DoNotOptimize(shift.LowerBound(0.05));
    benchmark::DoNotOptimize(shift.UpperBound(0.10));
    benchmark::DoNotOptimize(shift.LowerBound(0.025));
    benchmark::DoNotOptimize(shift.UpperBound(0.025));
  }
}
BENCHMARK(BM_HodgesLehmann)->Arg(5)->Arg(10)->Arg(50)->Arg(1000);

void BM_PseudoMedian(benchmark::State& state) {
  const Sample sample = SampleOf(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(PseudoMedianOfSorted(sample.sorted()));
  }
}
BENCHMARK(BM_PseudoMedian)->Arg(25)->Arg(200)->Arg(2000);

void BM_AdjustHolm(benchmark::State& state) {
  std::vector<double> p = Values(static_cast<std::size_t>(state.range(0)), 1);
  for (double& value : p) value = std::abs(std::fmod(value, 1.0));
  for (auto _ : state) benchmark::DoNotOptimize(AdjustHolm(p));
}
BENCHMARK(BM_AdjustHolm)->Arg(20000);

}  // namespace
}  // namespace autotune
