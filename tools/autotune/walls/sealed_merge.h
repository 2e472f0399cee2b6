#ifndef AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_MERGE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_MERGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/task.h"
#include "tools/git/repository.h"
#include "tools/git/scope.h"
#include "tools/git/tree_merge.h"

namespace autotune {

// A tree in which everything outside the scope is as the tip has it.
struct SealedTree {
  std::string tree;
  std::vector<std::string> taken_back;  // "PATH: why", in the order of paths
};

// `merged` with the tip's copy of every path laid over that `scope` forbids to
// change: contents, mode and kind; what the merge added there is removed, and
// so is an added file that stands where one of the tip's has to be. Sealed
// build files may differ in their source lists (see CheckScope). The second
// wall behind the check of an attempt's own commits: a merge can carry an edit
// along a rename into a sealed file that the attempt never named.
absl::StatusOr<SealedTree> LayTipOver(const Repository& repository,
                                      const Scope& scope,
                                      const std::string& tip_tree,
                                      const std::string& merged);

// The merge of the tip and the attempt as it is built, measured and recorded.
struct SealedMerge {
  TreeMerge merge;                      // `tree` has the tip laid over
  std::vector<std::string> taken_back;  // empty on conflict
};
absl::StatusOr<SealedMerge> MergeUnderSeal(const Repository& repository,
                                           const TaskState& state,
                                           const Attempt& attempt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_WALLS_SEALED_MERGE_H_
