#include "tools/autotune/task/level.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "comparator/statistics/online_fdr.h"
#include "tools/program/verb_result.h"

namespace autotune {

bool IsMeasured(const MetricRow& row) {
  if (row.claimed || IsBaseline(row)) return false;
  if (row.status != AttemptStatus::kKeep &&
      row.status != AttemptStatus::kDiscard)
    return false;
  return std::any_of(row.metrics.begin(), row.metrics.end(),
                     [](const std::pair<std::string, double>& metric) {
                       return metric.first == "rounds" && metric.second > 0.0;
                     });
}

MeasuredCounts CountMeasured(const MetricFile& ledger) {
  MeasuredCounts counts;
  for (const MetricRow& row : ledger.rows) {
    if (!IsMeasured(row)) continue;
    ++counts.decided;
    if (row.status == AttemptStatus::kKeep) ++counts.kept;
  }
  return counts;
}

absl::StatusOr<DecisionLevel> NextLevel(const Policy& policy,
                                        const MetricFile& ledger) {
  const MeasuredCounts counts = CountMeasured(ledger);
  DecisionLevel level;
  level.decision = counts.decided + 1;
  level.alpha = policy.alpha;
  if (policy.error_control == ErrorControl::kPerDecision) return level;
  const OnlineFdrPlan plan{policy.fdr, policy.alpha, policy.horizon};
  const absl::StatusOr<double> alpha =
      NextDecisionLevel(plan, counts.decided, counts.kept);
  if (!alpha.ok()) {
    return WithHint(alpha.status(),
                    {Autotune({"task", "set", "policy.horizon",
                               absl::StrCat(policy.horizon * 2)})});
  }
  level.alpha = *alpha;
  return level;
}

}  // namespace autotune
