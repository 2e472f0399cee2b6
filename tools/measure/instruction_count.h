#ifndef AUTOTUNE_TOOLS_MEASURE_INSTRUCTION_COUNT_H_
#define AUTOTUNE_TOOLS_MEASURE_INSTRUCTION_COUNT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/side_command.h"

namespace autotune {

// What one function costs in the iterations of a benchmark: instructions, or
// samples of a clock.
struct FunctionCount {
  std::string name;            // demangled
  std::int64_t exclusive = 0;  // its own
  std::int64_t inclusive = 0;  // with what it called; at most the benchmark's
};

// What callgrind counted between the first and the last iteration of one
// benchmark: user-space instructions, the same to the digit each time for a
// deterministic program, whatever else the machine does. The set-up before the
// loop is no part of it; what is paused inside the loop is.
struct InstructionCount {
  std::string benchmark;
  std::int64_t iterations = 1;    // counted ones
  std::int64_t instructions = 0;  // over those iterations
  // The benchmark's function and what it called, the largest exclusive first.
  std::vector<FunctionCount> functions;
};

// What to count.
struct CountRequest {
  const SideCommand* command = nullptr;
  std::string side;    // "baseline" or "contender": in messages
  std::string filter;  // what --benchmark_filter gets
  absl::Duration timeout = absl::Minutes(10);
};

// Whether `function`, demangled, holds a benchmark: it takes a State and is
// none of the library's own.
bool HoldsBenchmark(std::string_view function);

// Runs the benchmarks under valgrind's callgrind, one iteration each unless
// their code fixes the number. Order as the program runs them.
//
// Errors: FailedPrecondition with the way out when there is no valgrind or the
// program holds no symbols; Unimplemented for a benchmark of several threads;
// Aborted when a run fails.
absl::StatusOr<std::vector<InstructionCount>> CountInstructions(
    const CountRequest& request, MeasureSeams seams);

// The functions of one part of a callgrind file ("# callgrind format", its
// first event), without those above the benchmark's function and without what
// the library does to start the loop; `instructions` is their sum. `benchmark`
// and `iterations` are left alone. Pure. InvalidArgument with the line of what
// is no such file.
absl::StatusOr<InstructionCount> ParseCallgrindPart(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_INSTRUCTION_COUNT_H_
