#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/utf8_text.h"
#include "tools/ledger/toml_scanner.h"

namespace autotune {
namespace {

constexpr std::string_view kUnclosed = "expected the string's closing quote";

// The code unit that `size` hexadecimal digits at the start of `text` spell.
std::optional<std::uint32_t> HexDigits(std::string_view text,
                                       std::size_t size) {
  if (text.size() < size) return std::nullopt;
  std::uint32_t value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + size, value, 16);
  if (error != std::errc() || stop != text.data() + size) return std::nullopt;
  return value;
}

bool IsHighSurrogate(std::uint32_t unit) { return (unit >> 10) == 0x36; }
bool IsLowSurrogate(std::uint32_t unit) { return (unit >> 10) == 0x37; }

// Undoes the escapes of one string's contents.
class Unescaper {
 public:
  Unescaper(std::string_view contents, bool multi_line)
      : rest_(contents), multi_line_(multi_line) {}

  void Run(std::string& text, std::string& note) {
    while (!rest_.empty()) Step();
    text = std::move(text_);
    note = std::move(note_);
  }

 private:
  void Step() {
    const std::size_t plain = std::min(rest_.find('\\'), rest_.size());
    text_.append(rest_.substr(0, plain));
    rest_.remove_prefix(plain);
    if (rest_.empty()) return;
    rest_.remove_prefix(1);
    Escape();
  }

  void Escape() {
    const char kind = rest_.empty() ? '\0' : rest_.front();
    if (kind == 'u') return Unicode(4);
    if (kind == 'U') return Unicode(8);
    if (multi_line_ && SkipLineEnd()) return;
    constexpr std::string_view kNames = "btnfre\"\\";
    constexpr std::string_view kCharacters = "\b\t\n\f\r\x1B\"\\";
    const std::size_t index = kNames.find(kind);
    if (rest_.empty() || index == std::string_view::npos) return Unknown();
    text_.push_back(kCharacters[index]);
    rest_.remove_prefix(1);
  }

  // A backslash at a line's end takes the line break and the blanks after it.
  bool SkipLineEnd() {
    const std::size_t next = rest_.find_first_not_of(" \t\r");
    if (next == std::string_view::npos || rest_[next] != '\n') return false;
    const std::size_t text = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(text, rest_.size()));
    return true;
  }

  void Unicode(std::size_t digits) {
    const auto unit = HexDigits(rest_.substr(1), digits);
    if (!unit.has_value()) return Unknown();
    rest_.remove_prefix(1 + digits);
    AppendUtf8(IsHighSurrogate(*unit) ? JoinedPair(*unit) : *unit, text_);
    if (IsLowSurrogate(*unit)) Note("a lone surrogate escape became U+FFFD");
    if (*unit > 0x10FFFF) Note("an escape above U+10FFFF became U+FFFD");
  }

  // The code point of `high` and the escape that follows it.
  std::uint32_t JoinedPair(std::uint32_t high) {
    if (rest_.starts_with("\\u")) {
      const auto low = HexDigits(rest_.substr(2), 4);
      if (low.has_value() && IsLowSurrogate(*low)) {
        rest_.remove_prefix(6);
        return 0x10000 + ((high & 0x3FF) << 10) + (*low & 0x3FF);
      }
    }
    Note("a lone surrogate escape became U+FFFD");
    return high;
  }

  void Unknown() {
    Note("an unknown escape was kept as it is");
    text_.push_back('\\');
  }

  void Note(std::string_view note) {
    if (note_.empty()) note_ = std::string(note);
  }

  std::string_view rest_;
  bool multi_line_;
  std::string text_;
  std::string note_;
};

// Offset of the closing `quote` of a one-line string, or npos.
std::size_t FindOneLineEnd(std::string_view text, char quote) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == quote) return at;
    if (text[at] == '\n') break;
    const bool escapes = text[at] == '\\' && quote == '"';
    if (escapes && text.substr(at + 1, 1) != "\n") ++at;
  }
  return std::string_view::npos;
}

// Offset of the three closing quotes. Up to two more belong to the text.
std::size_t FindMultiLineEnd(std::string_view text, char quote) {
  const std::string closing(3, quote);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text.substr(at, 3) == closing) {
      std::size_t extra = 0;
      while (extra < 2 && text.substr(at + 3 + extra, 1) == closing.substr(2)) {
        ++extra;
      }
      return at + extra;
    }
  }
  return std::string_view::npos;
}

std::string_view WithoutFirstLineBreak(std::string_view text) {
  if (text.starts_with("\r\n")) return text.substr(2);
  return text.starts_with('\n') ? text.substr(1) : text;
}

void Decode(std::string_view contents, char quote, bool multi_line,
            DecodedString& decoded) {
  if (quote == '"') {
    Unescaper(contents, multi_line).Run(decoded.text, decoded.note);
  } else {
    decoded.text = std::string(contents);
  }
  std::string valid = ValidUtf8(decoded.text);
  if (valid != decoded.text && decoded.note.empty()) {
    decoded.note = "bytes that are no UTF-8 became U+FFFD";
  }
  decoded.text = std::move(valid);
}

}  // namespace

DecodedString DecodeTomlString(std::string_view source) {
  const char quote = source.front();
  const bool multi_line = source.starts_with(std::string(3, quote));
  const std::size_t marks = multi_line ? 3 : 1;
  const std::string_view rest = source.substr(marks);
  const std::size_t end =
      multi_line ? FindMultiLineEnd(rest, quote) : FindOneLineEnd(rest, quote);
  DecodedString decoded;
  if (end == std::string_view::npos) {
    decoded.note = std::string(kUnclosed);
    return decoded;
  }
  std::string_view contents = rest.substr(0, end);
  if (multi_line) contents = WithoutFirstLineBreak(contents);
  Decode(contents, quote, multi_line, decoded);
  decoded.size = marks + end + marks;
  return decoded;
}

}  // namespace autotune
