#ifndef AUTOTUNE_REPORTER_FILE_IO_H_
#define AUTOTUNE_REPORTER_FILE_IO_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace autotune::internal {

// A file held open by a process that does not know of it. Its descriptor is
// never 0, 1 or 2, so that what a program prints with its standard streams
// closed does not land in it; and it is remembered which file that is, for the
// program may close every descriptor there is and open others.
class OpenFile {
 public:
  OpenFile() = default;
  // As open(2), closed on exec; errno says why when is_open() is false then.
  OpenFile(const std::string& path, int flags);
  ~OpenFile() { Close(); }
  OpenFile(OpenFile&& other) noexcept { Swap(other); }
  OpenFile& operator=(OpenFile&& other) noexcept {
    Swap(other);
    return *this;
  }

  int fd() const { return fd_; }
  // Whether fd() is open and still this file.
  bool is_open() const;
  // Whether fd() is, or was before somebody closed it, the file `path` names;
  // a symbolic link is a file of its own.
  bool IsAt(const std::string& path) const;
  // Closes fd() unless it has become another's.
  void Close();
  void Swap(OpenFile& other) noexcept;

 private:
  int fd_ = -1;
  dev_t device_ = 0;
  ino_t number_ = 0;
};

// Writes all of `text` at `offset`; false with errno set when the system took
// less. One write call unless it is interrupted.
bool WriteAt(int fd, off_t offset, std::string_view text);

// Writes `text` at the file's own position; `*done` says how many bytes the
// system took, all of them when it returns true.
bool WriteAll(int fd, std::string_view text, std::size_t* done);

// Copies the first `size` bytes of `from` to the start of `to`, chunk by chunk;
// false with errno set on failure.
bool CopyStart(int from, int to, off_t size);

// The whole text of a small file, such as one of /proc or /sys; absent when it
// cannot be read.
std::optional<std::string> ReadTextFile(const std::string& path);

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_FILE_IO_H_
