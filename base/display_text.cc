#include "base/display_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "base/utf8_text.h"

namespace autotune {
namespace {

constexpr std::size_t kLongestQuoted = 60;

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

}  // namespace

std::string PercentText(double fraction) {
  return absl::StrFormat("%.4g %%", 100.0 * fraction);
}

std::string CountText(std::size_t count, std::string_view noun) {
  return absl::StrFormat("%d %s%s", count, noun, count == 1 ? "" : "s");
}

std::string PrintableText(std::string_view text) {
  const std::size_t start = text.find_first_not_of(' ');
  // What is left of the text where "::" begins it; 0: it does not.
  const std::size_t command_size =
      start != std::string_view::npos && text.substr(start).starts_with("::")
          ? text.size() - start
          : 0;
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = Utf8CharacterSize(text);
    const unsigned value = length == 0 ? static_cast<unsigned char>(text[0])
                                       : Utf8CodePoint(text.substr(0, length));
    const bool command = text.size() == command_size || text.starts_with("##[");
    if (length == 0 || command || IsInvisible(value)) {
      printable += Escape(value);
    } else {
      printable.append(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return printable;
}

std::string AsciiText(std::string_view text) {
  std::string ascii;
  while (!text.empty()) {
    const std::size_t length = Utf8CharacterSize(text);
    if (length == 1) {
      ascii.push_back(text[0]);
    } else if (length == 0) {
      ascii += Escape(static_cast<unsigned char>(text[0]));
    } else {
      ascii +=
          absl::StrFormat("\\u%04x", Utf8CodePoint(text.substr(0, length)));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return ascii;
}

std::string Quoted(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestQuoted);
  while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;
  std::string escaped;
  for (const char c : text.substr(0, end)) {
    if (c == '"' || c == '\\') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return "\"" + PrintableText(escaped) + (end < text.size() ? "\"..." : "\"");
}

std::string PrintableName(const std::string& name) {
  return absl::Utf8SafeCEscape(name);
}

std::string PrintableCharacter(std::string_view text) {
  const std::size_t length = Utf8CharacterSize(text);
  const auto byte = static_cast<unsigned char>(text[0]);
  if (length > 1 || (byte >= 0x20 && byte < 0x7f)) {
    return std::string(text.substr(0, length));
  }
  return absl::StrFormat("\\x%02X", byte);
}

}  // namespace autotune
