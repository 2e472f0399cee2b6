#include "tools/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "base/utf8_text.h"

namespace autotune {
namespace {

constexpr double kTerminalInterval = 1.0;
constexpr double kFirstPlainInterval = 5.0;
constexpr double kPlainGrowth = 1.5;
constexpr double kLongestPlainInterval = 60.0;
constexpr int kNarrowest = 20;

bool WantsColor() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

int TerminalWidth() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return std::max<int>(size.ws_col, kNarrowest);
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

// The longest start of `text` that fills at most `columns` columns, counting
// one a code point.
std::string_view FirstColumns(std::string_view text, int columns) {
  std::size_t end = 0;
  for (int used = 0; end < text.size() && used < columns; ++used) {
    end += std::max<std::size_t>(1, Utf8CharacterSize(text.substr(end)));
  }
  return text.substr(0, std::min(end, text.size()));
}

}  // namespace

Terminal MakeSystemTerminal() {
  Terminal terminal{.out = std::cout, .err = std::cerr};
  terminal.err_is_terminal = isatty(STDERR_FILENO) == 1 && !IsDumb();
  terminal.color = WantsColor();
  terminal.width = TerminalWidth();
  return terminal;
}

ProgressLine::ProgressLine(Terminal& terminal, bool quiet)
    : terminal_(terminal),
      quiet_(quiet),
      interval_seconds_(terminal.err_is_terminal ? kTerminalInterval
                                                 : kFirstPlainInterval) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(std::string_view text, double now_seconds) {
  if (quiet_ || now_seconds < next_seconds_) return;
  next_seconds_ = now_seconds + interval_seconds_;
  if (!terminal_.err_is_terminal) {
    terminal_.err << text << '\n' << std::flush;
    interval_seconds_ =
        std::min(interval_seconds_ * kPlainGrowth, kLongestPlainInterval);
    return;
  }
  terminal_.err << "\r\x1b[K" << FirstColumns(text, terminal_.width - 1)
                << std::flush;
  shown_ = true;
}

void ProgressLine::Clear() {
  if (!shown_) return;
  terminal_.err << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace autotune
