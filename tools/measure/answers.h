#ifndef AUTOTUNE_TOOLS_MEASURE_ANSWERS_H_
#define AUTOTUNE_TOOLS_MEASURE_ANSWERS_H_

#include <string_view>

#include "absl/status/status.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Whether `counter` says what a benchmark computed ("answer/NAME"), not how.
bool IsAnswer(std::string_view counter);

// Aborted, "cannot judge: the answers differ: ...", unless every benchmark of
// the two visits of a round publishes the same answers in all its repetitions,
// bit for bit. Visits without answers agree. Pure.
absl::Status CompareAnswers(const ResultFile& baseline,
                            const ResultFile& contender);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ANSWERS_H_
