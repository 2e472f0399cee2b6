#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_

#include <string>

#include "absl/status/status.h"
#include "tools/autotune/task/session.h"
#include "tools/git/repository.h"

namespace autotune {

// What every verb that writes history checks before it writes anything: git
// knows who commits, and no merge, rebase, cherry-pick, revert, am or bisect is
// in progress where the user stands, in any worktree that has `branch` checked
// out, or on `branch` itself; `branch` is checked out at most once.
// FailedPrecondition saying which and the way out.
absl::Status CheckReadyToWrite(const Repository& repository,
                               const std::string& branch);

// What is checked before an attempt's branch is judged or moved: no rebase of
// it is in progress, nor anything else in its worktree, which has neither
// changes to tracked files nor untracked files that are not ignored.
// FailedPrecondition saying which, and which files.
absl::Status CheckAttemptAtRest(const Session& session,
                                const Repository& repository,
                                const std::string& branch);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PREFLIGHT_H_
