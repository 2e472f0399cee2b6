#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_TEXT_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_TEXT_H_

#include <string>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The comparison as a table for people: a row a benchmark with both medians,
// the change with its interval, p-value, sizes and verdict, the geometric mean,
// then what was left out, notes, and the decision as the last line. Names are
// made printable.
std::string ComparisonText(const ComparisonTable& table, bool color);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_TEXT_H_
