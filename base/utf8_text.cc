#include "base/utf8_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
