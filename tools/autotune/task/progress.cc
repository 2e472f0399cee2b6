#include "tools/autotune/task/progress.h"

#include <map>
#include <set>
#include <string>

#include "tools/autotune/task/level.h"

namespace autotune {
namespace {

// The row of a harvest alone holds it.
constexpr std::string_view kClaimedRatio = "claimed_ratio";

// What one measured decision did to the phase.
enum class Yield { kGain, kNothing, kUndecided };

void CountYield(Yield yield, TaskProgress& progress) {
  if (yield == Yield::kUndecided) {
    ++progress.undecided;
    return;
  }
  progress.undecided = 0;
  progress.unproductive = yield == Yield::kGain ? 0 : progress.unproductive + 1;
  if (progress.unproductive < kUnproductive ||
      progress.phase == Phase::kArchitectural) {
    return;
  }
  progress.phase = progress.phase == Phase::kMicro ? Phase::kStructural
                                                   : Phase::kArchitectural;
  progress.unproductive = 0;
  progress.phase_moved_since_harvest = true;
}

std::set<std::string> UndecidedCommits(
    const std::vector<HistoryEntry>& history) {
  std::set<std::string> commits;
  for (const HistoryEntry& entry : history) {
    if (entry.decision == AttemptStatus::kInconclusive)
      commits.insert(entry.attempt_commit);
  }
  return commits;
}

Yield YieldOf(const MetricRow& row, const std::set<std::string>& undecided,
              const Policy& policy) {
  if (row.status != AttemptStatus::kKeep) {
    return undecided.contains(row.commit) ? Yield::kUndecided : Yield::kNothing;
  }
  const double ratio = NumberOf(row, "ratio").value_or(1.0);
  return ratio > 0.0 && GainOf(ratio, policy) >= kLeastGain ? Yield::kGain
                                                            : Yield::kNothing;
}

}  // namespace

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

TaskProgress ProgressOf(const TaskState& state,
                        const std::vector<HistoryEntry>& history) {
  const std::set<std::string> undecided = UndecidedCommits(history);
  TaskProgress progress;
  for (const MetricRow& row : state.ledger.rows) {
    if (IsHarvest(row)) {
      progress.measured_ratio = NumberOf(row, "ratio");
      progress.keeps_since_harvest = 0;
      progress.phase_moved_since_harvest = false;
    }
    if (!IsMeasured(row)) continue;
    ++progress.decided;
    if (row.status == AttemptStatus::kKeep) {
      ++progress.kept;
      ++progress.keeps_since_harvest;
    }
    const Yield yield = YieldOf(row, undecided, state.settings.policy);
    CountYield(yield, progress);
    if (yield == Yield::kUndecided) {
      progress.undecided_seconds = NumberOf(row, "seconds").value_or(0.0);
    }
  }
  progress.claimed_ratio = ClaimedRatio(state.ledger);
  return progress;
}

bool HarvestIsDue(const TaskProgress& progress) {
  return progress.keeps_since_harvest >= kKeepsBetweenHarvests ||
         (progress.phase_moved_since_harvest &&
          progress.keeps_since_harvest > 0);
}

bool BudgetIsTooShort(const TaskProgress& progress, const Policy& policy) {
  // A budget that is this much longer than what was used was raised since.
  constexpr double kRaised = 1.2;
  return progress.undecided >= kTooManyUndecided &&
         policy.budget_seconds <= kRaised * progress.undecided_seconds;
}

bool IsHarvest(const MetricRow& row) {
  return IsBaseline(row) && NumberOf(row, kClaimedRatio).has_value();
}

std::optional<double> NumberOf(const MetricRow& row, std::string_view name) {
  for (const auto& [key, value] : row.metrics) {
    if (key == name) return value;
  }
  return std::nullopt;
}

double ClaimedRatio(const MetricFile& ledger, std::size_t first) {
  std::set<std::string> reverted;
  for (const MetricRow& row : ledger.rows) {
    if (row.status == AttemptStatus::kDiscard) reverted.insert(row.commit);
  }
  double product = 1.0;
  for (std::size_t i = first; i < ledger.rows.size(); ++i) {
    const MetricRow& row = ledger.rows[i];
    if (IsMeasured(row) && row.status == AttemptStatus::kKeep &&
        !reverted.contains(row.commit)) {
      product *= NumberOf(row, "ratio").value_or(1.0);
    }
  }
  return product;
}

double GainOf(double ratio, const Policy& policy) {
  return MetricFor(policy, "").direction == Direction::kLowerIsBetter
             ? 1.0 - ratio
             : 1.0 - 1.0 / ratio;
}

}  // namespace autotune
