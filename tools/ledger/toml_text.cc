#include "tools/ledger/toml_text.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "base/utf8_text.h"

namespace autotune {
namespace {

void AppendEscaped(char character, std::string& text) {
  switch (character) {
    case '"':
      text += "\\\"";
      return;
    case '\\':
      text += "\\\\";
      return;
    case '\n':
      text += "\\n";
      return;
    case '\t':
      text += "\\t";
      return;
    case '\r':
      text += "\\r";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(character);
  if (byte < 0x20 || byte == 0x7F) {
    text += absl::StrFormat("\\u%04X", byte);
  } else {
    text.push_back(character);
  }
}

}  // namespace

std::string TomlString(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : ValidUtf8(text)) AppendEscaped(character, quoted);
  quoted.push_back('"');
  return quoted;
}

std::string TomlFloat(double value) {
  std::string text = ShortestText(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string TomlStringArray(const std::vector<std::string>& values) {
  std::string text = "[";
  for (const std::string& value : values) {
    if (text.size() > 1) text += ", ";
    text += TomlString(value);
  }
  return text + "]";
}

}  // namespace autotune
