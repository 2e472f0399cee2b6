#include "tools/git/scratch_folder.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "tools/system/file_system.h"

namespace autotune {

absl::StatusOr<ScratchFolder> ScratchFolder::Make(FileSystem& files) {
  ASSIGN_OR_RETURN(std::string path, files.MakeTemporaryDirectory(
                                         TemporaryRoot(), "autotune-git-"));
  return ScratchFolder(files, std::move(path));
}

ScratchFolder::~ScratchFolder() {
  // What cannot be removed stays for the system's own cleaning of /tmp.
  if (!path_.empty()) files_->RemoveAll(path_).IgnoreError();
}

}  // namespace autotune
