#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_MEASUREMENT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_MEASUREMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/session.h"
#include "tools/ledger/task_settings.h"
#include "tools/measure/side_command.h"

namespace autotune {

// One side of a measurement: a build and what it was made from.
struct MeasuredSide {
  Build build;
  std::string commit;
  std::string tree;
};

struct MeasureRequest {
  MeasuredSide baseline;
  MeasuredSide contender;
  std::string target;        // benchmarks decided on, regular expression
  bool with_guards = false;  // measure the policy's guards too
  Policy policy;
  std::optional<double> alpha;  // the task's level for this decision
  std::optional<std::int64_t> task_decision;
  std::string journal_path;  // continued when it is there; empty: none
  std::optional<std::int64_t> fixed_rounds;
};

// How to run the benchmark program of `build`, in its source folder.
SideCommand BuiltCommand(const Build& build);

// Measures both sides interleaved, showing progress on the terminal. The caller
// holds the measuring lock. Errors as RunInterleaved; a journal of other
// programs or of another policy is put aside and measuring starts anew.
absl::StatusOr<Evidence> Measure(const Session& session,
                                 const MeasureRequest& request);

// The numbers of a ledger row: the contender's median of every benchmark over
// the valid rounds ("<benchmark>/cpu_time_ns", counters by their own name) and
// of its peak memory ("peak_rss_bytes").
std::vector<std::pair<std::string, double>> ContenderNumbers(
    const Evidence& evidence);

// "ratio", "ratio_low", "ratio_high" (where bounded) and "rounds" of the
// overall figure, each name after `prefix`.
std::vector<std::pair<std::string, double>> RatioNumbers(
    const Evidence& evidence, const std::string& prefix);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_MEASUREMENT_H_
