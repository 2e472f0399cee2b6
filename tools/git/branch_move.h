#ifndef AUTOTUNE_TOOLS_GIT_BRANCH_MOVE_H_
#define AUTOTUNE_TOOLS_GIT_BRANCH_MOVE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// Moves branch `refs/heads/BRANCH` from `from` to its descendant `to`, once and
// atomically. Where the branch is checked out, that worktree is moved along
// with a plain fast-forward that keeps the user's uncommitted files; Aborted
// when the branch is no longer at `from`; FailedPrecondition naming the files
// when uncommitted changes overlap, or when the branch is checked out twice, or
// a merge, rebase or bisection holds it. OK, and nothing done, when the branch
// is already at `to`. No hook runs.
//
// May be called again after a kill at any point: files that an interrupted
// fast-forward left half written are put back first, for what they hold is in
// `to`.
absl::Status MoveBranch(const Repository& repository, const std::string& branch,
                        const std::string& from, const std::string& to);

// The files of the checked-out worktree of `branch` that stand in the way of
// moving it from `from` to `to`: changed or staged, or untracked or ignored
// where `to` adds a file. Sorted; empty when none or when it is not checked
// out. Files that already hold what `to` brings do not count.
absl::StatusOr<std::vector<std::string>> OverlappingFiles(
    const Repository& repository, const std::string& branch,
    const std::string& from, const std::string& to);

// The files of the loose objects that `to` reaches and `from` does not, sorted;
// objects in packs (which git syncs as it writes them) or in a borrowed store
// have none.
absl::StatusOr<std::vector<std::string>> LooseObjectFiles(
    const Repository& repository, const std::string& from,
    const std::string& to);

// Waits until those files and their folders are on disk. Before a ref moves to
// `to`: git as users run it does not wait for the objects of a commit, so a
// power cut could leave a ref that names commits which are not there.
absl::Status SyncObjects(const Repository& repository, const std::string& from,
                         const std::string& to);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_BRANCH_MOVE_H_
