#ifndef AUTOTUNE_TOOLS_GIT_TREE_MERGE_H_
#define AUTOTUNE_TOOLS_GIT_TREE_MERGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// Result of a merge made in the object store only.
struct TreeMerge {
  std::string tree;                    // empty on conflict
  std::vector<std::string> conflicts;  // paths, sorted
  // On conflict: the tree with conflict markers in those files, to start from
  // by hand. Else the same as `tree`.
  std::string tree_with_markers;

  bool clean() const { return conflicts.empty(); }
};

// `git merge-tree --write-tree ours theirs` for two commits: a plain three-way
// text merge with rename detection. It runs in an empty folder on a git folder
// of its own that borrows the repository's objects, so no .gitattributes,
// info/attributes, merge driver or user setting can steer it: every clone gets
// the same tree. FailedPrecondition when the commits share no history.
absl::StatusOr<TreeMerge> MergeTrees(const Repository& repository,
                                     const std::string& ours,
                                     const std::string& theirs);

// The same merge of three trees whose common base is given: what changed from
// `base` to `theirs`, applied to `ours`. With base = a commit and theirs = its
// parent this reverts the commit; the other way round it picks it.
absl::StatusOr<TreeMerge> MergeTreesOver(const Repository& repository,
                                         const std::string& base,
                                         const std::string& ours,
                                         const std::string& theirs);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_TREE_MERGE_H_
