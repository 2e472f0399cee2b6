#include "tools/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

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

int LengthFromLead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The code point whose UTF-8 sequence begins `text` and its length; length 0
// when none does (overlong forms and surrogates are none).
struct CodePoint {
  unsigned value = 0;
  int length = 0;
};

CodePoint Decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const int length = LengthFromLead(lead);
  if (length <= 1) return {lead, length};
  if (text.size() < static_cast<std::size_t>(length)) return {};
  unsigned value = lead & (0xFFU >> (length + 1));
  for (int i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) ||
                        (length == 4 && (value < 0x10000 || value > 0x10FFFF));
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return overlong || surrogate ? CodePoint{} : CodePoint{value, length};
}

// Control characters, and those that reorder or hide what follows them.
bool IsInvisible(unsigned value) {
  return value < 0x20 || (value >= 0x7F && value <= 0x9F) ||
         (value >= 0x200B && value <= 0x200F) ||
         (value >= 0x2028 && value <= 0x202E) ||
         (value >= 0x2060 && value <= 0x206F) || value == 0xFEFF;
}

std::string Escape(unsigned value) {
  switch (value) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return value < 0x100 ? absl::StrFormat("\\x%02x", value)
                           : absl::StrFormat("\\u%04x", value);
  }
}

// The longest start of `text` that fills at most `columns` columns, counting
// one a code point.
std::string_view FirstColumns(std::string_view text, int columns) {
  std::size_t end = 0;
  for (int used = 0; end < text.size() && used < columns; ++used) {
    end +=
        static_cast<std::size_t>(std::max(1, Decode(text.substr(end)).length));
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

std::string PrintableText(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const CodePoint point = Decode(text);
    const auto length = static_cast<std::size_t>(std::max(1, point.length));
    if (point.length == 0) {
      printable += Escape(static_cast<unsigned char>(text[0]));
    } else if (IsInvisible(point.value)) {
      printable += Escape(point.value);
    } else {
      printable.append(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return printable;
}

}  // namespace autotune
