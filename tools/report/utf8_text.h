#ifndef AUTOTUNE_TOOLS_REPORT_UTF8_TEXT_H_
#define AUTOTUNE_TOOLS_REPORT_UTF8_TEXT_H_

#include <string>
#include <string_view>

namespace autotune {

// `text` with every byte that belongs to no UTF-8 sequence replaced by U+FFFD:
// what JSON and XML may carry. Source: RFC 3629, section 4.
std::string ValidUtf8(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_UTF8_TEXT_H_
