#include "reporter/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "reporter/file_io.h"

namespace autotune::internal {

std::unique_ptr<ResultSink> PlainFile::Open(const std::string& path) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return nullptr;
  struct stat status;
  const bool is_regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  return std::unique_ptr<ResultSink>(new PlainFile(fd, is_regular));
}

PlainFile::~PlainFile() { close(fd_); }

bool PlainFile::Publish(std::string_view text, std::string_view closing) {
  return has_positions_ ? Overwrite(text, closing) : Stream(text);
}

bool PlainFile::Finish(std::string_view text, std::string_view closing) {
  if (!has_positions_) {
    return Stream(std::string(text) + std::string(closing));
  }
  if (!Overwrite(text, closing)) return false;
  // What is cut off is the padding.
  end_ = kept_ + static_cast<off_t>(closing.size());
  return ftruncate(fd_, end_) == 0 ? Succeeded() : Failed();
}

bool PlainFile::Overwrite(std::string_view text, std::string_view closing) {
  pending_ += text;
  std::string written = pending_ + std::string(closing);
  const auto old_size = static_cast<std::size_t>(end_ - kept_);
  written.resize(std::max(written.size(), old_size), ' ');
  if (!WriteAt(fd_, kept_, written)) return Failed();
  end_ = kept_ + static_cast<off_t>(written.size());
  kept_ += static_cast<off_t>(pending_.size());
  pending_.clear();
  return Succeeded();
}

bool PlainFile::Stream(std::string_view text) {
  pending_ += text;
  std::size_t done = 0;
  const bool whole = WriteAll(fd_, pending_, &done);
  pending_.erase(0, done);
  return whole ? Succeeded() : Failed();
}

}  // namespace autotune::internal
