#ifndef AUTOTUNE_REPORTER_FILE_IO_H_
#define AUTOTUNE_REPORTER_FILE_IO_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace autotune::internal {

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
