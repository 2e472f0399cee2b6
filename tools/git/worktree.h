#ifndef AUTOTUNE_TOOLS_GIT_WORKTREE_H_
#define AUTOTUNE_TOOLS_GIT_WORKTREE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

struct Worktree {
  std::string path;
  std::string branch;  // full ref; empty when detached
  std::string head;
  bool main = false;     // the repository's own: never ours to remove
  bool missing = false;  // its folder is gone
  bool locked = false;   // the user says it comes back (a removable disk)
};

// All worktrees that have files, the main one first; bare ones left out.
absl::StatusOr<std::vector<Worktree>> ListWorktrees(
    const Repository& repository);

// Adds a worktree at `path` on the existing branch `branch` (without
// "refs/heads/"), hooks off, submodules filled from what is already fetched.
absl::Status AddWorktree(const Repository& repository, const std::string& path,
                         const std::string& branch);

// Removes it with everything in it, filled submodules and hand-deleted folders
// included; OK when it is already gone. FailedPrecondition when a folder is
// there that is no linked worktree of this repository.
absl::Status RemoveWorktree(const Repository& repository,
                            const std::string& path);

// Writes every file of `treeish` into the new folder `directory` (plain files,
// modes and symlinks kept, no .git), as a checkout would: line ends and filters
// by the tree's own .gitattributes, submodules filled from what is already
// fetched. The user's index and files are not looked at. Every file is written
// afresh, so nothing ignored or stale can be in it.
absl::Status ExportTree(const Repository& repository,
                        const std::string& treeish,
                        const std::string& directory);

// What a build of the exported `directory` may lack, one line each: files that
// are Git LFS pointers only (no filter is set up), submodules that were never
// fetched.
absl::StatusOr<std::vector<std::string>> ExportWarnings(
    const Repository& repository, const std::string& treeish,
    const std::string& directory);

// A submodule of a tree and the fetched repository its files come from.
struct Submodule {
  std::string path;     // relative to the top of the outermost tree
  std::string commit;   // the recorded one
  std::string git_dir;  // empty when it was never fetched, or lacks the commit
};

// The submodules of `treeish`, nested ones after the one they are in. Only
// repositories that the user's own checkout has fetched are found: nothing is
// ever downloaded.
absl::StatusOr<std::vector<Submodule>> ListSubmodules(
    const Repository& repository, const std::string& treeish);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_WORKTREE_H_
