#include "tools/autotune/verbs/report.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/estimate.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/prompt.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

// The ratio of a row with its interval, whose level the ledger does not say.
std::optional<RatioEstimate> EstimateOf(const MetricRow& row) {
  const std::optional<double> ratio = NumberOf(row, "ratio");
  if (!ratio.has_value() || !(*ratio > 0.0)) return std::nullopt;
  return RatioEstimate{
      *ratio, {NumberOf(row, "ratio_low"), NumberOf(row, "ratio_high"), 0.0}};
}

std::optional<std::int64_t> RoundsOf(const MetricRow& row) {
  const std::optional<double> rounds = NumberOf(row, "rounds");
  if (!rounds.has_value()) return std::nullopt;
  return std::llround(*rounds);
}

// The last row of a commit says what became of its measurement.
std::map<std::string, const MetricRow*> RowsByCommit(const MetricFile& ledger) {
  std::map<std::string, const MetricRow*> rows;
  for (const MetricRow& row : ledger.rows) {
    if (IsBaseline(row) || row.commit.empty()) continue;
    const MetricRow*& known = rows[row.commit];
    if (known == nullptr || !row.metrics.empty()) known = &row;
  }
  return rows;
}

void AddNumbers(const MetricRow& row, TaskReport::Attempt& attempt) {
  attempt.measured = IsMeasured(row);
  attempt.estimate = EstimateOf(row);
  attempt.rounds = RoundsOf(row);
  attempt.seconds = NumberOf(row, "seconds");
}

// Harvests stand in the ledger between the rows of attempts.
std::vector<TaskReport::Harvest> HarvestsOf(const MetricFile& ledger) {
  std::vector<TaskReport::Harvest> harvests;
  std::size_t attempts = 0;
  for (const MetricRow& row : ledger.rows) {
    if (IsHarvest(row)) {
      harvests.push_back(
          {attempts, row.commit, EstimateOf(row), RoundsOf(row)});
    } else if (!IsBaseline(row)) {
      ++attempts;
    }
  }
  return harvests;
}

absl::StatusOr<TaskReport::Attempt> AttemptOf(const TaskContext& context,
                                              const TaskState& state,
                                              const HistoryEntry& entry) {
  TaskReport::Attempt attempt;
  attempt.approach = entry.approach;
  ASSIGN_OR_RETURN(const std::string prompt,
                   ReadTaskFile(context.repository, context.task, state.tip,
                                entry.approach + "/prompts.md"));
  attempt.hypothesis = HypothesisOf(prompt);
  if (entry.plan.phase.has_value()) {
    attempt.phase = NameOf(*entry.plan.phase);
  }
  attempt.part = entry.plan.part;
  attempt.predicted_ratio = entry.plan.predicted_ratio;
  attempt.decision = DecisionText(entry);
  attempt.reason = entry.reason;
  attempt.commit = entry.attempt_commit;
  attempt.kept = IsKept(entry);
  return attempt;
}

}  // namespace

absl::StatusOr<TaskReport> ReportTask(const TaskContext& context) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  TaskReport report;
  report.task = task.id;
  report.branch = task.branch();
  report.base = state.settings.base;
  report.tip = state.tip;
  report.target = state.settings.target;
  report.metric = MetricFor(state.settings.policy, state.settings.target);
  ASSIGN_OR_RETURN(const auto remote, repository.Config("remote.origin.url"));
  report.commit_url = CommitUrlOf(remote.value_or(""));
  report.warnings = state.ledger.warnings;
  const auto rows = RowsByCommit(state.ledger);
  double claimed = 1.0;
  for (const HistoryEntry& entry : history) {
    ASSIGN_OR_RETURN(TaskReport::Attempt attempt,
                     AttemptOf(context, state, entry));
    const auto row = rows.find(entry.attempt_commit);
    if (row != rows.end()) AddNumbers(*row->second, attempt);
    if (attempt.kept && attempt.measured && attempt.estimate.has_value()) {
      claimed *= attempt.estimate->ratio;
    }
    attempt.claimed_ratio = claimed;
    report.attempts.push_back(std::move(attempt));
  }
  report.harvests = HarvestsOf(state.ledger);
  if (report.attempts.empty()) {
    report.next = {{Autotune({"next"}), "what to do first"}};
  }
  return report;
}

}  // namespace autotune
