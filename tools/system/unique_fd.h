#ifndef AUTOTUNE_TOOLS_SYSTEM_UNIQUE_FD_H_
#define AUTOTUNE_TOOLS_SYSTEM_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace autotune {

// Owns a file descriptor and closes it; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      Reset();
      fd_ = other.Release();
    }
    return *this;
  }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_UNIQUE_FD_H_
