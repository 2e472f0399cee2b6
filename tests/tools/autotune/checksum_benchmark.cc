// The main program of the tiny projects that cheats_test.cc builds: a Google
// Benchmark of a function that each project defines in its own way.

#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark_ext/answer.h"

// The checksum of `size` bytes, whatever way the project computes it.
unsigned Checksum(const unsigned char* data, unsigned size);

namespace {

void BM_Checksum(benchmark::State& state) {
  std::vector<unsigned char> data(1 << 15);
  auto seed = static_cast<unsigned>(autotune::Seed(state));
  for (unsigned char& byte : data) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<unsigned char>(seed >> 24);
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        Checksum(data.data(), static_cast<unsigned>(data.size())));
  }
  autotune::Answer(state,
                   Checksum(data.data(), static_cast<unsigned>(data.size())));
}
BENCHMARK(BM_Checksum)->Iterations(40)->Repetitions(3);

}  // namespace

BENCHMARK_MAIN();
