#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_MARKDOWN_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_MARKDOWN_H_

#include <string>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The comparison for a pull request's comment: the decision, a table, then what
// was left out and notes. GitHub-flavoured Markdown; no name can break out of
// its cell or become markup.
std::string ComparisonMarkdown(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_MARKDOWN_H_
