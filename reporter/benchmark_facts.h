#ifndef AUTOTUNE_REPORTER_BENCHMARK_FACTS_H_
#define AUTOTUNE_REPORTER_BENCHMARK_FACTS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reporter/resource_use.h"

namespace autotune::internal {

// How the library was going to measure a benchmark (known from 1.8.0 on).
struct RunsConfig {
  double min_time_seconds = 0;
  bool has_explicit_iterations = false;
  std::int64_t iterations = 0;
};

// One element of autotune.benchmarks, on one line: what a reporter sees of
// the benchmark `run` belongs to and its rows do not say (`counter_keys` are
// the keys of its counters in its row), then what the process used between
// `before` and `after` (both absent when the system does not say) and its state
// after it.
std::string BenchmarkFactsJson(const benchmark::BenchmarkReporter::Run& run,
                               const std::vector<std::string>& counter_keys,
                               const std::optional<RunsConfig>& config,
                               const std::optional<ResourceUse>& before,
                               const std::optional<ResourceUse>& after,
                               const ProcessState& state);

// The clock a benchmark's iterations are counted by: "manual", "real",
// "process_cpu" or "cpu", from the time type in its name ("process_time",
// "real_time", "process_time/real_time", "manual_time" or nothing).
const char* ClockThatCounts(const std::string& time_type);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_BENCHMARK_FACTS_H_
