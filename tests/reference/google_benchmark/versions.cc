// Writes one result file that shows what a Google Benchmark version writes.
// Built against each of them; see README.md.
#include <benchmark/benchmark.h>

#include <cmath>

namespace {

double Work(long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) benchmark::DoNotOptimize(sum += 0.5);
  return sum;
}

void BM_Plain(benchmark::State& state) {
  while (state.KeepRunning()) Work(state.range(0));
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetLabel("plain");
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Plain)->Arg(64)->Arg(512)->Arg(4096)->Complexity();

// Its own name ends like an aggregate's.
void BM_arithmetic_mean(benchmark::State& state) {
  while (state.KeepRunning()) Work(100);
  state.SetBytesProcessed(state.iterations() * 8);
}
BENCHMARK(BM_arithmetic_mean)->Unit(benchmark::kMicrosecond);

void BM_Threads(benchmark::State& state) {
  while (state.KeepRunning()) Work(1000);
}
BENCHMARK(BM_Threads)->Threads(2)->UseRealTime();

// Fails once, in its second repetition: the first time that the iteration count
// is not raised.
void BM_Fails(benchmark::State& state) {
  static long last_iterations = 0;
  static bool failed = false;
  const long iterations = static_cast<long>(state.max_iterations);
  if (iterations == last_iterations && !failed) {
    failed = true;
    state.SkipWithError("no data");
  }
  last_iterations = iterations;
  while (state.KeepRunning()) Work(1000);
}
BENCHMARK(BM_Fails);

#if COUNTERS
void BM_Counters(benchmark::State& state) {
  while (state.KeepRunning()) Work(1000);
  state.counters["nodes"] = 12;
  state.counters["nodes_rate"] =
      benchmark::Counter(12, benchmark::Counter::kIsRate);
  state.counters["not_a_number"] = NAN;
  state.counters["too_large"] = -INFINITY;
}
BENCHMARK(BM_Counters);
#endif

// One name, two benchmarks.
void Slow(benchmark::State& state) {
  while (state.KeepRunning()) Work(2000);
}
void Fast(benchmark::State& state) {
  while (state.KeepRunning()) Work(1000);
}

int RegisterTwins() {
  benchmark::RegisterBenchmark("BM_Twin", Slow);
  benchmark::RegisterBenchmark("BM_Twin", Fast);
  return 0;
}
const int kTwins = RegisterTwins();

}  // namespace

BENCHMARK_MAIN();
