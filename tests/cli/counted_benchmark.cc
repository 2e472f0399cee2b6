// A Google Benchmark for command-line tests: what it publishes as the counter
// "cost" is given by the environment, so that decisions on it do not depend on
// the machine. COST is the value, ERROR=1 makes the benchmark fail, CRASH=1 the
// process.

#include <unistd.h>

#include <cstdlib>

#include "benchmark/benchmark.h"

namespace {

double Number(const char* name, double otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atof(text);
}

void BM_Counted(benchmark::State& state) {
  if (Number("ERROR", 0) != 0) {
    state.SkipWithError("asked to fail");
    return;
  }
  if (Number("CRASH", 0) != 0) std::abort();
  for (auto _ : state) {
    unsigned x = 1;
    benchmark::DoNotOptimize(x);
  }
  // Differs a little from process to process, as measurements do.
  const double jitter = 1.0 + 0.0005 * static_cast<double>(getpid() % 5);
  state.counters["cost"] = Number("COST", 100) * jitter;
}
BENCHMARK(BM_Counted);
// Never cut short, however busy the machine.
BENCHMARK(BM_Counted)->Name("BM_Recorded")->Iterations(20000);

void BM_Steady(benchmark::State& state) {
  for (auto _ : state) {
    unsigned x = 1;
    benchmark::DoNotOptimize(x);
  }
  state.counters["cost"] =
      Number("STEADY", 10) * (1.0 + 0.0005 * static_cast<double>(getpid() % 5));
}
BENCHMARK(BM_Steady);

}  // namespace

BENCHMARK_MAIN();
