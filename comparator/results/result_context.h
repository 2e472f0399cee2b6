#ifndef AUTOTUNE_COMPARATOR_RESULTS_RESULT_CONTEXT_H_
#define AUTOTUNE_COMPARATOR_RESULTS_RESULT_CONTEXT_H_

#include <string>

#include "comparator/results/json_scanner.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Reads the object at `scanner` into file.context, warnings of odd values into
// file.warnings. Strings of unknown keys are custom context. False after a
// fault, `field` then names the key.
bool ReadContext(JsonScanner& scanner, ResultFile& file, std::string& field);

// Reads the object that our reporter adds into file.visit_id, file.visit and
// file.complete; keys of other format versions are read over.
bool ReadAutotuneObject(JsonScanner& scanner, ResultFile& file,
                        std::string& field);

// Whether the file was written under --benchmark_dry_run, which measures
// nothing.
bool IsDryRun(const ResultContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_RESULT_CONTEXT_H_
