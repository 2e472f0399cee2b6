#ifndef AUTOTUNE_TOOLS_MEASURE_BENCHMARK_LIST_H_
#define AUTOTUNE_TOOLS_MEASURE_BENCHMARK_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/system/process_runner.h"

namespace autotune {

// The names of the benchmarks that the Google Benchmark program of `spec` lists
// itself, in its order; none when its filter selects none. Aborted when the
// program fails or takes longer than the timeout of `spec`.
absl::StatusOr<std::vector<std::string>> ListBenchmarks(
    ProcessRunner& processes, ProcessSpec spec);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_BENCHMARK_LIST_H_
