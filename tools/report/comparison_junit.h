#ifndef AUTOTUNE_TOOLS_REPORT_COMPARISON_JUNIT_H_
#define AUTOTUNE_TOOLS_REPORT_COMPARISON_JUNIT_H_

#include <string>

#include "comparator/recorded/comparison.h"

namespace autotune {

// The comparison as a JUnit XML test suite: a test case a benchmark and one,
// "decision", for the whole. A proven loss is a failure, what cannot be judged
// an error, what is undecided skipped. Benchmarks that only one side has are
// test cases too: errors, or skipped when the table was judged without them.
std::string ComparisonJunit(const ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_COMPARISON_JUNIT_H_
