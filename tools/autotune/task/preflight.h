#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// What every verb that writes history checks before it writes anything: git
// knows who commits, and no merge, rebase, cherry-pick, revert, am or bisect is
// in progress where the user stands, in any worktree that has `branch` checked
// out, or on `branch` itself; `branch` is checked out at most once.
// FailedPrecondition saying which and the way out.
absl::Status CheckReadyToWrite(const Repository& repository,
                               const std::string& branch);

// The names of some files, the first eight of them.
std::string FileList(std::vector<std::string> files);

// What is checked before an attempt's branch is judged or moved: no rebase of
// it is in progress, nor anything else in its worktree. FailedPrecondition
// saying which.
absl::Status CheckAttemptAtRest(const Repository& repository,
                                const std::string& branch);

// The paths in the worktree at `path` with changes that are not committed,
// untracked ones that are not ignored among them.
absl::StatusOr<std::vector<std::string>> UncommittedFiles(
    const Repository& repository, const std::string& path);

// The same of the worktree that has `branch` checked out: FailedPrecondition
// naming them when there are any.
absl::Status CheckAttemptClean(const Repository& repository,
                               const std::string& branch);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_
