#include "tools/autotune/deciding/open_attempt.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/prompt.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

// Removes what only an open attempt needs; repeated after a crash.
absl::Status CleanUp(const Session& session, const Repository& repository,
                     const TaskState& state, const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  RETURN_IF_ERROR(
      RemoveAttemptWorktree(session, repository, state.task, attempt));
  FaultPoint("worktree-removed");
  return session.seams.files.RemoveAll(
      DecideDirectory(directory, attempt.number));
}

// An attempt without a commit gets an empty one, so that history can hold it.
absl::StatusOr<std::string> EmptyCommit(const Repository& repository,
                                        const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(attempt.head));
  return CommitTree(
      repository, tree, {attempt.head},
      absl::StrCat("autotune: ", attempt.approach, " changes nothing\n"));
}

}  // namespace

absl::StatusOr<std::optional<HistoryEntry>> RecordedEntry(
    const Repository& repository, const TaskState& state,
    const Attempt& attempt) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  auto entry = FindEntry(history, attempt.approach);
  if (entry.has_value() && entry->ledger.empty()) return std::nullopt;
  return entry;
}

absl::Status CompleteAttempt(const TaskState& state, OpenAttempt& open,
                             bool& has_commit) {
  RETURN_IF_ERROR(
      CheckAttemptAtRest(open.session, open.repository, open.attempt.branch));
  ASSIGN_OR_RETURN(const std::string prompt,
                   ReadTaskFile(open.repository, open.task, state.tip,
                                open.attempt.approach + "/prompts.md"));
  open.hypothesis = HypothesisOf(prompt);
  ASSIGN_OR_RETURN(const bool empty,
                   HasNoCommit(open.repository, state, open.attempt));
  has_commit = !empty;
  if (has_commit) {
    ASSIGN_OR_RETURN(open.base, BaseOf(open.repository, state, open.attempt));
    return absl::OkStatus();
  }
  open.base = open.attempt.head;
  ASSIGN_OR_RETURN(open.attempt.head,
                   EmptyCommit(open.repository, open.attempt));
  return absl::OkStatus();
}

absl::StatusOr<HistoryEntry> IntegrateAnyway(const OpenAttempt& open,
                                             const AttemptRecord& record) {
  ASSIGN_OR_RETURN(const auto entry,
                   Integrate(open.session, open.repository, open.task, record));
  if (entry.has_value()) return *entry;
  return absl::UnavailableError("the working branch keeps moving; try again");
}

absl::StatusOr<HistoryEntry> RecordUnmeasured(const OpenAttempt& open,
                                              const TaskState& state,
                                              std::string_view decision,
                                              std::string_view reason,
                                              bool merge_trees) {
  AttemptRecord record = UnmeasuredRecord(state, open.attempt, open.base,
                                          open.hypothesis, decision, reason);
  record.merge_trees = merge_trees;
  return IntegrateAnyway(open, record);
}

absl::StatusOr<VerbResult> FinishRecorded(const Session& session,
                                          const Repository& repository,
                                          const Task& task,
                                          const Attempt& attempt,
                                          const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  const absl::Status cleaned = CleanUp(session, repository, state, attempt);
  if (!cleaned.ok()) {
    Say(session, absl::StrCat("warning: not everything was cleaned up: ",
                              cleaned.message()));
  }
  return RecordedResult(repository, state, entry);
}

}  // namespace autotune
