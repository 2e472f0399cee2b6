#include "reporter/swapped_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "reporter/file_io.h"

namespace autotune::internal {
namespace {

// realpath(3) as a string; empty when it fails.
std::string RealPath(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return {};
  std::string text = resolved;
  free(resolved);
  return text;
}

// The absolute path of `path`, which need not exist but whose folder must:
// the benchmarks may change the working directory. Empty when it has none.
std::string AbsolutePath(const std::string& path) {
  const std::string resolved = RealPath(path);
  if (!resolved.empty()) return resolved;
  const std::size_t slash = path.rfind('/');
  const std::string name =
      slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string folder =
      RealPath(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  if (folder.empty() || name.empty()) return {};
  return folder == "/" ? folder + name : folder + "/" + name;
}

// Whether `path` names the very file `fd` has open.
bool Names(const std::string& path, int fd) {
  struct stat named;
  struct stat opened;
  return fd >= 0 && lstat(path.c_str(), &named) == 0 &&
         fstat(fd, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

bool LockNow(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0; }

// Removes a spare that no living writer holds.
void RemoveAbandoned(const std::string& spare_path) {
  const int fd =
      open(spare_path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (LockNow(fd) && Names(spare_path, fd)) unlink(spare_path.c_str());
  close(fd);
}

}  // namespace

SwappedFile::SwappedFile(std::string path, std::string folder, std::string name)
    : path_(std::move(path)),
      folder_(std::move(folder)),
      name_(std::move(name)) {}

std::unique_ptr<ResultSink> SwappedFile::Open(const std::string& path) {
  const std::string absolute = AbsolutePath(path);
  const std::size_t slash = absolute.rfind('/');
  if (slash == std::string::npos) return nullptr;
  std::unique_ptr<SwappedFile> file(new SwappedFile(
      absolute, absolute.substr(0, slash + 1), absolute.substr(slash + 1)));
  if (!file->CreateSpare()) return nullptr;
  return file;
}

SwappedFile::~SwappedFile() {
  DropSpare();
  if (published_ >= 0) close(published_);
}

bool SwappedFile::Publish(std::string_view text, std::string_view closing) {
  if (!UpdateSpare(text, closing)) return Failed();
  return Exchange() || Replace() ? Succeeded() : Failed();
}

bool SwappedFile::Finish(std::string_view text, std::string_view closing) {
  if (!UpdateSpare(text, closing)) return Failed();
  return Replace() ? Succeeded() : Failed();
}

// Makes the spare kept + text + closing, whole on disk's side of the kernel.
bool SwappedFile::UpdateSpare(std::string_view text, std::string_view closing) {
  pending_ += text;
  if (!HaveSpare()) return false;
  std::string written = lag_ + pending_;
  written += closing;
  return WriteAt(spare_, spare_kept_, written) &&
         ftruncate(spare_, spare_kept_ + static_cast<off_t>(written.size())) ==
             0;
}

// Somebody may have removed or replaced the spare meanwhile.
bool SwappedFile::HaveSpare() {
  if (Names(spare_path_, spare_)) return true;
  DropSpare();
  if (!CreateSpare()) return false;
  if (published_ >= 0 && !CopyStart(published_, spare_, kept_)) {
    const int reason = errno;
    DropSpare();
    errno = reason;
    return false;
  }
  spare_kept_ = kept_;
  lag_.clear();
  return true;
}

bool SwappedFile::CreateSpare() {
  const std::string usual = folder_ + "." + name_ + ".autotune-spare";
  RemoveAbandoned(usual);
  if (!CreateSpareNamed(usual) &&
      (errno != EEXIST ||
       !CreateSpareNamed(usual + "-" + std::to_string(getpid())))) {
    return false;
  }
  CopyMode();
  return true;
}

bool SwappedFile::CreateSpareNamed(const std::string& spare_path) {
  spare_ =
      open(spare_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (spare_ < 0) return false;
  // A file system without locks only loses the protection of two writers.
  LockNow(spare_);
  spare_path_ = spare_path;
  return true;
}

// The document keeps the permissions it had.
void SwappedFile::CopyMode() const {
  struct stat status;
  if (stat(path_.c_str(), &status) == 0) {
    fchmod(spare_, status.st_mode & 07777);
  }
}

void SwappedFile::DropSpare() {
  if (spare_ < 0) return;
  if (Names(spare_path_, spare_)) unlink(spare_path_.c_str());
  close(spare_);
  spare_ = -1;
  spare_kept_ = 0;
}

// The spare has the document's name now.
void SwappedFile::BecomePublished() {
  std::swap(published_, spare_);
  spare_kept_ = kept_;
  kept_ += static_cast<off_t>(pending_.size());
  lag_ = std::move(pending_);
  pending_.clear();
}

bool SwappedFile::Exchange() {
#if defined(RENAME_EXCHANGE)
  // Only with our own document: a file somebody else put there is no spare.
  if (!Names(path_, published_)) return false;
  if (renameat2(AT_FDCWD, spare_path_.c_str(), AT_FDCWD, path_.c_str(),
                RENAME_EXCHANGE) != 0) {
    return false;
  }
  BecomePublished();
  return true;
#else
  return false;
#endif
}

bool SwappedFile::Replace() {
  if (std::rename(spare_path_.c_str(), path_.c_str()) != 0) return false;
  BecomePublished();
  // The former document has no name any more.
  if (spare_ >= 0) close(spare_);
  spare_ = -1;
  return true;
}

}  // namespace autotune::internal
