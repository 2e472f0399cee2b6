#ifndef AUTOTUNE_TOOLS_REPORT_XML_TEXT_H_
#define AUTOTUNE_TOOLS_REPORT_XML_TEXT_H_

#include <string>
#include <string_view>

namespace autotune {

// `text` for an XML or HTML attribute or element: valid UTF-8, control
// characters made visible, markup escaped. Source: XML 1.0, section 2.2 and
// 2.4.
std::string XmlText(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_XML_TEXT_H_
