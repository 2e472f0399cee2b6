#ifndef AUTOTUNE_TOOLS_AUTOTUNE_PREFLIGHT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_PREFLIGHT_H_

#include <string>

#include "absl/status/status.h"
#include "tools/autotune/session.h"
#include "tools/git/repository.h"

namespace autotune {

// What every verb that writes history checks before it writes anything: git
// knows who commits, and no merge, rebase, cherry-pick, revert, am or bisect is
// in progress where the user stands, in any worktree that has `branch` checked
// out, or on `branch` itself; `branch` is checked out at most once.
// FailedPrecondition saying which and the way out.
absl::Status CheckReadyToWrite(const Repository& repository,
                               const std::string& branch);

// FailedPrecondition listing files when the worktree at `path` has changes to
// tracked files or untracked files that are not ignored.
absl::Status CheckWorktreeClean(const Session& session,
                                const std::string& path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_PREFLIGHT_H_
