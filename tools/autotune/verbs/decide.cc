#include "tools/autotune/verbs/decide.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/deciding/judgement.h"
#include "tools/autotune/deciding/open_attempt.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/deciding/recovery.h"
#include "tools/autotune/measuring/test_count.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/harvest.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/git/branch_move.h"
#include "tools/git/tree_merge.h"

namespace autotune {
namespace {

// How often a tip that others move is followed before giving up: each try
// builds and measures anew, and every decision of another attempt that keeps
// moves the tip, so five let four others go first.
constexpr int kTipTries = 5;

// A crash brings its code into M only when that merges cleanly and is inside
// the scope.
absl::StatusOr<HistoryEntry> RecordCrash(const OpenAttempt& open,
                                         const TaskState& state,
                                         const std::string& reason) {
  ASSIGN_OR_RETURN(const ScopeReport scope,
                   CheckScope(open.repository, state, open.attempt, open.base));
  ASSIGN_OR_RETURN(const TreeMerge merge,
                   MergeTrees(open.repository, state.tip, open.attempt.head));
  const bool clean = scope.violations.empty() && merge.conflicts.empty();
  return RecordUnmeasured(open, state, AttemptStatus::kCrash, reason, clean);
}

// Files of the user's checkout that would stop the branch from moving are found
// before time is spent on measuring.
absl::Status CheckNothingInTheWay(const OpenAttempt& open,
                                  const TaskState& state) {
  AttemptRecord record = UnmeasuredRecord(state, open.attempt, open.base, "",
                                          AttemptStatus::kKeep, "");
  record.evidence = {{state.task.File(open.attempt.approach + "/evidence.json"),
                      std::string()}};
  ASSIGN_OR_RETURN(const std::string ledger,
                   BuildHistory(open.session, open.repository, state, record));
  ASSIGN_OR_RETURN(const std::vector<std::string> files,
                   OverlappingFiles(open.repository, state.task.branch(),
                                    state.tip, ledger));
  if (files.empty()) return absl::OkStatus();
  return WithHint(absl::FailedPreconditionError(
                      absl::StrCat(state.task.branch(),
                                   " is checked out with uncommitted "
                                   "changes that are in the way: ",
                                   absl::StrJoin(files, ", "))),
                  "commit or stash them, then run this again");
}

// With the declared horizon used up there is no level to decide at, so nothing
// is built. A decision that has begun keeps the level its journal says.
absl::Status CheckLevelLeft(const OpenAttempt& open, const TaskState& state) {
  const auto level = NextLevel(state.settings.policy, state.ledger);
  if (level.ok()) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      const std::string directory,
      TaskStateDirectory(open.session, open.repository, open.task));
  const auto journals = open.session.seams.files.ListDirectory(
      DecideDirectory(directory, open.attempt.number));
  const bool begun = journals.ok() && !journals->empty();
  return begun ? absl::OkStatus() : level.status();
}

// One try against the tip as it is now; nothing when it moved on meanwhile.
absl::StatusOr<std::optional<HistoryEntry>> DecideOnce(
    const OpenAttempt& open, const TaskState& state, const ScopeReport& scope) {
  RETURN_IF_ERROR(CheckNothingInTheWay(open, state));
  ASSIGN_OR_RETURN(const auto judgement,
                   Judge(open, state, scope, /*follow_tip=*/true));
  if (!judgement.has_value()) return std::nullopt;
  return Integrate(open.session, open.repository, open.task, judgement->record);
}

absl::StatusOr<HistoryEntry> DecideByMeasuring(const OpenAttempt& open,
                                               const TaskState& first_state) {
  ASSIGN_OR_RETURN(
      const ScopeReport scope,
      CheckScope(open.repository, first_state, open.attempt, open.base));
  if (!scope.violations.empty()) {
    return RecordUnmeasured(open, first_state, AttemptStatus::kViolation,
                            ViolationReason(scope.violations),
                            /*merge_trees=*/false);
  }
  RETURN_IF_ERROR(CheckTested(first_state.settings, {}));
  RETURN_IF_ERROR(CheckLevelLeft(open, first_state));
  for (int tries = 0; tries < kTipTries; ++tries) {
    ASSIGN_OR_RETURN(const TaskState state,
                     LoadTask(open.repository, open.task));
    ASSIGN_OR_RETURN(const auto entry, DecideOnce(open, state, scope));
    if (entry.has_value()) return *entry;
    Say(open.session,
        "the working branch moved meanwhile: starting over on its new tip");
  }
  return absl::UnavailableError(
      "the working branch's code keeps moving; try again when it rests");
}

absl::StatusOr<HistoryEntry> DecideOpen(
    OpenAttempt& open, const TaskState& state,
    const std::optional<std::string>& crash) {
  ASSIGN_OR_RETURN(const auto by_hand,
                   FindHandMerge(open.repository, state, open.attempt));
  if (by_hand.has_value()) {
    return RecordHandMerge(open, state, *by_hand, crash);
  }
  bool has_commit = true;
  RETURN_IF_ERROR(CompleteAttempt(state, open, has_commit));
  if (!has_commit) {
    return RecordUnmeasured(
        open, state,
        crash.has_value() ? AttemptStatus::kCrash : AttemptStatus::kDiscard,
        crash.value_or("no change: the attempt has no commit"),
        /*merge_trees=*/true);
  }
  return crash.has_value() ? RecordCrash(open, state, *crash)
                           : DecideByMeasuring(open, state);
}

// What a dry run says of an open attempt: its scope, nothing run or written.
absl::StatusOr<VerbResult> WouldDecide(const OpenAttempt& open,
                                       const TaskState& state) {
  ASSIGN_OR_RETURN(const bool empty,
                   HasNoCommit(open.repository, state, open.attempt));
  VerbResult result;
  result.fields.Flag("dry_run", true);
  if (empty) {
    result.lines = {"would record a discard: the attempt has no commit"};
    return result;
  }
  ASSIGN_OR_RETURN(const std::string base,
                   BaseOf(open.repository, state, open.attempt));
  ASSIGN_OR_RETURN(const ScopeReport scope,
                   CheckScope(open.repository, state, open.attempt, base));
  result.lines = {scope.violations.empty()
                      ? "would build, test, measure and record"
                      : "would record a violation: " +
                            ViolationReason(scope.violations)};
  result.fields.Texts("violations", scope.violations);
  return result;
}

// Base against tip is measured afresh every ten keeps. Its failure does not
// touch the decision.
void HarvestWhenDue(const TaskContext& context) {
  const auto state = LoadTask(context.repository, context.task);
  if (!state.ok()) return;
  const TaskProgress progress = ProgressOf(*state, {});
  if (progress.keeps_since_harvest < kKeepsBetweenHarvests) return;
  const auto harvested = Harvest(context, HarvestOptions{.branch = false});
  if (!harvested.ok()) {
    Say(context.session,
        absl::StrCat("warning: harvest: ", harvested.status().message()));
  }
}

absl::StatusOr<VerbResult> DecideLocked(const Session& session,
                                        const Repository& repository,
                                        const Task& task,
                                        const Attempt& attempt,
                                        const DecideOptions& options) {
  ASSIGN_OR_RETURN(const FileLock lock,
                   LockAttempt(repository, attempt.branch));
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto recorded,
                   RecordedEntry(repository, state, attempt.approach));
  if (recorded.has_value()) {
    return FinishRecorded(session, repository, task, attempt, *recorded);
  }
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  OpenAttempt open{session, repository, task, attempt, "", ""};
  if (session.dry_run) return WouldDecide(open, state);
  ASSIGN_OR_RETURN(const HistoryEntry entry,
                   DecideOpen(open, state, options.crash));
  FaultPoint("recorded");
  return FinishRecorded(session, repository, task, attempt, entry);
}

}  // namespace

absl::StatusOr<VerbResult> Decide(const TaskContext& context,
                                  const DecideOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const Attempt attempt,
                   FindAttempt(repository, task, options.approach));
  ASSIGN_OR_RETURN(VerbResult result,
                   DecideLocked(session, repository, task, attempt, options));
  if (!session.dry_run && result.exit_code == kExitKeep) {
    HarvestWhenDue(context);
  }
  return result;
}

}  // namespace autotune
