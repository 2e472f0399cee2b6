// What a pair of SectionTimer's constructor and destructor costs, beside what
// two readings of the clock it uses cost.
#include <benchmark/benchmark.h>

#include "benchmark_ext/section_timer.h"

namespace {

void BM_TwoClockReadings(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(autotune::internal::Now());
    benchmark::DoNotOptimize(autotune::internal::Now());
  }
}
BENCHMARK(BM_TwoClockReadings);

void BM_SectionTimerPair(benchmark::State& state) {
  for (auto _ : state) {
    autotune::SectionTimer timer(state, "pair");
  }
}
BENCHMARK(BM_SectionTimerPair);

void BM_SectionTimerPairAmongOtherCounters(benchmark::State& state) {
  state.counters["a"] = 1;
  state.counters["z"] = 1;
  for (auto _ : state) {
    autotune::SectionTimer timer(state, "pair");
  }
}
BENCHMARK(BM_SectionTimerPairAmongOtherCounters);

void BM_FourSectionTimerPairs(benchmark::State& state) {
  for (auto _ : state) {
    autotune::SectionTimer whole(state, "whole");
    { autotune::SectionTimer timer(state, "read"); }
    { autotune::SectionTimer timer(state, "parse"); }
    { autotune::SectionTimer timer(state, "write"); }
  }
}
BENCHMARK(BM_FourSectionTimerPairs);

void BM_FourSectionsInARow(benchmark::State& state) {
  for (auto _ : state) {
    autotune::SectionTimer timer(state, "open");
    timer.Next("read");
    timer.Next("parse");
    timer.Next("write");
  }
}
BENCHMARK(BM_FourSectionsInARow);

}  // namespace
