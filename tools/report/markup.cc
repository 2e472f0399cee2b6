#include "tools/report/markup.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"

namespace autotune {
namespace {

// Source: HTML Living Standard, section 13.1.2.4 (optional tags).
constexpr std::array<std::string_view, 8> kEndedByTheNext = {
    "td", "th", "tr", "thead", "tbody", "li", "dt", "dd"};

}  // namespace

std::string MarkupText(std::string_view text) {
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

void MarkupWriter::Start(std::string_view tag, Attributes attributes) {
  absl::StrAppend(&text_, "<", std::string(tag));
  for (const Attribute& attribute : attributes) {
    if (attribute.value.empty()) continue;
    absl::StrAppend(&text_, " ", std::string(attribute.name), "=\"",
                    MarkupText(attribute.value), "\"");
  }
}

void MarkupWriter::Begin(std::string_view tag, Attributes attributes) {
  Start(tag, attributes);
  text_ += '>';
  open_.push_back(tag);
}

void MarkupWriter::End() {
  assert(!open_.empty());
  const std::string_view tag = open_.back();
  open_.pop_back();
  const auto* const found =
      std::find(kEndedByTheNext.begin(), kEndedByTheNext.end(), tag);
  if (found != kEndedByTheNext.end()) return;
  absl::StrAppend(&text_, "</", std::string(tag), ">");
}

void MarkupWriter::Empty(std::string_view tag, Attributes attributes) {
  Start(tag, attributes);
  text_ += "/>";
}

void MarkupWriter::Element(std::string_view tag, std::string_view text,
                           Attributes attributes) {
  Begin(tag, attributes);
  Text(text);
  End();
}

std::string MarkupWriter::Take() {
  assert(open_.empty());
  return std::exchange(text_, "");
}

}  // namespace autotune
