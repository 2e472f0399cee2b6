#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OUTCOME_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OUTCOME_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What a measured decision consists of.
struct MeasuredOutcome {
  Evidence evidence;  // of the target
  // Files for the attempt's folder beyond evidence.json, by name.
  std::vector<std::pair<std::string, std::string>> further_evidence;
  // Further numbers of the row (end to end).
  std::vector<std::pair<std::string, double>> further_numbers;
  // Why a would-be keep is discarded after all; empty otherwise.
  std::string overruled;
};

// The record of an attempt that ends without being measured: a crash, a
// violation, or a discard for "no change".
AttemptRecord UnmeasuredRecord(const TaskState& state, const Attempt& attempt,
                               const std::string& base,
                               const std::string& hypothesis,
                               AttemptStatus decision, std::string_view reason);

// The record of a measured attempt.
AttemptRecord MeasuredRecord(const TaskState& state, const Attempt& attempt,
                             const std::string& base,
                             const std::string& hypothesis,
                             const MeasuredOutcome& outcome);

// What `decide` answers for an attempt in history, the first time and every
// later one, with what its evidence holds for review.
absl::StatusOr<VerbResult> RecordedResult(const Repository& repository,
                                          const TaskState& state,
                                          const HistoryEntry& entry);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_OUTCOME_H_
