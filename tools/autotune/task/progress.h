#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROGRESS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROGRESS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "comparator/policy/policy.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/metric_file.h"

namespace autotune {

// One clause for people: what to try in this phase.
std::string_view PhaseAdvice(Phase phase);

// Where a task stands, by its measured decisions: not crashes, claimed rows or
// unmeasured discards.
struct TaskProgress {
  // Moves on when kUnproductive decisions in a row gained less than
  // kLeastGain each (a keep gains what it claims, a discard nothing); a keep of
  // more starts the count anew, never the phase.
  Phase phase = Phase::kMicro;
  std::int64_t unproductive = 0;  // such decisions in a row, in this phase
  // Inconclusive ones in a row: they say nothing of the phase, but that the
  // budget or the smallest effect does not fit the noise.
  std::int64_t undecided = 0;
  double undecided_seconds = 0.0;  // that the last of them was measured
  std::int64_t decided = 0;
  std::int64_t kept = 0;
  // The product of the ratios that keeps claim, contender / baseline; keeps
  // that were taken out again do not count.
  double claimed_ratio = 1.0;
  // Start against tip, of the last harvest.
  std::optional<double> measured_ratio;
  std::int64_t keeps_since_harvest = 0;
  bool phase_moved_since_harvest = false;
};

inline constexpr std::int64_t kUnproductive = 3;
inline constexpr std::int64_t kTooManyUndecided = 3;
inline constexpr double kLeastGain = 0.01;
inline constexpr std::int64_t kKeepsBetweenHarvests = 10;

// `history` tells which decisions were inconclusive.
TaskProgress ProgressOf(const TaskState& state,
                        const std::vector<HistoryEntry>& history);

// Whether start against tip should be measured afresh: kKeepsBetweenHarvests
// keeps came, or the phase moved on with a keep, since it was.
bool HarvestIsDue(const TaskProgress& progress);

// Whether too many decisions in a row stayed undecided with the budget that
// `policy` still has: one that was raised since is given its chance.
bool BudgetIsTooShort(const TaskProgress& progress, const Policy& policy);

// Whether the row records a harvest: start against tip.
bool IsHarvest(const MetricRow& row);

// The number of `row` with that name; nothing when it has none.
std::optional<double> NumberOf(const MetricRow& row, std::string_view name);

// The product of the ratios that measured keeps in `rows` from index `first` on
// claim; keeps that were taken out again do not count.
double ClaimedRatio(const MetricFile& ledger, std::size_t first = 0);

// The part of the time that a ratio saves: 1 - ratio, for higher-is-better
// metrics 1 - 1 / ratio. Negative for a loss. `ratio` > 0.
double GainOf(double ratio, const Policy& policy);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROGRESS_H_
