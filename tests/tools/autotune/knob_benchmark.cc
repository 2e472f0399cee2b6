// A Google Benchmark for the tests of autotune: its work is what src/knob.txt
// in the folder it runs in says, so that an attempt is a change of one number
// and a visit takes milliseconds. Words in the file switch on misbehaviour.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "benchmark/benchmark.h"
#include "benchmark_ext/section_timer.h"

namespace {

struct Knob {
  long units = 0;
  std::string word;
};

Knob ReadKnob() {
  Knob knob;
  std::ifstream file("src/knob.txt");
  file >> knob.units >> knob.word;
  return knob;
}

void Work(long units) {
  volatile long sink = 0;
  for (long i = 0; i < units * 500; ++i) sink = sink + i;
}

void BM_Knob(benchmark::State& state) {
  const Knob knob = ReadKnob();
  if (knob.word == "abort") std::abort();
  if (knob.word == "error") state.SkipWithError("the knob says so");
  for (auto _ : state) {
    if (knob.word == "thread") {
      std::thread worker([&knob] { Work(knob.units * 10); });
      worker.join();
    } else if (knob.word == "sections") {
      const autotune::SectionTimer all(state, "all");
      Work(knob.units / 10);
      const autotune::SectionTimer most(state, "most");
      Work(knob.units);
    } else if (knob.word == "sleep") {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      Work(knob.units);
    }
  }
}
BENCHMARK(BM_Knob)->Iterations(4)->Repetitions(3);

void BM_Other(benchmark::State& state) {
  const Knob knob = ReadKnob();
  for (auto _ : state) Work(knob.word == "harm" ? 900 : 300);
}
BENCHMARK(BM_Other)->Iterations(4)->Repetitions(3);

void BM_Hidden(benchmark::State& state) {
  const Knob knob = ReadKnob();
  for (auto _ : state) Work(knob.word == "overfit" ? 2700 : knob.units);
}
BENCHMARK(BM_Hidden)->Iterations(4)->Repetitions(3);

}  // namespace

BENCHMARK_MAIN();
