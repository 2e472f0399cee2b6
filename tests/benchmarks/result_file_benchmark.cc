// Reading speed of result files, in bytes and rows a second, and the memory of
// what was read. The cost is linear: time over rows stays the same. Rerun with
//   build/release/tests/benchmarks/result_file_benchmark
// docs/architecture.md quotes the figures.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "comparator/results/json_scanner.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

constexpr std::int64_t kRepetitions = 10;

// A file of `rows` rows, ten a benchmark, in the form of Google Benchmark 1.7.
std::string ResultText(std::int64_t rows) {
  std::string text =
      "{\n  \"context\": {\"num_cpus\": 8},\n"
      "  \"benchmarks\": [\n";
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t number = i / kRepetitions;
    const std::string name = absl::StrFormat(
        "BM_Container<std::map<int, Value>>/%d/min_time:0.010", number);
    const double time = 1000.0 + static_cast<double>(i * 7919 % 1009) / 7.0;
    absl::StrAppendFormat(
        &text,
        "%s    {\n      \"name\": \"%s\",\n      \"family_index\": %d,\n"
        "      \"per_family_instance_index\": 0,\n"
        "      \"run_name\": \"%s\",\n      \"run_type\": \"iteration\",\n"
        "      \"repetitions\": 10,\n      \"repetition_index\": %d,\n"
        "      \"threads\": 1,\n      \"iterations\": 100000,\n"
        "      \"real_time\": %.16e,\n      \"cpu_time\": %.16e,\n"
        "      \"time_unit\": \"ns\",\n      \"items_per_second\": %.16e\n"
        "    }",
        i == 0 ? "" : ",\n", name, number, name, i % kRepetitions, time,
        time * 0.99, 1e9 / time);
  }
  return text + "\n  ]\n}\n";
}

void CountText(const std::string& text, benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(text.size()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_ScanResultText(benchmark::State& state) {
  const std::string text = ResultText(state.range(0));
  for (auto _ : state) {
    JsonScanner scanner(text);
    benchmark::DoNotOptimize(scanner.Skip());
  }
  CountText(text, state);
}
BENCHMARK(BM_ScanResultText)->RangeMultiplier(10)->Range(20, 200000);

// Bytes that the heap has handed out.
double HeapBytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
}

// Counter "heap_over_text": memory of the result over the size of its text.
void BM_ParseResultFile(benchmark::State& state) {
  const std::string text = ResultText(state.range(0));
  double heap_bytes = 0.0;
  for (auto _ : state) {
    const double before = HeapBytes();
    const absl::StatusOr<ResultFile> file = ParseResultFile(text, "a.json");
    if (!file.ok()) state.SkipWithError("refused");
    heap_bytes = HeapBytes() - before;
  }
  state.counters["heap_over_text"] =
      heap_bytes / static_cast<double>(text.size());
  CountText(text, state);
}
BENCHMARK(BM_ParseResultFile)->RangeMultiplier(10)->Range(20, 200000);

}  // namespace
}  // namespace autotune
