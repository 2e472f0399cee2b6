#include "tools/system/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/system/posix_error.h"
#include "tools/system/unique_fd.h"

namespace autotune {
namespace {

absl::Status FileError(const std::string& path, const std::string& what) {
  return PosixError(errno, absl::StrCat(path, ": ", what));
}

std::string ParentOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return absl::OkStatus();
}

// close(2) reports the last write errors on some network file systems.
absl::Status Close(UniqueFd fd, const std::string& path) {
  if (close(fd.Release()) != 0 && errno != EINTR) {
    return FileError(path, "cannot close");
  }
  return absl::OkStatus();
}

absl::Status SyncAndClose(UniqueFd fd, const std::string& path) {
  if (fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS) {
    return FileError(path, "cannot sync");
  }
  return Close(std::move(fd), path);
}

absl::Status SyncFolder(const std::string& path) {
  UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return FileError(path, "cannot open the folder");
  return SyncAndClose(std::move(folder), path);
}

absl::StatusOr<std::string> ReadAll(int fd, const std::string& path) {
  std::string contents;
  std::array<char, 65536> piece;
  while (true) {
    const ssize_t got = read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(path, "cannot read");
    if (got == 0) return contents;
    contents.append(piece.data(), static_cast<std::size_t>(got));
  }
}

// A new file beside `path` that replaces it when Commit() succeeds and vanishes
// otherwise.
class Replacement {
 public:
  explicit Replacement(std::string path)
      : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {}
  ~Replacement() {
    if (opened_ && !committed_) unlink(temporary_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  absl::Status Open(mode_t mode) {
    fd_ = UniqueFd(mkostemp(temporary_.data(), O_CLOEXEC));
    if (!fd_.valid()) return FileError(path_, "cannot create a file beside it");
    opened_ = true;
    if (fchmod(fd_.get(), mode) != 0) return FileError(path_, "cannot chmod");
    return absl::OkStatus();
  }
  int fd() const { return fd_.get(); }
  absl::Status CommitSynced() {
    if (fsync(fd_.get()) != 0) return FileError(path_, "cannot sync");
    RETURN_IF_ERROR(Commit());
    return SyncFolder(ParentOf(path_));
  }
  absl::Status Commit() {
    RETURN_IF_ERROR(Close(std::move(fd_), temporary_));
    if (rename(temporary_.c_str(), path_.c_str()) != 0) {
      return FileError(path_, "cannot replace");
    }
    committed_ = true;
    return absl::OkStatus();
  }

 private:
  std::string path_;
  std::string temporary_;
  UniqueFd fd_;
  bool opened_ = false;
  bool committed_ = false;
};

// The mode a new file gets: that of the file it replaces, else 0666 less umask.
mode_t ModeFor(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0) return info.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

FileInfo::Kind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileInfo::Kind::kFile;
  if (S_ISDIR(mode)) return FileInfo::Kind::kDirectory;
  if (S_ISLNK(mode)) return FileInfo::Kind::kSymlink;
  return FileInfo::Kind::kOther;
}

absl::Status RemoveTree(const std::string& path, FileSystem& files);

absl::Status RemoveFolder(const std::string& path, FileSystem& files) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names,
                   files.ListDirectory(path));
  for (const std::string& name : names) {
    RETURN_IF_ERROR(RemoveTree(JoinPath(path, name), files));
  }
  if (rmdir(path.c_str()) != 0 && errno != ENOENT) {
    return FileError(path, "cannot remove the folder");
  }
  return absl::OkStatus();
}

absl::Status RemoveTree(const std::string& path, FileSystem& files) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? absl::OkStatus() : FileError(path, "cannot look");
  }
  if (S_ISDIR(info.st_mode)) {
    // A folder made read-only (as module caches are) would keep its contents.
    if ((info.st_mode & 0700) != 0700) chmod(path.c_str(), 0700);
    return RemoveFolder(path, files);
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return FileError(path, "cannot remove");
  }
  return absl::OkStatus();
}

class PosixFileSystem : public FileSystem {
 public:
  absl::StatusOr<std::string> ReadFile(const std::string& path) override {
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) return FileError(path, "cannot open");
    return ReadAll(file.get(), path);
  }

  absl::Status WriteFile(const std::string& path,
                         std::string_view contents) override {
    Replacement replacement(path);
    RETURN_IF_ERROR(replacement.Open(ModeFor(path)));
    RETURN_IF_ERROR(WriteAll(replacement.fd(), contents, path));
    return replacement.CommitSynced();
  }

  absl::Status AppendFile(const std::string& path,
                          std::string_view contents) override {
    const bool is_new = access(path.c_str(), F_OK) != 0;
    UniqueFd file(
        open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
    if (!file.valid()) return FileError(path, "cannot open to append");
    RETURN_IF_ERROR(WriteAll(file.get(), contents, path));
    RETURN_IF_ERROR(SyncAndClose(std::move(file), path));
    return is_new ? SyncFolder(ParentOf(path)) : absl::OkStatus();
  }

  absl::Status CopyFile(const std::string& from,
                        const std::string& to) override {
    UniqueFd source(open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (!source.valid()) return FileError(from, "cannot open");
    struct stat info = {};
    if (fstat(source.get(), &info) != 0) return FileError(from, "cannot look");
    ASSIGN_OR_RETURN(const std::string contents, ReadAll(source.get(), from));
    Replacement replacement(to);
    RETURN_IF_ERROR(replacement.Open(info.st_mode & 07777));
    RETURN_IF_ERROR(WriteAll(replacement.fd(), contents, to));
    return replacement.Commit();
  }

  absl::Status MakeDirectories(const std::string& path) override {
    for (std::size_t end = path.find('/', 1); true;
         end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      if (mkdir(part.c_str(), 0777) != 0 && !IsFolder(part)) {
        return FileError(part, "cannot make the folder");
      }
      if (end == std::string::npos) return absl::OkStatus();
    }
  }

  absl::StatusOr<std::string> MakeTemporaryDirectory(
      const std::string& parent, const std::string& prefix) override {
    std::string path = JoinPath(parent, prefix + "XXXXXX");
    if (mkdtemp(path.data()) == nullptr) {
      return FileError(parent, "cannot make a temporary folder in it");
    }
    return path;
  }

  absl::Status RemoveAll(const std::string& path) override {
    return RemoveTree(path, *this);
  }

  absl::Status Rename(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) != 0) {
      return FileError(from, absl::StrCat("cannot rename to ", to));
    }
    return SyncFolder(ParentOf(to));
  }

  absl::StatusOr<std::vector<std::string>> ListDirectory(
      const std::string& path) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()),
                                                     closedir);
    if (folder == nullptr) return FileError(path, "cannot open the folder");
    std::vector<std::string> names;
    while (const dirent* entry = readdir(folder.get())) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  absl::StatusOr<FileInfo> Info(const std::string& path) override {
    struct stat info = {};
    if (lstat(path.c_str(), &info) != 0) return FileError(path, "cannot look");
    return FileInfo{.kind = KindOf(info.st_mode),
                    .size = static_cast<std::uint64_t>(info.st_size),
                    .executable = (info.st_mode & 0111) != 0};
  }

  absl::StatusOr<std::string> ReadLink(const std::string& path) override {
    std::array<char, PATH_MAX> target;
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    if (size < 0) return FileError(path, "cannot read the symlink");
    return std::string(target.data(), static_cast<std::size_t>(size));
  }

  absl::Status MakeLink(const std::string& target,
                        const std::string& path) override {
    if (symlink(target.c_str(), path.c_str()) == 0) return absl::OkStatus();
    return FileError(path, "cannot make the symlink");
  }

  absl::Status Sync(const std::string& path) override {
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.valid()) return SyncAndClose(std::move(file), path);
    return errno == ENOENT ? absl::OkStatus() : FileError(path, "cannot sync");
  }

  std::string RealPath(const std::string& path) override {
    std::error_code error;
    const auto real = std::filesystem::weakly_canonical(path, error);
    return error ? path : real.string();
  }

 private:
  // Keeps mkdir's errno when the folder is not there.
  static bool IsFolder(const std::string& path) {
    const int error = errno;
    struct stat info = {};
    const bool folder = stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
    errno = error;
    return folder;
  }
};

}  // namespace

std::unique_ptr<FileSystem> MakePosixFileSystem() {
  return std::make_unique<PosixFileSystem>();
}

std::string TemporaryRoot() {
  const char* root = std::getenv("TMPDIR");
  return root != nullptr && *root != '\0' ? root : "/tmp";
}

std::string JoinPath(std::string_view base, std::string_view relative) {
  if (base.empty() || (!relative.empty() && relative.front() == '/')) {
    return std::string(relative);
  }
  std::string joined(base);
  if (joined.back() != '/') joined += '/';
  return joined.append(relative);
}

}  // namespace autotune
