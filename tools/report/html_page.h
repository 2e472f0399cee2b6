#ifndef AUTOTUNE_TOOLS_REPORT_HTML_PAGE_H_
#define AUTOTUNE_TOOLS_REPORT_HTML_PAGE_H_

#include <string>
#include <string_view>

#include "tools/report/report_parts.h"

namespace autotune {

// How a page shows an outcome besides its word: a class for the colour and a
// sign for those who do not see it.
std::string_view StyleClass(TextStyle style);
std::string_view StyleSign(TextStyle style);

// A whole page in one file: `body` (finished markup) between our style sheet
// and a small script that it does without. Loads nothing; the Content Security
// Policy lets only these two, named by their hashes, take effect.
std::string HtmlPage(std::string_view title, std::string_view body);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_HTML_PAGE_H_
