#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_JSON_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_JSON_H_

#include <string>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The --json object of a comparison of recorded files: schema_version,
// decision, reason, next, benchmarks and all lists, keys in a stable order
// (docs/cli.md), a final newline. Absent values are null; bytes that are no
// UTF-8 are replaced.
std::string ComparisonJson(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_JSON_H_
