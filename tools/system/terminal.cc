#include "tools/system/terminal.h"

#include <langinfo.h>
#include <locale.h>
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
constexpr int kUsualWidth = 80;

bool WantsColor() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

int TerminalWidth() {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size = {};
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return std::max<int>(size.ws_col, kNarrowest);
    }
  }
  return kUsualWidth;
}

// By the environment alone: the program itself stays in the C locale, so that
// its numbers do.
bool ReadsUtf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return false;
  const bool utf8 = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return utf8;
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

// The longest start of `text` that fills at most `columns` columns.
std::string_view FirstColumns(std::string_view text, int columns) {
  std::size_t end = 0;
  int used = 0;
  while (end < text.size()) {
    const std::size_t size = Utf8CharacterSize(text.substr(end));
    used += size == 0 ? 1 : Utf8Columns(text.substr(end, size));
    if (used > columns) break;
    end += std::max<std::size_t>(size, 1);
  }
  return text.substr(0, end);
}

}  // namespace

Terminal MakeSystemTerminal() {
  Terminal terminal{.out = std::cout, .err = std::cerr};
  terminal.err_is_terminal = isatty(STDERR_FILENO) == 1 && !IsDumb();
  terminal.color = WantsColor();
  terminal.width = TerminalWidth();
  terminal.out_is_terminal = isatty(STDOUT_FILENO) == 1 && !IsDumb();
  terminal.utf8 = ReadsUtf8();
  return terminal;
}

ProgressLine::ProgressLine(Terminal& terminal, bool quiet)
    : terminal_(terminal),
      quiet_(quiet),
      interval_seconds_(terminal.err_is_terminal ? kTerminalInterval
                                                 : kFirstPlainInterval) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(std::string_view line, double now_seconds) {
  if (quiet_ || now_seconds < next_seconds_) return;
  const std::string text = terminal_.Shown(line);
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
