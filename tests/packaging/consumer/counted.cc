// A benchmark program whose counter "cost" is COST, but for what differs from
// process to process, so that a gate on it does not depend on the machine.
#include <benchmark/benchmark.h>
#include <unistd.h>

static void BM_Counted(benchmark::State& state) {
  for (auto _ : state) {
    int x = 1;
    benchmark::DoNotOptimize(x);
  }
  state.counters["cost"] = COST * (1.0 + 0.0005 * (getpid() % 5));
}
BENCHMARK(BM_Counted)->Iterations(20000);

BENCHMARK_MAIN();
