#ifndef AUTOTUNE_TOOLS_GIT_OBJECT_SYNC_H_
#define AUTOTUNE_TOOLS_GIT_OBJECT_SYNC_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// The files of the loose objects that `to` reaches and `from` does not, sorted;
// objects in packs (which git syncs as it writes them) or in a borrowed store
// have none.
absl::StatusOr<std::vector<std::string>> LooseObjectFiles(
    const Repository& repository, const std::string& from,
    const std::string& to);

// Waits until those files and their folders are on disk. Before a ref moves to
// `to`: git as users run it does not wait for the objects of a commit, so a
// power cut could leave a ref that names commits which are not there.
absl::Status SyncObjects(const Repository& repository, const std::string& from,
                         const std::string& to);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_OBJECT_SYNC_H_
