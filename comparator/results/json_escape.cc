// The escapes of JsonScanner's strings: RFC 8259, section 7.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/utf8_text.h"
#include "comparator/results/json_scanner.h"
#include "comparator/results/text_encoding.h"

namespace autotune {

bool JsonScanner::AppendEscape() {
  if (position_ + 1 >= text_.size()) {
    return Fail(JsonFault::kEndOfText, text_.size());
  }
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char c = text_[position_ + 1];
  if (c == 'u') return AppendUnicodeEscape();
  const std::size_t which = kEscapes.find(c);
  if (which == std::string_view::npos) {
    return Fail(
        JsonFault::kBadEscape, position_,
        absl::StrCat("\\", PrintableCharacter(text_.substr(position_ + 1))));
  }
  scratch_ += kMeanings[which];
  position_ += 2;
  return true;
}

// The four digits after the "\u" at position_, and steps over them.
bool JsonScanner::ReadHex4(std::uint32_t& unit) {
  const std::string_view digits =
      text_.substr(std::min(position_ + 2, text_.size()), 4);
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, unit, 16);
  if (digits.size() < 4 && stop == end) {
    return Fail(JsonFault::kEndOfText, text_.size());
  }
  if (error != std::errc() || stop != end) {
    return Fail(JsonFault::kBadEscape, position_, "\\u");
  }
  position_ += 6;
  return true;
}

bool JsonScanner::AppendUnicodeEscape() {
  const std::size_t start = position_;
  std::uint32_t unit = 0;
  if (!ReadHex4(unit)) return false;
  std::uint32_t low = 0;
  const std::string_view next = text_.substr(position_, 2);
  if (unit >= 0xd800 && unit < 0xdc00) {
    if (next.size() < 2 && std::string_view("\\u").starts_with(next)) {
      return Fail(JsonFault::kEndOfText, text_.size());
    }
    if (next == "\\u" && !ReadHex4(low)) return false;
  }
  const std::optional<std::uint32_t> code_point = CodePointOfUtf16(unit, low);
  if (!code_point.has_value()) {
    return Fail(JsonFault::kBadEscape, start,
                std::string(text_.substr(start, 6)));
  }
  AppendUtf8(*code_point, scratch_);
  return true;
}

}  // namespace autotune
