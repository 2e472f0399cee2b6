#include "tools/system/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/status_macros.h"

namespace autotune {
namespace {

// Names no program that runs in such a folder: its path tells it nothing.
constexpr std::string_view kPrefix = "run-";
constexpr std::size_t kRandomLetters = 6;
constexpr char kLock[] = ".lock";
// How the text of a held lock begins.
constexpr std::string_view kHolder = "pid ";
// Somebody who looks whether the folder is abandoned holds its lock that long
// at most.
constexpr absl::Duration kPatience = absl::Seconds(1);

bool IsOurFolder(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == geteuid();
}

// A folder whose lock names nobody yet is just being made, or not ours.
bool IsAbandoned(const std::string& path, FileSystem& files) {
  if (!IsOurFolder(path)) return false;
  const std::string lock = JoinPath(path, kLock);
  const absl::StatusOr<std::string> holder = files.ReadFile(lock);
  return holder.ok() && holder->starts_with(kHolder) &&
         AcquireFileLock(lock, absl::ZeroDuration()).ok();
}

}  // namespace

absl::StatusOr<PrivateFolder> PrivateFolder::Make(FileSystem& files) {
  static std::once_flag swept;
  std::call_once(swept, [&files] { RemoveAbandonedFolders(files); });
  ASSIGN_OR_RETURN(
      std::string path,
      files.MakeTemporaryDirectory(TemporaryRoot(), std::string(kPrefix)));
  PrivateFolder folder(files, std::move(path));
  // Without a lock the folder works as well; it only is nobody's to remove.
  auto lock = AcquireFileLock(JoinPath(folder.path_, kLock), kPatience);
  if (lock.ok()) folder.lock_ = *std::move(lock);
  return folder;
}

PrivateFolder::~PrivateFolder() {
  // What cannot be removed stays for the system's own cleaning of /tmp.
  if (!path_.empty()) files_->RemoveAll(path_).IgnoreError();
}

void RemoveAbandonedFolders(FileSystem& files) {
  const std::string root = TemporaryRoot();
  const absl::StatusOr<std::vector<std::string>> names =
      files.ListDirectory(root);
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    const std::string path = JoinPath(root, name);
    if (name.starts_with(kPrefix) &&
        name.size() == kPrefix.size() + kRandomLetters &&
        IsAbandoned(path, files)) {
      files.RemoveAll(path).IgnoreError();
    }
  }
}

}  // namespace autotune
