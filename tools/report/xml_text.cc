#include "tools/report/xml_text.h"

#include <string>
#include <string_view>

#include "tools/system/terminal.h"

namespace autotune {

std::string XmlText(std::string_view text) {
  std::string escaped;
  for (const char c : PrintableText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace autotune
