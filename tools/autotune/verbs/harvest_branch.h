#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_BRANCH_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_BRANCH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"

namespace autotune {

// One keep that is still in the code.
struct HarvestedKeep {
  HistoryEntry entry;
  std::string hypothesis;
  std::optional<double> ratio;  // as claimed
  std::optional<double> ratio_low;
  std::optional<double> ratio_high;
  std::vector<std::string> files;  // that it changes
};

// A branch that somebody can review: one commit a keep, no merges, no reverts,
// no ledger.
struct HarvestBranch {
  std::string name;  // without refs/heads/
  std::string commit;
  std::string onto;                    // the commit it starts from
  bool made = false;                   // now; else it was there already
  std::vector<std::string> conflicts;  // why it could not be replayed on the
                                       // start branch: it starts from the base
  std::vector<HarvestedKeep> keeps;
};

// The keeps of a task, oldest first, without those that were taken out again.
absl::StatusOr<std::vector<HarvestedKeep>> HarvestedKeeps(
    const Repository& repository, const TaskState& state);

// Keeps that share no file, directly or by others between them, in groups.
std::vector<std::vector<HarvestedKeep>> FileDisjointGroups(
    const std::vector<HarvestedKeep>& keeps);

// Makes refs/heads/autotune-harvest/<task>-<n> of `keeps`: a chain of one
// commit each on the task's base, then replayed on the start branch as it is
// now. A conflict there leaves the chain on the base and names the files;
// nothing is half applied. A branch with the same code is found again instead
// of made.
//
// FailedPrecondition when a keep does not apply to the ones before it (one that
// it builds on was taken out), or, with `whole`, when the chain's code is not
// the tip's: the working branch then holds changes that no keep made.
absl::StatusOr<HarvestBranch> MakeHarvestBranch(
    const Repository& repository, const TaskState& state,
    const std::vector<HarvestedKeep>& keeps, bool whole);

// The text of a pull request, Markdown: what, how much, how it was measured,
// what was tried and not kept. `measured` is the summary of start against tip.
std::string PullRequestText(const TaskState& state,
                            const std::vector<HistoryEntry>& history,
                            const std::vector<HarvestedKeep>& keeps,
                            const std::string& measured);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_BRANCH_H_
