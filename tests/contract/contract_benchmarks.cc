// Everything a benchmark program can do to its result file. Built twice: with
// our main and with the library's own.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <locale>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using benchmark::State;

void BM_Arguments(State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::sqrt(static_cast<double>(state.range(0))));
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * 8);
}
BENCHMARK(BM_Arguments)
    ->ArgNames({"size", "", "mode"})
    ->Args({1, 2, 3})
    ->Args({64, 0, -1});

template <typename T>
void BM_Template(State& state) {
  for (auto _ : state) {
    T value{};
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK_TEMPLATE(BM_Template, std::vector<int>)->Iterations(7);

class Fixture : public benchmark::Fixture {
 public:
  void SetUp(State& /*state*/) override { values_.assign(16, 1); }
  std::vector<int> values_;
};
BENCHMARK_DEFINE_F(Fixture, Sum)(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(values_.data());
}
BENCHMARK_REGISTER_F(Fixture, Sum)->Unit(benchmark::kMillisecond);

void BM_Threads(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.thread_index());
  state.counters["each"] =
      benchmark::Counter(1, benchmark::Counter::kAvgThreads);
}
BENCHMARK(BM_Threads)->Threads(2)->UseRealTime()->MeasureProcessCPUTime();

void BM_Manual(State& state) {
  for (auto _ : state) state.SetIterationTime(1e-4);
}
BENCHMARK(BM_Manual)->UseManualTime()->Iterations(3);

void BM_Complexity(State& state) {
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      benchmark::DoNotOptimize(i);
    }
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Complexity)->RangeMultiplier(4)->Range(4, 256)->Complexity();

double Largest(const std::vector<double>& values) {
  double largest = values[0];
  for (const double value : values) largest = value > largest ? value : largest;
  return largest;
}
double Share(const std::vector<double>& values) {
  return values[0] / (values[0] + 1);
}
void BM_Statistics(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
}
BENCHMARK(BM_Statistics)
    ->Repetitions(3)
    ->ComputeStatistics("largest", Largest)
    ->ComputeStatistics("share", Share, benchmark::kPercentage);
BENCHMARK(BM_Statistics)
    ->Name("BM_AggregatesOnly")
    ->Repetitions(3)
    ->ReportAggregatesOnly();
BENCHMARK(BM_Statistics)
    ->Name("BM_DisplayAggregatesOnly")
    ->Repetitions(3)
    ->DisplayAggregatesOnly();

// Fails in the second repetition: failing in the first crashes some versions.
void BM_Error(State& state) {
  static int run = 0;
  if (++run % 2 == 0) state.SkipWithError("broke \"here\"\tü");
  for (auto _ : state) benchmark::DoNotOptimize(run);
}
BENCHMARK(BM_Error)->Iterations(4)->Repetitions(2);

void BM_OnlyError(State& state) {
  state.SkipWithError("cannot start");
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
}
BENCHMARK(BM_OnlyError);

void BM_Counters(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
  using benchmark::Counter;
  state.counters["plain"] = 3;
  state.counters["rate"] = Counter(5, Counter::kIsRate);
  state.counters["inverse"] = Counter(5, Counter::kInvert | Counter::kIsRate);
  state.counters["bytes"] =
      Counter(9, Counter::kAvgIterations, Counter::kIs1024);
  state.counters["tiny"] = std::numeric_limits<double>::denorm_min();
  state.counters["with \"quotes\" \\ and ü"] = -0.0;
}
BENCHMARK(BM_Counters);

// What the library writes as text that is no JSON.
void BM_NotFinite(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
  state.counters["nan"] = std::nan("");
  state.counters["infinite"] = std::numeric_limits<double>::infinity();
  state.counters["minus"] = -std::numeric_limits<double>::infinity();
}
BENCHMARK(BM_NotFinite)->Iterations(3);

// Counters that are called like fields: the library repeats the keys.
void BM_FieldNames(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
  state.counters["iterations"] = 1;
  state.counters["label"] = 2;
  state.counters["name"] = 3;
  state.SetLabel("real label");
}
BENCHMARK(BM_FieldNames)->Iterations(3);

void BM_Text(State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
  state.SetLabel("escape \x1b[0m byte \xe9 and \x01");
}
BENCHMARK(BM_Text)->Name("BM \"quoted\" \\ Grüße/日本")->Iterations(3);

// Every byte but the one that ends a text.
std::string EveryByte() {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}
BENCHMARK(BM_Text)->Name("Bytes " + EveryByte())->Iterations(3);

// The first of three repetitions fails, which crashes 1.6.0 to 1.9.5.
void BM_FirstFails(State& state) {
  static int run = 0;
  if (++run == 1) state.SkipWithError("the first");
  for (auto _ : state) benchmark::DoNotOptimize(run);
}
BENCHMARK(BM_FirstFails)->Name("FirstFails")->Iterations(4)->Repetitions(3);

// The ways a program ends inside a benchmark.
void BM_Throws(State& state) {
  for (auto _ : state) throw std::runtime_error("thrown on purpose");
}
BENCHMARK(BM_Throws)->Name("Throws")->Iterations(1);

void BM_Ends(State& state, void (*end)()) {
  for (auto _ : state) end();
}
void Register(const char* name, void (*action)()) {
  benchmark::RegisterBenchmark(name, BM_Ends, action)->Iterations(1);
}
const bool ends_are_registered = [] {
  Register("Exits", [] { std::exit(3); });
  Register("ExitsAtOnce", [] { _exit(4); });
  Register("Aborts", [] { std::abort(); });
  Register("Terminated", [] { std::raise(SIGTERM); });
  Register("Interrupted", [] { std::raise(SIGINT); });
  Register("Crashes", [] {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer has a handler
    std::raise(SIGSEGV);
  });
  return true;
}();

// What a program may do to the process and yet go on.
class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
const bool deeds_are_registered = [] {
  Register("Forks", [] {
    const pid_t child = fork();
    if (child == 0) std::exit(0);
    waitpid(child, nullptr, 0);
  });
  Register("LeavesTheFolder", [] {
    if (chdir("/") != 0) std::abort();
  });
  Register("ClosesAllFiles", [] {
    for (int fd = 3; fd < 64; ++fd) close(fd);
  });
  Register("WritesWithCommas", [] {
    std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  });
  return true;
}();

// The same after any of those deeds.
BENCHMARK(BM_Counters)->Name("Afterwards")->Iterations(12345);

// Short ones in number, to be killed at any point.
void BM_Killed(State& state) {
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}
BENCHMARK(BM_Killed)->Name("Killed")->DenseRange(1, 400)->Iterations(1);

}  // namespace
