#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_HISTORY_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_HISTORY_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/git/integration.h"
#include "tools/git/repository.h"
#include "tools/ledger/metric_file.h"

namespace autotune {

// One decided attempt, ready to enter history.
struct AttemptRecord {
  Attempt attempt;                                 // head is I
  std::string base;                                // B
  AttemptStatus decision = AttemptStatus::kCrash;  // never kReverted
  std::string reason;                              // one clause
  MetricRow row;
  std::string log_entry;
  std::vector<TreeEdit> evidence;  // files of the attempt's own folder
  // False: M takes T's tree, because I conflicts with T or must not be brought
  // in even for one commit.
  bool merge_trees = true;
  // The tip's code that the decision was measured against; empty when the
  // decision does not depend on it.
  std::string judged_code_tree;
  // M that a person made by hand, already on the working branch; empty: ours is
  // still to be made. And its revert, when they made that too.
  std::string merged_by_hand;
  std::string reverted_by_hand;
};

// The commits of one attempt on top of `state.tip`, in the object store only:
//   M  merge of T and I with the tip's copy of what is sealed, always (unless
//      made by hand);
//   R  back to T's tree, unless the decision is keep (or made by hand);
//   L  metric.toml, log.md, the evidence and the attempt's own notes.
// Returns L. ConflictError when T and I conflict and `record.merge_trees`.
absl::StatusOr<std::string> BuildHistory(const Session& session,
                                         const Repository& repository,
                                         const TaskState& state,
                                         const AttemptRecord& record);

// FailedPrecondition naming the files in which an attempt and the tip conflict,
// with the ways out.
absl::Status ConflictError(const Attempt& attempt,
                           const std::vector<std::string>& files);

// Records the attempt: under the integration lock reads the tip anew, builds
// the commits on it and moves the working branch once. An attempt that is
// already recorded is left as it is. Returns its history entry; nothing when
// the tip's code is no longer `record.judged_code_tree`.
absl::StatusOr<std::optional<HistoryEntry>> Integrate(
    const Session& session, const Repository& repository, const Task& task,
    const AttemptRecord& record);

// What a verb wants to change in the task's folder.
struct LedgerCommit {
  std::string message;
  std::vector<TreeEdit> edits;  // none: nothing to commit
};

// log.md with one entry more under `heading` (a date, "Architecture Notes");
// begun anew when it is gone.
TreeEdit LogEdit(const TaskState& state, std::string_view heading,
                 std::string_view entry);

// Commits to the working branch what `make_commit` wants, given the task as it
// is at the tip, under the integration lock and by one move. Returns the tip
// afterwards.
absl::StatusOr<std::string> CommitToTask(
    const Session& session, const Repository& repository, const Task& task,
    const std::function<absl::StatusOr<LedgerCommit>(const TaskState&)>&
        make_commit);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_HISTORY_H_
