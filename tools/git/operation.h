#ifndef AUTOTUNE_TOOLS_GIT_OPERATION_H_
#define AUTOTUNE_TOOLS_GIT_OPERATION_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// What is half done in the worktree at `directory` (empty: the user's own):
// "merge", "rebase", "cherry-pick", "revert", "am" or "bisect"; nothing when
// nothing is.
absl::StatusOr<std::optional<std::string>> OperationInProgress(
    const Repository& repository, const std::string& directory = {});

// FailedPrecondition, naming the commands that finish or abandon it, when
// something is half done there.
absl::Status CheckNoOperation(const Repository& repository,
                              const std::string& directory = {});

// The rebase or bisection of any worktree that will come back to
// `refs/heads/BRANCH` when it ends ("rebase", "bisect"): the branch looks free
// but must not be moved. Nothing when none.
absl::StatusOr<std::optional<std::string>> OperationHolding(
    const Repository& repository, const std::string& branch);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_OPERATION_H_
