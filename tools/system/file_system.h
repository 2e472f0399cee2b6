#ifndef AUTOTUNE_TOOLS_SYSTEM_FILE_SYSTEM_H_
#define AUTOTUNE_TOOLS_SYSTEM_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace autotune {

// What a path names, without following a last symlink.
struct FileInfo {
  enum class Kind { kFile, kDirectory, kSymlink, kOther };
  Kind kind = Kind::kFile;
  std::uint64_t size = 0;
  bool executable = false;
};

// Seam for files. Every error names the path and the system's reason; NotFound
// when the path does not exist, ResourceExhausted on a full disk.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual absl::StatusOr<std::string> ReadFile(const std::string& path) = 0;
  // Replaces `path` whole or not at all: temporary file beside it, fsync,
  // rename, fsync of the folder.
  virtual absl::Status WriteFile(const std::string& path,
                                 std::string_view contents) = 0;
  // Appends and fsyncs; creates the file. For journals.
  virtual absl::Status AppendFile(const std::string& path,
                                  std::string_view contents) = 0;
  // A byte copy with the same mode; replaces `to` whole or not at all, but does
  // not wait for the disk.
  virtual absl::Status CopyFile(const std::string& from,
                                const std::string& to) = 0;
  virtual absl::Status MakeDirectories(const std::string& path) = 0;
  // A new private (0700) folder `parent`/`prefix`XXXXXX.
  virtual absl::StatusOr<std::string> MakeTemporaryDirectory(
      const std::string& parent, const std::string& prefix) = 0;
  // Removes a file or a whole folder without following symlinks; OK when
  // nothing is there.
  virtual absl::Status RemoveAll(const std::string& path) = 0;
  virtual absl::Status Rename(const std::string& from,
                              const std::string& to) = 0;
  // Names in a folder, sorted, without "." and "..".
  virtual absl::StatusOr<std::vector<std::string>> ListDirectory(
      const std::string& path) = 0;
  // NotFound when nothing is there.
  virtual absl::StatusOr<FileInfo> Info(const std::string& path) = 0;
  // What a symlink holds, and a new one at `path` that holds `target`.
  virtual absl::StatusOr<std::string> ReadLink(const std::string& path) = 0;
  virtual absl::Status MakeLink(const std::string& target,
                                const std::string& path) = 0;
  // Waits until a file or folder is on disk; OK when nothing is there.
  virtual absl::Status Sync(const std::string& path) = 0;
  // The same place without symlinks, "." and "..", whose last parts need not
  // exist; `path` itself where that cannot be told.
  virtual std::string RealPath(const std::string& path) = 0;

  bool Exists(const std::string& path) { return Info(path).ok(); }
};

// POSIX files.
std::unique_ptr<FileSystem> MakePosixFileSystem();

// The folder for temporary files: $TMPDIR or /tmp.
std::string TemporaryRoot();

// `base` and `relative` joined by one '/'; `relative` itself when absolute.
std::string JoinPath(std::string_view base, std::string_view relative);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_FILE_SYSTEM_H_
