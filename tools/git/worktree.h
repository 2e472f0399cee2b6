#ifndef AUTOTUNE_TOOLS_GIT_WORKTREE_H_
#define AUTOTUNE_TOOLS_GIT_WORKTREE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"
#include "tools/system/file_system.h"

namespace autotune {

struct Worktree {
  std::string path;
  std::string branch;  // full ref; empty when detached
  std::string head;
};

absl::StatusOr<std::vector<Worktree>> ListWorktrees(
    const Repository& repository);

// Adds a worktree at `path` on the existing branch `branch`, hooks off,
// submodules filled from what is already fetched.
absl::Status AddWorktree(const Repository& repository, const std::string& path,
                         const std::string& branch);

// Removes it, filled submodules and hand-deleted folders included; OK when it
// is already gone.
absl::Status RemoveWorktree(const Repository& repository,
                            const std::string& path);

// Writes every file of `treeish` into the new folder `directory` (plain files,
// modes and symlinks kept, no .git), without touching the user's index.
absl::Status ExportTree(const Repository& repository,
                        const std::string& treeish,
                        const std::string& directory, FileSystem& files);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_WORKTREE_H_
