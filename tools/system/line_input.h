#ifndef AUTOTUNE_TOOLS_SYSTEM_LINE_INPUT_H_
#define AUTOTUNE_TOOLS_SYSTEM_LINE_INPUT_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/time/time.h"

namespace autotune {

// The lines that arrive on a file descriptor, as they arrive: whoever writes
// them may write slowly, without end, or anything.
class LineInput {
 public:
  struct Line {
    std::string text;       // without its line end
    bool too_long = false;  // had more than `longest` bytes, and lost its text
  };

  // Does not own `fd`. Lines of more than `longest` bytes are dropped.
  LineInput(int fd, std::size_t longest) : fd_(fd), longest_(longest) {}

  // The next whole line, waiting at most `wait` for bytes; nothing when none
  // was completed, the wait was interrupted, or the input ended. Text behind
  // the last line end is a line once the input has ended.
  std::optional<Line> Next(absl::Duration wait);
  // Whether no line will come any more.
  bool ended() const { return closed_ && buffer_.empty() && !dropping_; }

 private:
  void Receive(absl::Duration wait);
  std::optional<Line> Take();
  void DropWhenTooLong();

  int fd_;
  std::size_t longest_;
  std::string buffer_;     // what came behind the last line that was taken
  std::size_t seen_ = 0;   // bytes of it that hold no line end
  bool dropping_ = false;  // the line that is coming is too long
  bool closed_ = false;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_LINE_INPUT_H_
