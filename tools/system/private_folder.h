#ifndef AUTOTUNE_TOOLS_SYSTEM_PRIVATE_FOLDER_H_
#define AUTOTUNE_TOOLS_SYSTEM_PRIVATE_FOLDER_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "tools/system/file_lock.h"
#include "tools/system/file_system.h"

namespace autotune {

// A folder below TemporaryRoot() for what this process needs for a while,
// removed with everything in it when destroyed. That of a process that was
// killed is removed by the next one that makes a folder: a lock in it tells
// whether its owner lives.
class PrivateFolder {
 public:
  static absl::StatusOr<PrivateFolder> Make(FileSystem& files);

  PrivateFolder(PrivateFolder&& other) noexcept
      : files_(other.files_),
        path_(std::exchange(other.path_, {})),
        lock_(std::move(other.lock_)) {}
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  const std::string& path() const { return path_; }
  FileSystem& files() const { return *files_; }

 private:
  PrivateFolder(FileSystem& files, std::string path)
      : files_(&files), path_(std::move(path)) {}

  FileSystem* files_;
  std::string path_;
  std::optional<FileLock> lock_;
};

// Removes the folders of ours whose owners died without doing so: those of this
// user that hold the lock of nobody. What cannot be removed stays.
void RemoveAbandonedFolders(FileSystem& files);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_PRIVATE_FOLDER_H_
