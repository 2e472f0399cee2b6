#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_FUNCTION_PROFILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_FUNCTION_PROFILE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/session.h"

namespace autotune {

// Fills in the parts of `profiles` by function: `kind` is kSamples or
// kInstructions. Functions with less than 1 % of a benchmark are left out.
// Errors: FailedPrecondition where the tool that `kind` needs cannot be used,
// saying why; those of a visit.
absl::Status AddFunctions(const Session& session, const Build& build,
                          ProfileKind kind,
                          std::vector<BenchmarkProfile>& profiles);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_FUNCTION_PROFILE_H_
