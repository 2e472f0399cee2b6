#ifndef AUTOTUNE_TOOLS_GIT_INTEGRATION_H_
#define AUTOTUNE_TOOLS_GIT_INTEGRATION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// A file to write into a tree, or to take out of it.
struct TreeEdit {
  std::string path;
  std::optional<std::string> contents;  // absent: remove
  std::string mode = "100644";
};

// `base_tree` with the edits applied, made with a temporary index: the user's
// index and files are not looked at. Returns the new tree's SHA.
absl::StatusOr<std::string> WriteTree(const Repository& repository,
                                      const std::string& base_tree,
                                      const std::vector<TreeEdit>& edits);

// A commit by plumbing: no hooks, no signature, no ref moved.
absl::StatusOr<std::string> CommitTree(const Repository& repository,
                                       const std::string& tree,
                                       const std::vector<std::string>& parents,
                                       std::string_view message);

// Result of a merge made in the object store only.
struct TreeMerge {
  std::string tree;                    // empty on conflict
  std::vector<std::string> conflicts;  // paths
};

// `git merge-tree --write-tree ours theirs`, run where no .gitattributes of a
// checkout can steer it.
absl::StatusOr<TreeMerge> MergeTrees(const Repository& repository,
                                     const std::string& ours,
                                     const std::string& theirs);

// The base B that attempt tip I forked from on T's first-parent line: the only
// merge base of both, a proper ancestor of I. FailedPrecondition saying which
// rule fails and the way out. `foreign_refs`: refs none of whose commits may be
// reachable in B..I (other attempts, the starting branch, remotes).
absl::StatusOr<std::string> AttemptBase(
    const Repository& repository, const std::string& tip,
    const std::string& attempt_tip,
    const std::vector<std::string>& foreign_refs);

// Creates `ref` at `commit`; AlreadyExists when it is there (compare-and-swap).
absl::Status CreateRef(const Repository& repository, const std::string& ref,
                       const std::string& commit);

// Moves branch `refs/heads/BRANCH` from `from` to its descendant `to`, once and
// atomically. Where the branch is checked out, that worktree is moved along
// with a plain fast-forward that keeps the user's uncommitted files; Aborted
// when the branch is no longer at `from`; FailedPrecondition naming the files
// when uncommitted changes overlap. No hook runs.
absl::Status MoveBranch(const Repository& repository, const std::string& branch,
                        const std::string& from, const std::string& to);

// The files of the checked-out worktree of `branch` that stand in the way of
// moving it from `from` to `to`; empty when none or when it is not checked out.
absl::StatusOr<std::vector<std::string>> OverlappingFiles(
    const Repository& repository, const std::string& branch,
    const std::string& from, const std::string& to);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_INTEGRATION_H_
