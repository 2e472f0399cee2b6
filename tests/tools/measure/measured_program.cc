// A Google Benchmark for the tests of measuring. The environment chooses how it
// behaves, so that equal bytes can play different sides:
//   MEASURED_WORK       units of work an iteration (default 100)
//   MEASURED_SETUP_MS   milliseconds that its set-up sleeps (default 0)
//   MEASURED_BEHAVIOUR  crash | hang | error | thread | extra | exit3 | old |
//   new
#include <benchmark/benchmark.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

long Number(const char* name, long standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::strtol(text, nullptr, 10);
}

long Work() { return Number("MEASURED_WORK", 100); }

bool Behaves(const char* name) {
  const char* text = std::getenv("MEASURED_BEHAVIOUR");
  return text != nullptr && std::string(text) == name;
}

unsigned Spin(long units) {
  unsigned state = 1;
  for (long i = 0; i < units * 100; ++i) {
    state = state * 1664525U + 1013904223U;
    benchmark::DoNotOptimize(state);
  }
  return state;
}

void MisbehaveOnce(benchmark::State& state) {
  if (Behaves("crash")) std::raise(SIGSEGV);
  while (Behaves("hang")) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  if (Behaves("error")) state.SkipWithError("the data set is missing");
}

void BM_Work(benchmark::State& state) {
  MisbehaveOnce(state);
  const long work = Work();
  for (auto _ : state) benchmark::DoNotOptimize(Spin(work));
  state.SetItemsProcessed(state.iterations());
  state.counters["units"] = static_cast<double>(work);
}
BENCHMARK(BM_Work);

// Half of its work is done where cpu_time does not look.
void BM_Helped(benchmark::State& state) {
  const bool helped = Behaves("thread");
  for (auto _ : state) {
    if (helped) {
      std::thread helper([] { benchmark::DoNotOptimize(Spin(Work() / 2)); });
      benchmark::DoNotOptimize(Spin(Work() / 2));
      helper.join();
    } else {
      benchmark::DoNotOptimize(Spin(Work()));
    }
  }
}
BENCHMARK(BM_Helped);

void BM_Steady(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Spin(100));
  state.counters["units"] = 100;
  state.counters["fixed"] = 7;
}
BENCHMARK(BM_Steady);

void BM_Published(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Spin(Work()));
  state.counters["units"] = static_cast<double>(Work());
}
BENCHMARK(BM_Published)->Repetitions(3)->ReportAggregatesOnly();

void BM_Wall(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Spin(Work()));
}
BENCHMARK(BM_Wall)->UseRealTime();

void BM_Extra(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Spin(1));
}

}  // namespace

int main(int argc, char** argv) {
  if (Behaves("extra")) benchmark::RegisterBenchmark("BM_WorkExtra", BM_Extra);
  if (Behaves("old")) benchmark::RegisterBenchmark("BM_Old/1", BM_Work);
  if (Behaves("new")) benchmark::RegisterBenchmark("BM_New/1", BM_Work);
  std::vector<char> ballast(Behaves("memory") ? std::size_t{200} << 20 : 1,
                            'x');
  benchmark::DoNotOptimize(ballast.data());
  std::this_thread::sleep_for(
      std::chrono::milliseconds(Number("MEASURED_SETUP_MS", 0)));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return Behaves("exit3") ? 3 : 0;
}
