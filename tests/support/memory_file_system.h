#ifndef AUTOTUNE_TESTS_SUPPORT_MEMORY_FILE_SYSTEM_H_
#define AUTOTUNE_TESTS_SUPPORT_MEMORY_FILE_SYSTEM_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/system/file_system.h"

namespace autotune {

// Files in memory under the very paths that commands are given, so that whole
// messages can be asserted. Folders, modes and links are not modelled.
class MemoryFileSystem : public FileSystem {
 public:
  void Add(const std::string& path, std::string contents) {
    files_[path] = std::move(contents);
  }

  absl::StatusOr<std::string> ReadFile(const std::string& path) override {
    const auto file = files_.find(path);
    if (file != files_.end()) return file->second;
    return absl::NotFoundError(path +
                               ": cannot open: No such file or "
                               "directory");
  }
  absl::Status WriteFile(const std::string& path,
                         std::string_view contents) override {
    files_[path] = std::string(contents);
    return absl::OkStatus();
  }
  absl::Status AppendFile(const std::string& path,
                          std::string_view contents) override {
    files_[path] += contents;
    return absl::OkStatus();
  }
  absl::StatusOr<FileInfo> Info(const std::string& path) override {
    const auto file = files_.find(path);
    if (file == files_.end()) return absl::NotFoundError(path);
    FileInfo info;
    info.size = file->second.size();
    return info;
  }

  absl::Status CopyFile(const std::string&, const std::string&) override {
    return NotModelled();
  }
  absl::Status MakeDirectories(const std::string&) override {
    return NotModelled();
  }
  absl::StatusOr<std::string> MakeTemporaryDirectory(
      const std::string&, const std::string&) override {
    return NotModelled();
  }
  absl::Status RemoveAll(const std::string&) override { return NotModelled(); }
  absl::Status Rename(const std::string&, const std::string&) override {
    return NotModelled();
  }
  absl::StatusOr<std::vector<std::string>> ListDirectory(
      const std::string&) override {
    return NotModelled();
  }
  absl::StatusOr<std::string> ReadLink(const std::string&) override {
    return NotModelled();
  }
  absl::Status MakeLink(const std::string&, const std::string&) override {
    return NotModelled();
  }
  absl::Status Sync(const std::string&) override { return NotModelled(); }
  std::string RealPath(const std::string& path) override { return path; }

 private:
  static absl::Status NotModelled() {
    return absl::UnimplementedError("not modelled");
  }

  std::map<std::string, std::string> files_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_MEMORY_FILE_SYSTEM_H_
