#include "tools/autotune/deciding/history.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/walls/sealed_merge.h"
#include "tools/git/branch_move.h"
#include "tools/git/names.h"
#include "tools/git/tree_merge.h"
#include "tools/ledger/log_file.h"
#include "tools/program/verb_result.h"

// How a decided attempt enters history. The commits M, R and L are built in the
// object store on the tip T as it is under the integration lock; then the
// record ref is set and the branch moves from T to L by one compare-and-swap.
// So whoever reads the branch sees either the old history or the whole new one,
// and a crash before the move leaves nothing but objects that git collects. A
// retry finds L by the trailer in its message and adds nothing.
//
// M always has both parents, whatever was decided: the attempt's commits stay
// reachable, and a later `git revert -m 1` or revive knows what it brought. Its
// tree is not what git would merge, but the merge with the tip's copy of
// everything sealed; of what must not come in even for one commit (a violation,
// a conflict) it is T's own tree.

namespace autotune {
namespace {

// Tries at a branch that others move at the same time. The lock keeps out other
// autotunes; what is left is a person's own commit, which takes longer to make
// than a try does: twenty in a row are a script that never rests.
constexpr int kMoveTries = 20;

absl::StatusOr<std::string> MergedTree(const Repository& repository,
                                       const TaskState& state,
                                       const AttemptRecord& record) {
  if (!record.merge_trees) return repository.TreeOf(state.tip);
  ASSIGN_OR_RETURN(const SealedMerge sealed,
                   MergeUnderSeal(repository, state, record.attempt));
  if (sealed.merge.clean()) return sealed.merge.tree;
  return ConflictError(record.attempt, sealed.merge.conflicts);
}

std::string RevertMessage(const AttemptRecord& record, const std::string& merge,
                          const std::string& tip) {
  return absl::StrCat(RevertSubject(record.attempt.approach),
                      "\n\nThis reverts commit ", merge,
                      ", reversing\nchanges made to ", tip, ".\n");
}

// R on top of M, or M itself for a keep.
absl::StatusOr<std::string> RevertUnlessKept(const Repository& repository,
                                             const std::string& tip,
                                             const std::string& merge,
                                             const AttemptRecord& record) {
  if (record.decision == AttemptStatus::kKeep) return merge;
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(tip));
  return CommitTree(repository, tree, {merge},
                    RevertMessage(record, merge, tip));
}

// R of a merge made by hand, on the tip as it is now: what the merge brought is
// taken back, the ledger stays.
absl::StatusOr<std::string> RevertHandMerge(const Repository& repository,
                                            const std::string& tip,
                                            const AttemptRecord& record) {
  const std::string& merge = record.merged_by_hand;
  ASSIGN_OR_RETURN(const std::string merged, CodeTree(repository, merge));
  ASSIGN_OR_RETURN(const std::string before,
                   CodeTree(repository, merge + "^1"));
  ASSIGN_OR_RETURN(const std::string now, CodeTree(repository, tip));
  ASSIGN_OR_RETURN(const TreeMerge reverted,
                   MergeTreesOver(repository, merged, now, before));
  if (!reverted.clean()) {
    return ConflictError(record.attempt, reverted.conflicts);
  }
  ASSIGN_OR_RETURN(const std::string tree,
                   WithLedgerOf(repository, reverted.tree, tip));
  return CommitTree(repository, tree, {tip},
                    RevertMessage(record, merge, merge + "^1"));
}

// What L is put on.
absl::StatusOr<std::string> BelowLedger(const Repository& repository,
                                        const TaskState& state,
                                        const AttemptRecord& record) {
  const std::string& tip = state.tip;
  if (!record.merged_by_hand.empty()) {
    const bool stands = record.decision == AttemptStatus::kKeep ||
                        !record.reverted_by_hand.empty();
    return stands ? tip : RevertHandMerge(repository, tip, record);
  }
  ASSIGN_OR_RETURN(const std::string merged,
                   MergedTree(repository, state, record));
  ASSIGN_OR_RETURN(const std::string merge,
                   CommitTree(repository, merged, {tip, record.attempt.head},
                              MergeSubject(record.attempt.approach) + "\n"));
  FaultPoint("merge-built");
  return RevertUnlessKept(repository, tip, merge, record);
}

bool IsBelow(const std::string& path, const std::string& folder) {
  return absl::StartsWith(path, folder + "/");
}

// The attempt's notes: what B..I changes below its own folder and is a plain
// file, with its contents at I.
absl::StatusOr<std::vector<TreeEdit>> AttemptNotes(const Repository& repository,
                                                   const Task& task,
                                                   const Attempt& attempt,
                                                   const std::string& base) {
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(base, attempt.head));
  const std::string folder = task.File(attempt.approach);
  std::vector<TreeEdit> notes;
  for (const TreeChange& change : changes) {
    const bool plain =
        change.new_mode == "100644" || change.new_mode == "100755";
    const bool ours = change.path == folder + "/prompts.md" ||
                      change.path == folder + "/evidence.json";
    if (!plain || ours || !IsBelow(change.path, folder)) continue;
    ASSIGN_OR_RETURN(std::string text,
                     repository.ReadBlob(attempt.head, change.path));
    notes.push_back({change.path, std::move(text), change.new_mode});
  }
  return notes;
}

// What L changes: ledger, evidence and notes.
absl::StatusOr<std::vector<TreeEdit>> LedgerEdits(const Session& session,
                                                  const Repository& repository,
                                                  const TaskState& state,
                                                  const AttemptRecord& record) {
  ASSIGN_OR_RETURN(
      std::vector<TreeEdit> edits,
      AttemptNotes(repository, state.task, record.attempt, record.base));
  // The prompt stays as it was committed, whatever the attempt made of it.
  const std::string prompt_name = record.attempt.approach + "/prompts.md";
  ASSIGN_OR_RETURN(std::string prompt, ReadTaskFile(repository, state.task,
                                                    state.tip, prompt_name));
  if (!prompt.empty()) {
    edits.push_back({state.task.File(prompt_name), std::move(prompt)});
  }
  ASSIGN_OR_RETURN(std::string metric,
                   AppendMetricRow(state.metric_text, record.row));
  edits.push_back({state.task.File("metric.toml"), std::move(metric)});
  edits.push_back(LogEdit(state, LocalDate(session), record.log_entry));
  edits.insert(edits.end(), record.evidence.begin(), record.evidence.end());
  return edits;
}

absl::Status KeepRecordRef(const Repository& repository, const Task& task,
                           const Attempt& attempt) {
  return repository
      .Git({"update-ref", AttemptRef(task.id, attempt.number), attempt.head})
      .status();
}

absl::StatusOr<bool> JudgedAgainst(const Repository& repository,
                                   const TaskState& state,
                                   const AttemptRecord& record) {
  if (record.judged_code_tree.empty()) return true;
  ASSIGN_OR_RETURN(const std::string code, CodeTree(repository, state.tip));
  return code == record.judged_code_tree;
}

// One try on the tip as it is now: the entry, nothing when the decision is not
// about this tip, or Aborted when the branch moved meanwhile.
absl::StatusOr<std::optional<HistoryEntry>> IntegrateOnce(
    const Session& session, const Repository& repository, const Task& task,
    const AttemptRecord& record) {
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(std::optional<HistoryEntry> entry,
                   RecordedEntry(repository, state, record.attempt.approach));
  if (entry.has_value()) return entry;
  ASSIGN_OR_RETURN(const bool judged, JudgedAgainst(repository, state, record));
  if (!judged) return std::nullopt;
  ASSIGN_OR_RETURN(const std::string ledger,
                   BuildHistory(session, repository, state, record));
  FaultPoint("history-built");
  RETURN_IF_ERROR(KeepRecordRef(repository, task, record.attempt));
  FaultPoint("record-ref-set");
  RETURN_IF_ERROR(MoveBranch(repository, task.branch(), state.tip, ledger));
  FaultPoint("branch-moved");
  ASSIGN_OR_RETURN(const TaskState after, LoadTask(repository, task));
  return RecordedEntry(repository, after, record.attempt.approach);
}

}  // namespace

absl::Status ConflictError(const Attempt& attempt,
                           const std::vector<std::string>& files) {
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          attempt.approach,
          " conflicts with the working branch: ", absl::StrJoin(files, ", "))),
      {Autotune({"rework", attempt.approach}), " brings it onto the tip; ",
       Autotune({"decide", attempt.approach, "--crash", "conflict"}),
       " gives it up"});
}

TreeEdit LogEdit(const TaskState& state, std::string_view heading,
                 std::string_view entry) {
  const std::string log =
      state.log_text.empty() ? NewLogFile(state.task.id) : state.log_text;
  return {state.task.File("log.md"), AppendLogEntry(log, heading, entry)};
}

absl::StatusOr<std::string> BuildHistory(const Session& session,
                                         const Repository& repository,
                                         const TaskState& state,
                                         const AttemptRecord& record) {
  ASSIGN_OR_RETURN(const std::string below,
                   BelowLedger(repository, state, record));
  ASSIGN_OR_RETURN(const std::vector<TreeEdit> edits,
                   LedgerEdits(session, repository, state, record));
  ASSIGN_OR_RETURN(const std::string below_tree, repository.TreeOf(below));
  ASSIGN_OR_RETURN(const std::string tree,
                   WriteTree(repository, below_tree, edits));
  return CommitTree(repository, tree, {below},
                    LedgerMessage(record.attempt.approach, record.decision,
                                  record.reason, record.attempt.head));
}

absl::StatusOr<std::optional<HistoryEntry>> Integrate(
    const Session& session, const Repository& repository, const Task& task,
    const AttemptRecord& record) {
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const FileLock lock, LockIntegration(repository));
  FaultPoint("integration-locked");
  for (int tries = 1;; ++tries) {
    auto entry = IntegrateOnce(session, repository, task, record);
    if (!absl::IsAborted(entry.status()) || tries == kMoveTries) return entry;
  }
}

absl::StatusOr<std::string> CommitToTask(
    const Session& session, const Repository& repository, const Task& task,
    const std::function<absl::StatusOr<LedgerCommit>(const TaskState&)>&
        make_commit) {
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const FileLock lock, LockIntegration(repository));
  for (int tries = 1;; ++tries) {
    ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
    ASSIGN_OR_RETURN(const LedgerCommit commit, make_commit(state));
    if (commit.edits.empty() || session.dry_run) return state.tip;
    ASSIGN_OR_RETURN(const std::string old_tree, repository.TreeOf(state.tip));
    ASSIGN_OR_RETURN(const std::string tree,
                     WriteTree(repository, old_tree, commit.edits));
    ASSIGN_OR_RETURN(const std::string made,
                     CommitTree(repository, tree, {state.tip}, commit.message));
    FaultPoint("task-commit-built");
    const absl::Status moved =
        MoveBranch(repository, task.branch(), state.tip, made);
    FaultPoint("task-commit-moved");
    if (moved.ok()) return made;
    if (!absl::IsAborted(moved) || tries == kMoveTries) return moved;
  }
}

}  // namespace autotune
