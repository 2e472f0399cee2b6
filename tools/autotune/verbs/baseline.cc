#include "tools/autotune/verbs/baseline.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/baseline_row.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

// Each round holds two visits of the same program.
constexpr std::int64_t kRounds = 6;
constexpr std::size_t kNumbersShown = 12;

VerbResult BaselineResult(const Task& task, const MetricRow& row) {
  VerbResult result;
  result.lines = {absl::StrCat("baseline of ", row.commit.substr(0, 12), " on ",
                               task.branch())};
  for (const auto& [name, value] : row.metrics) {
    if (result.lines.size() <= kNumbersShown) {
      result.lines.push_back(
          absl::StrCat("  ", PrintableText(name), " = ", FixedText(value, 1)));
    }
  }
  result.fields.Text("task", task.id);
  result.fields.Text("commit", row.commit);
  result.fields.Numbers("metrics", row.metrics);
  result.next = {{Autotune({"start", "APPROACH", "--hypothesis", "TEXT"}),
                  "open an attempt"}};
  return result;
}

absl::StatusOr<Evidence> MeasureTip(const Session& session,
                                    const Repository& repository,
                                    const TaskState& state,
                                    const std::string& code) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  BuildRequest build;
  build.tree = code;
  build.run_tests = true;
  Say(session, "building and testing the tip");
  MeasureRequest request;
  ASSIGN_OR_RETURN(
      request.baseline.build,
      BuildTree(session, repository, state.settings, directory, build));
  request.baseline.commit = state.tip;
  request.baseline.tree = code;
  request.contender = request.baseline;
  request.target = state.settings.target;
  request.with_guards = true;
  request.policy = state.settings.policy;
  request.fixed_rounds = kRounds;
  ASSIGN_OR_RETURN(const FileLock lock, LockMeasuring(session));
  Say(session, "measuring the tip");
  return Measure(session, request);
}

MetricRow RowOf(const TaskState& state, const Evidence& evidence) {
  MetricRow row;
  row.commit = state.tip;
  row.status = AttemptStatus::kKeep;
  row.description = absl::StrCat("baseline of ", state.task.id);
  row.metrics = ContenderNumbers(evidence);
  return row;
}

absl::StatusOr<LedgerCommit> BaselineCommit(const Session& session,
                                            const TaskState& state,
                                            const MetricRow& row) {
  LedgerCommit commit;
  commit.message = "ledger: baseline\n";
  ASSIGN_OR_RETURN(std::string metric, AppendMetricRow(state.metric_text, row));
  commit.edits = {
      {state.task.File("metric.toml"), std::move(metric)},
      LogEdit(state, LocalDate(session),
              absl::StrCat("baseline measured at ", row.commit.substr(0, 12)))};
  return commit;
}

}  // namespace

absl::StatusOr<VerbResult> Baseline(const TaskContext& context) {
  const Session& session = context.session;
  const Repository& repository = context.repository;
  const Task& task = context.task;
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const std::string code, CodeTree(repository, state.tip));
  ASSIGN_OR_RETURN(const MetricRow* existing,
                   FindRowOfCode(repository, state, code, &IsBaseline));
  if (existing != nullptr) return BaselineResult(task, *existing);
  if (session.dry_run) {
    VerbResult result;
    result.lines = {"would build, test and measure the tip and record a row"};
    return result;
  }
  ASSIGN_OR_RETURN(const Evidence evidence,
                   MeasureTip(session, repository, state, code));
  const MetricRow row = RowOf(state, evidence);
  RETURN_IF_ERROR(
      CommitToTask(session, repository, task, [&](const TaskState& now) {
        return BaselineCommit(session, now, row);
      }).status());
  return BaselineResult(task, row);
}

}  // namespace autotune
