#include "base/utf8_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace autotune {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length that a first byte announces and the range allowed for the second.
struct Lead {
  std::size_t size = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {byte < 0xF5 ? std::size_t{4} : std::size_t{0}};
}

bool Within(char byte, unsigned char low, unsigned char high) {
  const auto value = static_cast<unsigned char>(byte);
  return low <= value && value <= high;
}

std::size_t AsciiSize(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char byte) {
    return static_cast<unsigned char>(byte) >= 0x80;
  });
  return static_cast<std::size_t>(end - text.begin());
}

char Byte(std::uint32_t bits) { return static_cast<char>(bits); }

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Unicode 15: blocks of combining marks, and variation selectors.
constexpr Range kJoining[] = {
    {0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},  {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
// Unicode 15, EastAsianWidth.txt: blocks that are W or F nearly throughout.
constexpr Range kWide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
    {0x20000, 0x3FFFD}};

template <std::size_t kSize>
bool IsIn(const Range (&ranges)[kSize], std::uint32_t point) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [point](const Range& range) {
                       return range.first <= point && point <= range.last;
                     });
}

}  // namespace

std::size_t Utf8CharacterSize(std::string_view text) {
  if (text.empty()) return 0;
  const Lead lead = LeadOf(static_cast<unsigned char>(text[0]));
  if (lead.size < 2) return lead.size;
  if (text.size() < lead.size) return 0;
  if (!Within(text[1], lead.low, lead.high)) return 0;
  const std::string_view rest = text.substr(2, lead.size - 2);
  const bool valid = std::all_of(rest.begin(), rest.end(), [](char byte) {
    return Within(byte, 0x80, 0xBF);
  });
  return valid ? lead.size : 0;
}

std::uint32_t Utf8CodePoint(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  std::uint32_t value = lead & (0xFFU >> (character.size() + 1));
  for (const char byte : character.substr(1)) {
    value = (value << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return value;
}

int Utf8Columns(std::string_view character) {
  const std::uint32_t point = Utf8CodePoint(character);
  if (point < kJoining[0].first) return 1;
  if (IsIn(kJoining, point)) return 0;
  return IsIn(kWide, point) ? 2 : 1;
}

void AppendUtf8(std::uint32_t code_point, std::string& text) {
  if (code_point < 0x80) {
    text.push_back(Byte(code_point));
  } else if (code_point < 0x800) {
    text.push_back(Byte(0xC0 | (code_point >> 6)));
    text.push_back(Byte(0x80 | (code_point & 0x3F)));
  } else if ((code_point >= 0xD800 && code_point < 0xE000) ||
             code_point > 0x10FFFF) {
    text.append(kReplacement);
  } else if (code_point < 0x10000) {
    text.push_back(Byte(0xE0 | (code_point >> 12)));
    text.push_back(Byte(0x80 | ((code_point >> 6) & 0x3F)));
    text.push_back(Byte(0x80 | (code_point & 0x3F)));
  } else {
    text.push_back(Byte(0xF0 | (code_point >> 18)));
    text.push_back(Byte(0x80 | ((code_point >> 12) & 0x3F)));
    text.push_back(Byte(0x80 | ((code_point >> 6) & 0x3F)));
    text.push_back(Byte(0x80 | (code_point & 0x3F)));
  }
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t ascii = AsciiSize(text);  // most of any text, at once
    valid.append(text.substr(0, ascii));
    text.remove_prefix(ascii);
    if (text.empty()) break;
    const std::size_t size = Utf8CharacterSize(text);
    valid.append(size == 0 ? kReplacement : text.substr(0, size));
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return valid;
}

}  // namespace autotune
