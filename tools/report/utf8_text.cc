#include "tools/report/utf8_text.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool InRange(unsigned char byte, unsigned char low, unsigned char high) {
  return byte >= low && byte <= high;
}

bool IsTail(unsigned char byte) { return InRange(byte, 0x80, 0xBF); }

// Bytes of the sequence that `lead` begins; 0 when it begins none.
std::size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (InRange(lead, 0xC2, 0xDF)) return 2;
  if (InRange(lead, 0xE0, 0xEF)) return 3;
  return InRange(lead, 0xF0, 0xF4) ? 4 : 0;
}

// Whether `second` may follow `lead`: no overlong form, surrogate or value
// beyond U+10FFFF.
bool IsSecond(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return InRange(second, 0xA0, 0xBF);
    case 0xED:
      return InRange(second, 0x80, 0x9F);
    case 0xF0:
      return InRange(second, 0x90, 0xBF);
    case 0xF4:
      return InRange(second, 0x80, 0x8F);
    default:
      return IsTail(second);
  }
}

// Length of the valid sequence at the start of `text`; 0 when there is none.
std::size_t ValidLength(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const std::size_t length = SequenceLength(byte(0));
  if (length <= 1) return length;
  if (text.size() < length || !IsSecond(byte(0), byte(1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!IsTail(byte(i))) return 0;
  }
  return length;
}

}  // namespace

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = ValidLength(text);
    if (length == 0) {
      valid += kReplacement;
      text.remove_prefix(1);
    } else {
      valid += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return valid;
}

}  // namespace autotune
