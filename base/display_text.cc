#include "base/display_text.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "base/utf8_text.h"

namespace autotune {

std::string PercentText(double fraction) {
  return absl::StrFormat("%.4g %%", 100.0 * fraction);
}

std::string CountText(std::size_t count, std::string_view noun) {
  return absl::StrFormat("%d %s%s", count, noun, count == 1 ? "" : "s");
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
