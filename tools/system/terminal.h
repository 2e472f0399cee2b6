#ifndef AUTOTUNE_TOOLS_SYSTEM_TERMINAL_H_
#define AUTOTUNE_TOOLS_SYSTEM_TERMINAL_H_

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/display_text.h"  // IWYU pragma: export

namespace autotune {

// Where a program's words go: results on `out`, everything else on `err`.
// Passed by reference so that tests run commands in-process.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  bool color = false;
  int width = 80;
  bool out_is_terminal = false;
  bool utf8 = true;  // whoever reads understands UTF-8

  // `text`, which is for people, as they can read it.
  std::string Shown(std::string_view text) const {
    return utf8 ? std::string(text) : AsciiText(text);
  }
};

// Terminal over std::cout and std::cerr; colour by NO_COLOR, TERM=dumb and
// whether stdout is a terminal, its width that of the terminal (stdout's, else
// stderr's) or 80, UTF-8 where the environment's locale is.
Terminal MakeSystemTerminal();

// One line that is rewritten in place on a terminal, at most once a second; on
// anything else a plain line at growing intervals.
class ProgressLine {
 public:
  explicit ProgressLine(Terminal& terminal, bool quiet);
  ~ProgressLine();
  void Show(std::string_view line, double now_seconds);
  void Clear();

 private:
  Terminal& terminal_;
  bool quiet_;
  double next_seconds_ = 0.0;
  double interval_seconds_ = 1.0;
  bool shown_ = false;
};

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_TERMINAL_H_
