// A program with a memory manager, which every benchmark is then run with.
#include <benchmark/benchmark.h>

// Which of the two forms is virtual differs between versions of the library.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif

namespace {

// Fixed figures: two versions of the interface, with and without a pointer.
class FixedManager : public benchmark::MemoryManager {
 public:
  void Start() override {}
  void Stop(Result* result) { Stop(*result); }
  void Stop(Result& result) override {
    result.num_allocs = 42;
    result.max_bytes_used = 4096;
    result.net_heap_growth = -16;
  }
};

FixedManager manager;
const bool registered = (benchmark::RegisterMemoryManager(&manager), true);

void BM_Allocates(benchmark::State& state) {
  int value = registered ? 1 : 0;
  for (auto _ : state) benchmark::DoNotOptimize(value);
  state.counters["allocs_per_iter"] = 7;
  state.counters["plain"] = 1;
}
BENCHMARK(BM_Allocates)->Iterations(10)->Repetitions(2);

}  // namespace
