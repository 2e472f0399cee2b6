#ifndef AUTOTUNE_TOOLS_GIT_SCRATCH_FOLDER_H_
#define AUTOTUNE_TOOLS_GIT_SCRATCH_FOLDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "tools/system/file_system.h"

namespace autotune {

// A private folder for temporary indexes, removed with everything in it when
// destroyed: nothing of ours is ever written beside the user's own index.
class ScratchFolder {
 public:
  static absl::StatusOr<ScratchFolder> Make(FileSystem& files);

  ScratchFolder(ScratchFolder&& other) noexcept
      : files_(other.files_), path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }
  FileSystem& files() { return *files_; }

 private:
  ScratchFolder(FileSystem& files, std::string path)
      : files_(&files), path_(std::move(path)) {}

  FileSystem* files_;
  std::string path_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_SCRATCH_FOLDER_H_
