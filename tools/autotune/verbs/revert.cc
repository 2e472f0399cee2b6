#include "tools/autotune/verbs/revert.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/git/branch_move.h"
#include "tools/git/integration.h"
#include "tools/git/tree_merge.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

absl::StatusOr<HistoryEntry> FindKeep(const Repository& repository,
                                      const TaskState& state,
                                      const std::string& name) {
  ASSIGN_OR_RETURN(const std::string approach, Slug(name));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  const auto entry = FindEntry(history, approach);
  if (entry.has_value() && entry->decision == AttemptStatus::kKeep)
    return *entry;
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          "revert: ", approach, " is no keep of this task",
          entry.has_value() ? ": it was recorded as " + DecisionText(*entry)
                            : "")),
      {Autotune({"status"}), " lists the attempts"});
}

// The tip's tree without what the merge brought; the ledger stays.
absl::StatusOr<std::string> TreeWithout(const Repository& repository,
                                        const TaskState& state,
                                        const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const std::string merged, CodeTree(repository, entry.merge));
  ASSIGN_OR_RETURN(const std::string before,
                   CodeTree(repository, entry.mainline));
  ASSIGN_OR_RETURN(const std::string now, CodeTree(repository, state.tip));
  ASSIGN_OR_RETURN(const TreeMerge merge,
                   MergeTreesOver(repository, merged, now, before));
  if (!merge.clean()) {
    return WithHint(
        absl::FailedPreconditionError(
            absl::StrCat("revert: later changes build on ", entry.approach,
                         ": ", absl::StrJoin(merge.conflicts, ", "))),
        "revert those first, or undo it by hand in an attempt of its own");
  }
  ASSIGN_OR_RETURN(const std::string tip_tree, repository.TreeOf(state.tip));
  return WithLedgerOf(repository, merge.tree, tip_tree);
}

std::string Reason(const RevertOptions& options) {
  return options.reason.empty() ? "reverted"
                                : "reverted: " + OneLine(options.reason, 400);
}

absl::StatusOr<std::string> LedgerOn(const Session& session,
                                     const Repository& repository,
                                     const TaskState& state,
                                     const HistoryEntry& entry,
                                     const std::string& revert,
                                     const std::string& reason) {
  MetricRow row;
  row.commit = entry.attempt_commit;
  row.status = AttemptStatus::kDiscard;
  row.description = absl::StrCat(entry.approach, " (", reason, ")");
  ASSIGN_OR_RETURN(std::string metric, AppendMetricRow(state.metric_text, row));
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(revert));
  ASSIGN_OR_RETURN(
      const std::string with_row,
      WriteTree(repository, tree,
                {{state.task.File("metric.toml"), std::move(metric)},
                 LogEdit(state, LocalDate(session),
                         absl::StrCat("**", entry.approach, "**: ", reason))}));
  return CommitTree(repository, with_row, {revert},
                    LedgerMessage(entry.approach, AttemptStatus::kReverted,
                                  reason, entry.attempt_commit));
}

absl::StatusOr<std::string> BuildRevert(const Session& session,
                                        const Repository& repository,
                                        const TaskState& state,
                                        const HistoryEntry& entry,
                                        const std::string& reason) {
  ASSIGN_OR_RETURN(const std::string tree,
                   TreeWithout(repository, state, entry));
  ASSIGN_OR_RETURN(
      const std::string revert,
      CommitTree(repository, tree, {state.tip},
                 absl::StrCat(RevertSubject(entry.approach),
                              "\n\nThis reverts commit ", entry.merge,
                              ", reversing\nchanges made to ", entry.mainline,
                              ".\n")));
  return LedgerOn(session, repository, state, entry, revert, reason);
}

VerbResult RevertedResult(const TaskState& state, const HistoryEntry& entry) {
  VerbResult result;
  result.lines = {
      absl::StrCat("reverted ", entry.approach, " on ", state.task.branch())};
  result.fields.Text("task", state.task.id);
  result.fields.Text("approach", entry.approach);
  result.fields.Text("merge", entry.merge);
  result.next = {{Autotune({"revive", entry.approach}),
                  "brings it back as a new attempt"}};
  return result;
}

}  // namespace

absl::StatusOr<VerbResult> Revert(const TaskContext& context,
                                  const RevertOptions& options) {
  const auto& [session, repository, task] = context;
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const FileLock lock, LockIntegration(repository));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const HistoryEntry entry,
                   FindKeep(repository, state, options.approach));
  if (!entry.reverted.empty()) return RevertedResult(state, entry);
  ASSIGN_OR_RETURN(
      const std::string ledger,
      BuildRevert(session, repository, state, entry, Reason(options)));
  FaultPoint("revert-built");
  if (session.dry_run) {
    VerbResult result;
    result.lines = {
        absl::StrCat("would revert ", entry.approach, " on ", task.branch())};
    return result;
  }
  RETURN_IF_ERROR(MoveBranch(repository, task.branch(), state.tip, ledger));
  FaultPoint("revert-moved");
  return RevertedResult(state, entry);
}

}  // namespace autotune
