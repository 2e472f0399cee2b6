#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BENCHMARK_LIST_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BENCHMARK_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/session.h"

namespace autotune {

// The names of the benchmarks of `build` that the regular expression `filter`
// selects, in the program's order; the program lists them itself. Aborted when
// it fails, FailedPrecondition when it selects none.
absl::StatusOr<std::vector<std::string>> ListBenchmarks(
    const Session& session, const Build& build, const std::string& filter);

// Whether a benchmark that `filter` selects publishes what it computed (see
// benchmark_ext/answer.h); runs each once, briefly.
absl::StatusOr<bool> PublishesAnswers(const Session& session,
                                      const Build& build,
                                      const std::string& filter);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BENCHMARK_LIST_H_
