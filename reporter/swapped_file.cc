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
  std::string resolved = RealPath(path);
  if (!resolved.empty()) return resolved;
  const std::size_t slash = path.rfind('/');
  const std::string name =
      slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string folder =
      RealPath(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  if (folder.empty() || name.empty()) return {};
  return folder == "/" ? folder + name : folder + "/" + name;
}

// Where the tail starts in a document with `rows` bytes of rows. Short ones
// have no gap; a longer one has room for as many rows again before the next
// power of two is passed.
off_t TailOffset(off_t rows) {
  constexpr off_t kLongest = off_t{1} << 18;
  if (rows <= kLongest) return rows;
  off_t offset = 2 * kLongest;
  while (offset <= rows) offset *= 2;
  return offset;
}

off_t Size(std::string_view text) { return static_cast<off_t>(text.size()); }

bool LockNow(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0; }

// Removes a spare that no living writer holds.
void RemoveAbandoned(const std::string& spare_path) {
  const OpenFile spare(spare_path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  if (spare.is_open() && LockNow(spare.fd()) && spare.IsAt(spare_path)) {
    unlink(spare_path.c_str());
  }
}

}  // namespace

SwappedFile::SwappedFile(std::string path, std::string folder, std::string name)
    : path_(std::move(path)),
      folder_(std::move(folder)),
      name_(std::move(name)),
      owner_(getpid()) {}

std::unique_ptr<ResultSink> SwappedFile::Open(const std::string& path) {
  const std::string absolute = AbsolutePath(path);
  const std::size_t slash = absolute.rfind('/');
  if (slash == std::string::npos) return nullptr;
  std::unique_ptr<SwappedFile> file(new SwappedFile(
      absolute, absolute.substr(0, slash + 1), absolute.substr(slash + 1)));
  if (!file->CreateSpare()) return nullptr;
  return file;
}

// A child forked from the process that writes leaves the spare to it.
SwappedFile::~SwappedFile() {
  if (getpid() == owner_) DropSpare();
}

bool SwappedFile::Publish(const Growth& growth) {
  if (!UpdateSpare(growth, false)) return Failed();
  return Exchange() || Replace() ? Succeeded() : Failed();
}

bool SwappedFile::Finish(const Growth& growth) {
  if (!UpdateSpare(growth, true)) return Failed();
  return Replace() ? Succeeded() : Failed();
}

// Makes the spare the document, whole on disk's side of the kernel.
bool SwappedFile::UpdateSpare(const Growth& growth, bool is_last) {
  pending_ += growth.rows;
  tail_ += growth.tail;
  if (!HaveSpare()) return false;
  const off_t rows = spare_.rows + Size(lag_) + Size(pending_);
  const off_t tail_at = is_last ? rows : TailOffset(rows);
  if (WriteSpare(growth.closing, tail_at)) return true;
  // Only the rows it had before are sure to be there.
  spare_.tail_at.reset();
  return false;
}

bool SwappedFile::WriteSpare(std::string_view closing, off_t tail_at) {
  const std::string rows = lag_ + pending_;
  std::string rest;
  off_t at = spare_.rows;
  if (spare_.tail_at == tail_at) {
    // The rows fit into the gap, and the tail stays where it is.
    if (!WriteAt(spare_.file.fd(), spare_.rows, rows)) return false;
    rest = tail_.substr(static_cast<std::size_t>(spare_.tail));
    at = tail_at + spare_.tail;
  } else {
    rest = rows;
    rest.resize(static_cast<std::size_t>(tail_at - spare_.rows), ' ');
    rest += tail_;
  }
  rest += closing;
  if (!WriteAt(spare_.file.fd(), at, rest) ||
      ftruncate(spare_.file.fd(), at + Size(rest)) != 0) {
    return false;
  }
  spare_.tail_at = tail_at;
  spare_.tail = Size(tail_);
  return true;
}

// Somebody may have removed or replaced the spare meanwhile, or closed it.
bool SwappedFile::HaveSpare() {
  if (spare_.file.is_open() && spare_.file.IsAt(spare_path_)) return true;
  DropSpare();
  if (!CreateSpare()) return false;
  if (published_.rows > 0 && !CopyRows()) {
    const int reason = errno;
    DropSpare();
    errno = reason;
    return false;
  }
  spare_.rows = published_.rows;
  lag_.clear();
  return true;
}

// The document's rows into a new spare.
bool SwappedFile::CopyRows() {
  OpenFile& document = published_.file;
  if (!document.is_open() && document.IsAt(path_)) {
    document = OpenFile(path_, O_RDWR);
  }
  if (!document.is_open()) {
    errno = EBADF;
    return false;
  }
  return CopyStart(document.fd(), spare_.file.fd(), published_.rows);
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
  spare_.file = OpenFile(spare_path, O_RDWR | O_CREAT | O_EXCL);
  if (spare_.file.fd() < 0) return false;
  // A file system without locks only loses the protection of two writers.
  LockNow(spare_.file.fd());
  spare_path_ = spare_path;
  return true;
}

// The document keeps the permissions it had.
void SwappedFile::CopyMode() const {
  struct stat status;
  if (stat(path_.c_str(), &status) == 0) {
    fchmod(spare_.file.fd(), status.st_mode & 07777);
  }
}

void SwappedFile::DropSpare() {
  if (spare_.file.IsAt(spare_path_)) unlink(spare_path_.c_str());
  spare_ = Copy();
}

// The spare has the document's name now.
void SwappedFile::BecomePublished() {
  spare_.rows += Size(lag_) + Size(pending_);
  std::swap(published_, spare_);
  lag_ = std::move(pending_);
  pending_.clear();
}

bool SwappedFile::Exchange() {
#if defined(RENAME_EXCHANGE)
  // Only with our own document: a file somebody else put there is no spare.
  if (!published_.file.IsAt(path_)) return false;
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
  spare_ = Copy();
  return true;
}

}  // namespace autotune::internal
