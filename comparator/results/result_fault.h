#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_FAULT_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_FAULT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "comparator/results/json_scanner.h"

namespace autotune {

// Where in a result file the reader was: "benchmarks[3]" and "real_time".
struct ResultPlace {
  std::string object;
  std::string field;
};

// The error for what stopped a scanner of `text`, one line:
// "SOURCE:LINE:COLUMN: OBJECT: FIELD: what is wrong; the way out".
// For every fault but the text's end.
absl::Status FaultError(std::string_view source_name, std::string_view text,
                        const ResultPlace& place, const JsonError& error);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_FAULT_H_
