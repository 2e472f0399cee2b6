#ifndef AUTOTUNE_TOOLS_GIT_INTEGRATION_H_
#define AUTOTUNE_TOOLS_GIT_INTEGRATION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/branch_move.h"  // IWYU pragma: export
#include "tools/git/repository.h"
#include "tools/git/tree_merge.h"  // IWYU pragma: export

namespace autotune {

// A file to write into a tree, or to take out of it.
struct TreeEdit {
  std::string path;
  std::optional<std::string> contents;  // absent: remove
  std::string mode = "100644";
};

// `base_tree` with the edits applied, made with a temporary index: the user's
// index and files are not looked at. Returns the new tree's SHA. Contents are
// stored as they are, without filters. FailedPrecondition when a path is none
// that git allows, or a file stands where a folder is needed.
absl::StatusOr<std::string> WriteTree(const Repository& repository,
                                      const std::string& base_tree,
                                      const std::vector<TreeEdit>& edits);

// A change of a tree by objects that exist: `object` at `path` in `mode`, or
// nothing there ("000000"), as DiffTrees lists them.
struct TreeEntryEdit {
  std::string path;
  std::string mode;
  std::string object;
};
absl::StatusOr<std::string> WriteTreeEntries(
    const Repository& repository, const std::string& base_tree,
    const std::vector<TreeEntryEdit>& edits);

// A commit by plumbing: no hooks, no signature, no ref moved. The identity is
// the user's; `author` (of a commit picked anew) replaces the author's part.
absl::StatusOr<std::string> CommitTree(
    const Repository& repository, const std::string& tree,
    const std::vector<std::string>& parents, std::string_view message,
    const std::optional<CommitInfo>& author = std::nullopt);

// The base B that attempt tip I forked from on T's first-parent line: the only
// merge base of both, a proper ancestor of I. FailedPrecondition saying which
// rule fails and the way out. `foreign_refs`: refs (or commits) none of whose
// commits may be reachable in B..I (other attempts, the starting branch,
// remotes); those that do not exist are ignored.
//
// Reason: `revert -m 1` of a merge from a wrong base would remove mainline
// commits for ever, and an attempt that merged another, reverted one would
// silently drop code.
absl::StatusOr<std::string> AttemptBase(
    const Repository& repository, const std::string& tip,
    const std::string& attempt_tip,
    const std::vector<std::string>& foreign_refs);

// Creates `ref` at `commit`; AlreadyExists when it is there (compare-and-swap);
// FailedPrecondition when another ref's name forbids it. No hook runs.
absl::Status CreateRef(const Repository& repository, const std::string& ref,
                       const std::string& commit);

// Deletes `ref` if it is still at `expected`: Aborted when it is elsewhere, OK
// when it is gone.
absl::Status DeleteRef(const Repository& repository, const std::string& ref,
                       const std::string& expected);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_INTEGRATION_H_
