// A Google Benchmark with a benchmark of each kind that the library knows, for
// command-line tests; all run quickly, of fixed iterations. All publish the
// counter "cost", given by the environment (COST), so that decisions on it do
// not depend on the machine; "allocs" (ALLOCS) differs from run to run in
// nothing.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "benchmark/benchmark.h"

namespace {

double Number(const char* name, double otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atof(text);
}

// Differs a little from process to process, as measurements do.
void Publish(benchmark::State& state) {
  const double jitter = 1.0 + 0.0005 * static_cast<double>(getpid() % 5);
  state.counters["cost"] = benchmark::Counter(Number("COST", 100) * jitter,
                                              benchmark::Counter::kAvgThreads);
  state.counters["allocs"] =
      benchmark::Counter(Number("ALLOCS", 0), benchmark::Counter::kAvgThreads);
}

void Spin(long units) {
  for (long i = 0; i < units; ++i) benchmark::DoNotOptimize(i);
}

void BM_Fitted(benchmark::State& state) {
  for (auto _ : state) Spin(state.range(0));
  state.SetComplexityN(state.range(0));
  Publish(state);
}
BENCHMARK(BM_Fitted)->Arg(64)->Arg(512)->Iterations(2000)->Complexity();

// The same, publishing aggregates only.
void BM_Summed(benchmark::State& state) { BM_Fitted(state); }
BENCHMARK(BM_Summed)
    ->Arg(64)
    ->Arg(512)
    ->Iterations(2000)
    ->Repetitions(2)
    ->ReportAggregatesOnly()
    ->Complexity(benchmark::oN);

void BM_Shared(benchmark::State& state) {
  for (auto _ : state) Spin(1000);
  Publish(state);
}
BENCHMARK(BM_Shared)->Iterations(2000)->Threads(2);

void BM_Waiting(benchmark::State& state) {
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  Publish(state);
}
BENCHMARK(BM_Waiting)->Iterations(50)->UseRealTime();

// A simulator: its clock counts what it is told.
void BM_Simulated(benchmark::State& state) {
  for (auto _ : state) {
    Spin(1000);
    state.SetIterationTime(1e-6 * Number("COST", 100));
  }
  Publish(state);
}
BENCHMARK(BM_Simulated)->Iterations(2000)->UseManualTime();

void BM_Nothing(benchmark::State& state) {
  for (auto _ : state) {
  }
  Publish(state);
}
BENCHMARK(BM_Nothing);

// A no-op by its own clock.
void BM_Instant(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(0);
  Publish(state);
}
BENCHMARK(BM_Instant)->Iterations(100)->UseManualTime();

}  // namespace

BENCHMARK_MAIN();
