// What a long ledger costs: reading, appending to, merging and mending a
// metric.toml of 50,000 rows. Rerun with
//   build/release/tests/benchmarks/ledger_benchmark

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "tools/ledger/metric_file.h"
#include "tools/ledger/metric_merge.h"

namespace autotune {
namespace {

MetricRow Row(int number) {
  MetricRow row;
  row.commit = absl::StrCat(absl::Hex(number, absl::kZeroPad16),
                            "0123456789abcdef01234567");
  row.status = number % 3 == 0 ? AttemptStatus::kKeep : AttemptStatus::kDiscard;
  row.description = absl::StrCat("idea ", number, ": less work");
  row.metrics = {{"BM_Knob/real_time_ns", 81443.0 + number},
                 {"ratio", 0.9975},
                 {"ratio_low", 0.99},
                 {"ratio_high", 1.01},
                 {"rounds", 25.0},
                 {"seconds", 12.5}};
  return row;
}

// A ledger of `rows` rows.
std::string Ledger(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    absl::StrAppend(&text, AppendMetricRow("", Row(i)).value_or(""));
  }
  return text;
}

void BM_ReadLedger(benchmark::State& state) {
  const std::string text = Ledger(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(ParseMetricFile(text, "metric.toml"));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) *
                          state.iterations());
}
BENCHMARK(BM_ReadLedger)->Arg(1000)->Arg(50000)->Unit(benchmark::kMillisecond);

void BM_AppendRow(benchmark::State& state) {
  const std::string text = Ledger(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(AppendMetricRow(text, Row(1)));
  }
}
BENCHMARK(BM_AppendRow)->Arg(50000)->Unit(benchmark::kMillisecond);

void BM_MergeLedgers(benchmark::State& state) {
  const std::string base = Ledger(static_cast<int>(state.range(0)));
  const std::string ours = *AppendMetricRow(base, Row(-1));
  const std::string theirs = *AppendMetricRow(base, Row(-2));
  for (auto _ : state) {
    benchmark::DoNotOptimize(MergeMetricFiles(base, ours, theirs));
  }
}
BENCHMARK(BM_MergeLedgers)->Arg(50000)->Unit(benchmark::kMillisecond);

void BM_RepairLedger(benchmark::State& state) {
  const std::string base = Ledger(static_cast<int>(state.range(0)));
  std::string damaged = base;
  damaged.erase(damaged.rfind("[[metric]]"), 11);
  for (auto _ : state) {
    benchmark::DoNotOptimize(RepairMetricFile(damaged, {base}));
  }
}
BENCHMARK(BM_RepairLedger)->Arg(50000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace autotune
