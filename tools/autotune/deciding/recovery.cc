#include "tools/autotune/deciding/recovery.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/judgement.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/prompt.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/git/tree_merge.h"

namespace autotune {
namespace {

absl::Status CheckOrdinaryMerge(const Repository& repository,
                                const HistoryEntry& by_hand) {
  ASSIGN_OR_RETURN(
      const TreeMerge merge,
      MergeTrees(repository, by_hand.mainline, by_hand.attempt_commit));
  if (merge.clean()) {
    ASSIGN_OR_RETURN(const std::string ours, CodeTree(repository, merge.tree));
    ASSIGN_OR_RETURN(const std::string theirs,
                     CodeTree(repository, by_hand.merge));
    if (ours == theirs) return absl::OkStatus();
  }
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat(
          by_hand.approach, ": merged by hand in ", by_hand.merge.substr(0, 12),
          " with changes that neither parent has: it cannot be judged")),
      {Command{"git", {"revert", "-m", "1", by_hand.merge.substr(0, 12)}, {}},
       " on the working branch, then ", Autotune({"resume"})});
}

// The judgement of the merge as it stands in history.
absl::StatusOr<AttemptRecord> JudgeHandMerge(
    const OpenAttempt& open, const TaskState& state,
    const HistoryEntry& by_hand, const std::optional<std::string>& crash) {
  const auto unmeasured = [&](AttemptStatus decision,
                              const std::string& reason) {
    return UnmeasuredRecord(state, open.attempt, open.base, open.hypothesis,
                            decision, reason);
  };
  if (crash.has_value()) return unmeasured(AttemptStatus::kCrash, *crash);
  if (!by_hand.revert.empty()) {
    return unmeasured(AttemptStatus::kDiscard, "merged and reverted by hand");
  }
  ASSIGN_OR_RETURN(const ScopeReport scope,
                   CheckScope(open.repository, state, open.attempt, open.base));
  if (!scope.violations.empty()) {
    return unmeasured(AttemptStatus::kViolation,
                      ViolationReason(scope.violations));
  }
  RETURN_IF_ERROR(CheckOrdinaryMerge(open.repository, by_hand));
  TaskState then = state;
  then.tip = by_hand.mainline;
  ASSIGN_OR_RETURN(auto judgement,
                   Judge(open, then, scope, /*follow_tip=*/false));
  return std::move(judgement->record);
}

}  // namespace

absl::StatusOr<std::optional<HistoryEntry>> FindHandMerge(
    const Repository& repository, const TaskState& state,
    const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::vector<HistoryEntry> history,
                   ReadHistory(repository, state.settings.base, state.tip));
  auto entry = FindEntry(history, attempt.approach);
  if (entry.has_value() && entry->ledger.empty()) return entry;
  return std::nullopt;
}

absl::StatusOr<HistoryEntry> RecordHandMerge(
    OpenAttempt& open, const TaskState& state, const HistoryEntry& by_hand,
    const std::optional<std::string>& crash) {
  open.attempt.head = by_hand.attempt_commit;
  ASSIGN_OR_RETURN(const std::string base,
                   open.repository.Git({"merge-base", by_hand.mainline,
                                        by_hand.attempt_commit}));
  open.base = base.substr(0, base.find('\n'));
  ASSIGN_OR_RETURN(const std::string prompt,
                   ReadTaskFile(open.repository, open.task, state.tip,
                                open.attempt.approach + "/prompts.md"));
  open.hypothesis = HypothesisOf(prompt);
  ASSIGN_OR_RETURN(AttemptRecord record,
                   JudgeHandMerge(open, state, by_hand, crash));
  record.merged_by_hand = by_hand.merge;
  record.reverted_by_hand = by_hand.revert;
  return IntegrateAnyway(open, record);
}

}  // namespace autotune
