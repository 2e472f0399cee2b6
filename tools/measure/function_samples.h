#ifndef AUTOTUNE_TOOLS_MEASURE_FUNCTION_SAMPLES_H_
#define AUTOTUNE_TOOLS_MEASURE_FUNCTION_SAMPLES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/measure/instruction_count.h"
#include "tools/measure/measure_seams.h"

namespace autotune {

// Where the time of a benchmark's function goes, by a sampling clock.
struct FunctionSamples {
  std::int64_t samples = 0;  // taken inside the benchmark's function
  // The function and what it called, the largest exclusive first.
  std::vector<FunctionCount> functions;
};

// Runs the benchmarks that `request` selects for about `seconds` under
// `perf record -e cpu-clock`, which needs no hardware counters.
//
// Errors: FailedPrecondition with the reason when there is no perf here or the
// kernel does not let it sample; Aborted when the run fails.
absl::StatusOr<FunctionSamples> SampleFunctions(const CountRequest& request,
                                                double seconds,
                                                MeasureSeams seams);

// Reads what `perf script --no-demangle -F ip,sym` prints: one stack a
// paragraph, the innermost frame first. Samples outside of a benchmark's
// function are left out. Pure; never fails: lines of another form are no
// frames.
FunctionSamples ParsePerfScript(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_FUNCTION_SAMPLES_H_
