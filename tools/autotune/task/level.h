#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_LEVEL_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_LEVEL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "tools/ledger/metric_file.h"

namespace autotune {

// How many of a task's rows were decided by measuring: not baselines, crashes,
// unmeasured "no change" discards or claimed rows.
struct MeasuredCounts {
  std::int64_t decided = 0;
  std::int64_t kept = 0;
};
bool IsMeasured(const MetricRow& row);
MeasuredCounts CountMeasured(const MetricFile& ledger);

// The level at which the task's next measured decision may keep.
struct DecisionLevel {
  double alpha = 0.05;        // in (0, 1)
  std::int64_t decision = 1;  // which measured decision of the task, from 1
};

// By the policy's error control over the decisions in `ledger`.
// FailedPrecondition, with the way out, when the declared horizon is used up.
absl::StatusOr<DecisionLevel> NextLevel(const Policy& policy,
                                        const MetricFile& ledger);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_LEVEL_H_
