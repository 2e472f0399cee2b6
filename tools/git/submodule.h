#ifndef AUTOTUNE_TOOLS_GIT_SUBMODULE_H_
#define AUTOTUNE_TOOLS_GIT_SUBMODULE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

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

#endif  // AUTOTUNE_TOOLS_GIT_SUBMODULE_H_
