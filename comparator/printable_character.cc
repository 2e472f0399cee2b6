#include "comparator/printable_character.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/utf8_text.h"

namespace autotune {

std::string PrintableCharacter(std::string_view text) {
  const std::size_t length = Utf8CharacterSize(text);
  const auto byte = static_cast<unsigned char>(text[0]);
  if (length > 1 || (byte >= 0x20 && byte < 0x7f)) {
    return std::string(text.substr(0, length));
  }
  return absl::StrFormat("\\x%02X", byte);
}

}  // namespace autotune
