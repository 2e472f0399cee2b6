#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_JUDGEMENT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_JUDGEMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/walls/scope_check.h"

namespace autotune {

// What an attempt was judged to be, ready to be integrated.
struct Judgement {
  AttemptRecord record;
  std::optional<FileLock> lock;  // the measuring lock, when it was measured
};

// Judges `open` against `state.tip`: builds both sides, tests the merge,
// measures unless nothing changed, and for a would-be keep measures the
// holdouts and the end-to-end benchmarks too. Nothing when the working branch's
// code is no longer that of `state.tip` once it is our turn to measure
// (`follow_tip`).
//
// Errors: ConflictError; Aborted when a build, test or benchmark fails;
// Cancelled when interrupted. What was measured stays in the journal and is
// continued by the next call.
absl::StatusOr<std::optional<Judgement>> Judge(const OpenAttempt& open,
                                               const TaskState& state,
                                               const ScopeReport& scope,
                                               bool follow_tip);

// "outside the scope: A; B".
std::string ViolationReason(const std::vector<std::string>& violations);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_JUDGEMENT_H_
