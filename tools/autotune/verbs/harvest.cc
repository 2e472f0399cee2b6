#include "tools/autotune/verbs/harvest.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
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
#include "tools/autotune/verbs/harvest_branch.h"
#include "tools/git/integration.h"
#include "tools/report/report.h"

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
  result.fields.Text("task", task.id);
  result.fields.Text("commit", row.commit);
  result.fields.Number("ratio", ratio);
  result.fields.Number("claimed_ratio", claimed);
  result.fields.Numbers("metrics", row.metrics);
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
  row.status = AttemptStatus::kKeep;
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
                  LogEdit(state, LocalDate(session),
                          absl::StrCat("start against tip: ",
                                       EvidenceSummaryLine(evidence))),
                  {state.task.File(absl::StrCat(
                       "harvest-", row.commit.substr(0, 12), ".json")),
                   EvidenceToJson(evidence)}};
  return commit;
}

// Builds and tests a branch; one that fails is taken away again.
absl::Status CheckBranch(const Session& session, const Repository& repository,
                         const TaskState& state, const HarvestBranch& branch) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  BuildRequest request;
  request.role = BuildRole::kNew;
  request.run_tests = true;
  ASSIGN_OR_RETURN(request.tree, CodeTree(repository, branch.commit));
  Say(session, absl::StrCat("building and testing ", branch.name));
  const absl::Status built =
      BuildTree(session, repository, state.settings, directory, request)
          .status();
  if (built.ok()) return built;
  RETURN_IF_ERROR(
      DeleteRef(repository, "refs/heads/" + branch.name, branch.commit));
  return Annotate(built, branch.name);
}

absl::Status AddBranch(const TaskContext& context, const TaskState& state,
                       const std::vector<HarvestedKeep>& keeps, bool whole,
                       VerbResult& result) {
  const Repository& repository = context.repository;
  ASSIGN_OR_RETURN(const HarvestBranch branch,
                   MakeHarvestBranch(repository, state, keeps, whole));
  if (branch.made) {
    RETURN_IF_ERROR(CheckBranch(context.session, repository, state, branch));
  }
  const std::string& start = state.settings.start_branch;
  result.lines.push_back(absl::StrCat(
      "branch ", branch.name, ", ", CountText(keeps.size(), "commit"), " on ",
      branch.onto == state.settings.base ? "the task's base" : start));
  if (!branch.conflicts.empty()) {
    result.lines.push_back(absl::StrCat("  conflicts with ", start, ": ",
                                        absl::StrJoin(branch.conflicts, ", ")));
  }
  JsonWriter& fields = result.fields;
  fields.BeginObject();
  fields.Text("branch", branch.name);
  fields.Text("commit", branch.commit);
  fields.Text("onto", branch.onto);
  fields.Texts("conflicts", branch.conflicts);
  fields.EndObject();
  return absl::OkStatus();
}

// harvest.md, unless it says so already.
absl::Status WritePullRequest(const TaskContext& context,
                              const std::string& text) {
  return CommitToTask(
             context.session, context.repository, context.task,
             [&](const TaskState& now) -> absl::StatusOr<LedgerCommit> {
               ASSIGN_OR_RETURN(const std::string before,
                                ReadTaskFile(context.repository, context.task,
                                             now.tip, "harvest.md"));
               LedgerCommit commit;
               if (before == text) return commit;
               commit.message = "harvest: text of the pull request\n";
               commit.edits = {{context.task.File("harvest.md"), text}};
               return commit;
             })
      .status();
}

absl::Status OpenPullRequest(const TaskContext& context,
                             const std::string& title, const std::string& text,
                             const std::string& branch, VerbResult& result) {
  ProcessSpec spec;
  spec.argv = {"gh",   "pr",      "create", "--draft",     "--head",
               branch, "--title", title,    "--body-file", "-"};
  spec.standard_input = text;
  spec.working_directory = context.repository.top_level();
  ASSIGN_OR_RETURN(const ProcessResult made,
                   context.session.seams.processes.Run(spec));
  if (!made.succeeded()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "gh pr create ended with ", made.exit_code, ": ",
        OneLine(made.standard_error, 200), "; git push the branch ", branch,
        " first, and gh auth login"));
  }
  result.lines.push_back("pull request: " + OneLine(made.standard_output, 200));
  return absl::OkStatus();
}

// Everything behind the measurement: branches, text, pull request.
absl::Status AddReview(const TaskContext& context,
                       const HarvestOptions& options, VerbResult& result) {
  ASSIGN_OR_RETURN(const TaskState state,
                   LoadTask(context.repository, context.task));
  ASSIGN_OR_RETURN(const std::vector<HarvestedKeep> keeps,
                   HarvestedKeeps(context.repository, state));
  if (keeps.empty()) {
    result.lines.push_back("no keep to review");
    return absl::OkStatus();
  }
  result.fields.BeginArray("branches");
  RETURN_IF_ERROR(AddBranch(context, state, keeps, /*whole=*/true, result));
  const auto groups = FileDisjointGroups(keeps);
  for (std::size_t i = 0;
       options.split && groups.size() > 1 && i < groups.size(); ++i) {
    RETURN_IF_ERROR(
        AddBranch(context, state, groups[i], /*whole=*/false, result));
  }
  result.fields.EndArray();
  ASSIGN_OR_RETURN(
      const auto history,
      ReadHistory(context.repository, state.settings.base, state.tip));
  const std::string text =
      PullRequestText(state, history, keeps, result.lines.front());
  RETURN_IF_ERROR(WritePullRequest(context, text));
  result.lines.push_back("text for a pull request: " +
                         context.task.File("harvest.md"));
  if (!options.pull_request) return absl::OkStatus();
  ASSIGN_OR_RETURN(const HarvestBranch branch,
                   MakeHarvestBranch(context.repository, state, keeps, true));
  return OpenPullRequest(context, state.settings.name + ": faster", text,
                         branch.name, result);
}

absl::StatusOr<VerbResult> WithReview(const TaskContext& context,
                                      const HarvestOptions& options,
                                      VerbResult result) {
  if (options.branch) {
    RETURN_IF_ERROR(AddReview(context, options, result));
  }
  return result;
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
  if (existing != nullptr) {
    return WithReview(context, options, HarvestResult(task, *existing));
  }
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
  return WithReview(context, options, HarvestResult(task, row));
}

}  // namespace autotune
