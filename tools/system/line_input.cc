#include "tools/system/line_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

namespace autotune {

std::optional<LineInput::Line> LineInput::Next(absl::Duration wait) {
  if (auto line = Take()) return line;
  if (closed_) return std::nullopt;
  Receive(wait);
  return Take();
}

void LineInput::Receive(absl::Duration wait) {
  pollfd watched = {fd_, POLLIN, 0};
  const timespec limit = absl::ToTimespec(wait);
  const bool for_ever = wait == absl::InfiniteDuration();
  if (ppoll(&watched, 1, for_ever ? nullptr : &limit, nullptr) <= 0) return;
  std::array<char, 65536> piece;
  const ssize_t got = read(fd_, piece.data(), piece.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    closed_ = true;
    return;
  }
  buffer_.append(piece.data(), static_cast<std::size_t>(got));
}

std::optional<LineInput::Line> LineInput::Take() {
  const std::size_t end = buffer_.find('\n', seen_);
  if (end == std::string::npos && !closed_) {
    DropWhenTooLong();
    return std::nullopt;
  }
  if (end == std::string::npos && buffer_.empty() && !dropping_) {
    return std::nullopt;
  }
  Line line{buffer_.substr(0, end), dropping_};
  buffer_.erase(0, end == std::string::npos ? end : end + 1);
  seen_ = 0;
  dropping_ = false;
  line.too_long = line.too_long || line.text.size() > longest_;
  if (line.too_long) line.text.clear();
  if (line.text.ends_with('\r')) line.text.pop_back();
  return line;
}

void LineInput::DropWhenTooLong() {
  if (dropping_ || buffer_.size() > longest_) {
    dropping_ = true;
    buffer_.clear();
  }
  seen_ = buffer_.size();
}

}  // namespace autotune
