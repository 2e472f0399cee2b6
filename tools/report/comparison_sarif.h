#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_SARIF_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_SARIF_H_

#include <string>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The comparison as a SARIF 2.1.0 log for code scanning: a result for each
// benchmark that lost (error), that cannot be judged (error) or whose numbers
// are doubted (warning), and for an undecided whole (note). A log without
// results means nothing was found.
// Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
std::string ComparisonSarif(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_SARIF_H_
