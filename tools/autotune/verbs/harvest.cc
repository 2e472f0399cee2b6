#include "tools/autotune/verbs/harvest.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/baseline_row.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/progress.h"
#include "tools/ledger/log_file.h"
#include "tools/report/evidence_report.h"

namespace autotune {
namespace {

constexpr char kDescription[] = "baseline: the task's start against its tip";

VerbResult HarvestResult(const Task& task, const MetricRow& row) {
  VerbResult result;
  const double ratio = NumberOf(row, "ratio").value_or(1.0);
  const double claimed = NumberOf(row, "claimed_ratio").value_or(1.0);
  result.lines = {
      absl::StrCat(
          "start against tip: ", SignedPercentText(ratio - 1.0), ", ",
          CountText(std::llround(NumberOf(row, "rounds").value_or(0.0)),
                    "round")),
      absl::StrCat("product of the keeps' claims: ",
                   SignedPercentText(claimed - 1.0))};
  result.fields.Add("task", task.id);
  result.fields.Add("commit", row.commit);
  result.fields.Add("ratio", ratio);
  result.fields.Add("claimed_ratio", claimed);
  JsonFields metrics;
  for (const auto& [name, value] : row.metrics) metrics.Add(name, value);
  result.fields.Add("metrics", metrics);
  return result;
}

absl::StatusOr<MeasuredSide> BuildSide(const Session& session,
                                       const Repository& repository,
                                       const TaskState& state,
                                       const std::string& commit) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  BuildRequest request;
  ASSIGN_OR_RETURN(request.tree, CodeTree(repository, commit));
  MeasuredSide side;
  side.commit = commit;
  side.tree = request.tree;
  ASSIGN_OR_RETURN(side.build, BuildTree(session, repository, state.settings,
                                         directory, request));
  return side;
}

absl::StatusOr<Evidence> MeasureStartAgainstTip(const Session& session,
                                                const Repository& repository,
                                                const TaskState& state,
                                                std::int64_t rounds) {
  Say(session, "building the task's start and its tip");
  MeasureRequest request;
  ASSIGN_OR_RETURN(request.baseline,
                   BuildSide(session, repository, state, state.settings.base));
  ASSIGN_OR_RETURN(request.contender,
                   BuildSide(session, repository, state, state.tip));
  request.target = state.settings.target;
  request.policy = state.settings.policy;
  request.fixed_rounds = rounds;
  ASSIGN_OR_RETURN(const FileLock lock, LockMeasuring(session));
  Say(session, "measuring the start against the tip");
  return Measure(session, request);
}

MetricRow RowOf(const TaskState& state, const Evidence& evidence) {
  MetricRow row;
  row.commit = state.tip;
  row.status = "keep";
  row.description =
      absl::StrCat(kDescription, " after ",
                   CountText(CountMeasured(state.ledger).kept, "keep"));
  row.metrics = ContenderNumbers(evidence);
  for (const auto& number : RatioNumbers(evidence, "")) {
    row.metrics.push_back(number);
  }
  row.metrics.emplace_back("claimed_ratio", ClaimedRatio(state.ledger));
  return row;
}

absl::StatusOr<LedgerCommit> HarvestCommit(const Session& session,
                                           const TaskState& state,
                                           const MetricRow& row,
                                           const Evidence& evidence) {
  LedgerCommit commit;
  commit.message = "ledger: harvest\n";
  ASSIGN_OR_RETURN(std::string metric, AppendMetricRow(state.metric_text, row));
  commit.edits = {{state.task.File("metric.toml"), std::move(metric)},
                  {state.task.File("log.md"),
                   AppendLogEntry(state.log_text, LocalDate(session),
                                  absl::StrCat("start against tip: ",
                                               EvidenceSummaryLine(evidence)))},
                  {state.task.File(absl::StrCat(
                       "harvest-", row.commit.substr(0, 12), ".json")),
                   EvidenceToJson(evidence)}};
  return commit;
}

}  // namespace

absl::StatusOr<VerbResult> Harvest(const TaskContext& context,
                                   const HarvestOptions& options) {
  const Session& session = context.session;
  const Repository& repository = context.repository;
  const Task& task = context.task;
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const std::string code, CodeTree(repository, state.tip));
  ASSIGN_OR_RETURN(const MetricRow* existing,
                   FindRowOfCode(repository, state, code, &IsHarvest));
  if (existing != nullptr) return HarvestResult(task, *existing);
  if (session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would measure ",
                                 state.settings.base.substr(0, 12), " against ",
                                 state.tip.substr(0, 12), " and record it")};
    return result;
  }
  ASSIGN_OR_RETURN(
      const Evidence evidence,
      MeasureStartAgainstTip(session, repository, state, options.rounds));
  const MetricRow row = RowOf(state, evidence);
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task, [&](const TaskState& now) {
        return HarvestCommit(session, now, row, evidence);
      }).status());
  return HarvestResult(task, row);
}

}  // namespace autotune
