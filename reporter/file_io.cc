#include "reporter/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace autotune::internal {
namespace {

// Calls `write_rest(done)` until all `size` bytes are taken or it fails.
template <typename WriteRest>
bool WriteLoop(std::size_t size, std::size_t* done, WriteRest write_rest) {
  for (*done = 0; *done < size;) {
    const ssize_t written = write_rest(*done);
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    *done += static_cast<std::size_t>(written);
  }
  return true;
}

// As read(2), again when interrupted.
ssize_t ReadSome(int fd, char* buffer, std::size_t size) {
  ssize_t got = 0;
  do {
    got = read(fd, buffer, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

// `fd`, or a copy of it above the standard streams.
int AboveStandardStreams(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  close(fd);
  errno = reason;
  return higher;
}

}  // namespace

OpenFile::OpenFile(const std::string& path, int flags)
    : fd_(AboveStandardStreams(open(path.c_str(), flags | O_CLOEXEC, 0666))) {
  struct stat status;
  if (fd_ < 0 || fstat(fd_, &status) != 0) return;
  device_ = status.st_dev;
  number_ = status.st_ino;
}

bool OpenFile::is_open() const {
  struct stat status;
  return fd_ >= 0 && fstat(fd_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == number_;
}

bool OpenFile::IsAt(const std::string& path) const {
  struct stat status;
  return fd_ >= 0 && lstat(path.c_str(), &status) == 0 &&
         status.st_dev == device_ && status.st_ino == number_;
}

void OpenFile::Close() {
  if (is_open()) close(fd_);
  fd_ = -1;
}

void OpenFile::Swap(OpenFile& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(device_, other.device_);
  std::swap(number_, other.number_);
}

bool WriteAt(int fd, off_t offset, std::string_view text) {
  std::size_t done = 0;
  return WriteLoop(text.size(), &done, [&](std::size_t at) {
    return pwrite(fd, text.data() + at, text.size() - at,
                  offset + static_cast<off_t>(at));
  });
}

bool WriteAll(int fd, std::string_view text, std::size_t* done) {
  return WriteLoop(text.size(), done, [&](std::size_t at) {
    return write(fd, text.data() + at, text.size() - at);
  });
}

bool CopyStart(int from, int to, off_t size) {
  std::array<char, 65536> chunk;
  for (off_t at = 0; at < size;) {
    const auto wanted =
        std::min(chunk.size(), static_cast<std::size_t>(size - at));
    const ssize_t got = pread(from, chunk.data(), wanted, at);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) return false;
    const std::string_view part(chunk.data(), static_cast<std::size_t>(got));
    if (!WriteAt(to, at, part)) return false;
    at += got;
  }
  return true;
}

std::optional<std::string> ReadTextFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  std::array<char, 4096> chunk;
  ssize_t got = 0;
  while ((got = ReadSome(fd, chunk.data(), chunk.size())) > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  close(fd);
  if (got < 0) return std::nullopt;
  return text;
}

}  // namespace autotune::internal
