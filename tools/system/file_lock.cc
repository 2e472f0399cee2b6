#include "tools/system/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "tools/system/posix_error.h"
#include "tools/system/unique_fd.h"

namespace autotune {
namespace {

constexpr absl::Duration kAskAgain = absl::Milliseconds(20);
constexpr std::size_t kLongestHolder = 400;

std::string BootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id.empty() ? "unknown" : id;
}

std::string HolderText() {
  std::array<char, 256> host = {};
  if (gethostname(host.data(), host.size() - 1) != 0) host = {"unknown"};
  return absl::StrCat("pid ", getpid(), " host ", host.data(), " boot ",
                      BootId(), "\n");
}

std::string ReadHolder(int fd) {
  std::string text(kLongestHolder, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::string line(absl::StripAsciiWhitespace(text));
  return line.empty() ? "another process" : line;
}

absl::Status WriteHolder(int fd, const std::string& path) {
  const std::string text = HolderText();
  if (ftruncate(fd, 0) != 0 || pwrite(fd, text.data(), text.size(), 0) !=
                                   static_cast<ssize_t>(text.size())) {
    return PosixError(errno, absl::StrCat(path, ": cannot write the lock"));
  }
  return absl::OkStatus();
}

// OK once locked; Unavailable when `patience` has passed.
absl::Status LockWithin(int fd, const std::string& path,
                        absl::Duration patience) {
  const absl::Time last = absl::Now() + patience;
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return PosixError(errno, absl::StrCat(path, ": cannot lock"));
    }
    if (absl::Now() >= last) {
      return absl::UnavailableError(
          absl::StrCat(path, ": held by ", ReadHolder(fd),
                       ": wait for it to end and try again"));
    }
    absl::SleepFor(kAskAgain);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileLock> AcquireFileLock(const std::string& path,
                                         absl::Duration patience) {
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd.valid()) {
    return PosixError(errno, absl::StrCat(path, ": cannot open the lock"));
  }
  RETURN_IF_ERROR(LockWithin(fd.get(), path, patience));
  RETURN_IF_ERROR(WriteHolder(fd.get(), path));
  return FileLock(std::move(fd));
}

}  // namespace autotune
