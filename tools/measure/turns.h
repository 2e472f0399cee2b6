#ifndef AUTOTUNE_TOOLS_MEASURE_TURNS_H_
#define AUTOTUNE_TOOLS_MEASURE_TURNS_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/visit.h"

namespace autotune {

// Two visits that were alive at once.
struct TogetherResult {
  std::array<FinishedVisit, 2> visits;  // in the order of the requests
  // Time until the first one ended over time until both had; in (0, 1].
  double overlap = 1.0;
  // How often one was continued until the first one ended; 0 without turns.
  std::int64_t turns = 0;
};

// Runs both requests (which must start stopped and share a CPU) at once. With
// `turn` above 0 exactly one runs at any time: they take turns of that length,
// the first request first, by SIGSTOP and SIGCONT. With 0 the kernel shares the
// CPU between them. When one has ended the other runs on alone.
absl::StatusOr<TogetherResult> RunOnOneCpu(
    const std::array<VisitRequest, 2>& requests, absl::Duration turn,
    MeasureSeams seams);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_TURNS_H_
