// A user's benchmark.
#include <benchmark/benchmark.h>

static void BM_Count(benchmark::State& state) {
  for (auto _ : state) {
    int value = 0;
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(BM_Count)->Iterations(10);
