#include "tools/autotune/task/phase.h"

#include "tools/autotune/task/level.h"

namespace autotune {
namespace {

constexpr std::int64_t kMicroAttempts = 5;
constexpr std::int64_t kStructuralAttempts = 10;

}  // namespace

std::string_view PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kMicro:
      return "micro";
    case Phase::kStructural:
      return "structural";
    case Phase::kArchitectural:
      break;
  }
  return "architectural";
}

std::string_view PhaseAdvice(Phase phase) {
  switch (phase) {
    case Phase::kMicro:
      return "a small local change to what the profile shows hot";
    case Phase::kStructural:
      return "another data structure or algorithm: small changes stopped "
             "paying";
    case Phase::kArchitectural:
      break;
  }
  return "another design: less work, other boundaries";
}

std::int64_t DecisionsSinceKeep(const MetricFile& ledger) {
  std::int64_t decisions = 0;
  for (const MetricRow& row : ledger.rows) {
    if (!IsMeasured(row)) continue;
    decisions = row.status == "keep" ? 0 : decisions + 1;
  }
  return decisions;
}

Phase PhaseOf(const MetricFile& ledger) {
  const std::int64_t decisions = DecisionsSinceKeep(ledger);
  if (decisions < kMicroAttempts) return Phase::kMicro;
  if (decisions < kStructuralAttempts) return Phase::kStructural;
  return Phase::kArchitectural;
}

}  // namespace autotune
