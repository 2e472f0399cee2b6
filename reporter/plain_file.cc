#include "reporter/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "reporter/file_io.h"

namespace autotune::internal {

std::unique_ptr<ResultSink> PlainFile::Open(const std::string& path) {
  OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.fd() < 0) return nullptr;
  struct stat status;
  const bool is_regular =
      fstat(file.fd(), &status) == 0 && S_ISREG(status.st_mode);
  return std::unique_ptr<ResultSink>(
      new PlainFile(std::move(file), is_regular));
}

bool PlainFile::Publish(const Growth& growth) {
  tail_ += growth.tail;
  return has_positions_ ? Overwrite(growth) : Stream(growth.rows);
}

bool PlainFile::Finish(const Growth& growth) {
  tail_ += growth.tail;
  if (!has_positions_) {
    std::string text(growth.rows);
    text += std::exchange(tail_, {});
    return Stream(text += growth.closing);
  }
  if (!Overwrite(growth)) return false;
  // What is cut off is the padding.
  end_ = rows_ + static_cast<off_t>(tail_.size() + growth.closing.size());
  return ftruncate(file_.fd(), end_) == 0 ? Succeeded() : Failed();
}

bool PlainFile::Overwrite(const Growth& growth) {
  pending_ += growth.rows;
  std::string written = pending_ + tail_;
  written += growth.closing;
  const auto old_size = static_cast<std::size_t>(end_ - rows_);
  written.resize(std::max(written.size(), old_size), ' ');
  if (!IsStillOpen() || !WriteAt(file_.fd(), rows_, written)) return Failed();
  end_ = rows_ + static_cast<off_t>(written.size());
  rows_ += static_cast<off_t>(pending_.size());
  pending_.clear();
  return Succeeded();
}

// The program may have closed the descriptor and opened another file with it.
bool PlainFile::IsStillOpen() const {
  if (file_.is_open()) return true;
  errno = EBADF;
  return false;
}

bool PlainFile::Stream(std::string_view text) {
  pending_ += text;
  std::size_t done = 0;
  const bool whole = IsStillOpen() && WriteAll(file_.fd(), pending_, &done);
  pending_.erase(0, done);
  return whole ? Succeeded() : Failed();
}

}  // namespace autotune::internal
