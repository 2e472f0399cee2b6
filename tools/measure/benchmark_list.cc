#include "tools/measure/benchmark_list.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/system/process_runner.h"

namespace autotune {

absl::StatusOr<std::vector<std::string>> ListBenchmarks(
    ProcessRunner& processes, ProcessSpec spec) {
  spec.argv.push_back("--benchmark_list_tests=true");
  spec.unset_environment_prefixes = {"BENCHMARK_", "GIT_", "AUTOTUNE_"};
  ASSIGN_OR_RETURN(const ProcessResult result, processes.Run(spec));
  if (!result.succeeded()) {
    return absl::AbortedError(absl::StrCat(
        "`", CommandText(spec.argv), "` ",
        result.timed_out ? std::string("took too long")
                         : absl::StrCat("ended with ", result.exit_code)));
  }
  std::vector<std::string> names;
  for (absl::string_view line :
       absl::StrSplit(result.standard_output, '\n', absl::SkipWhitespace())) {
    if (!absl::StartsWith(line, "Failed to match")) names.emplace_back(line);
  }
  return names;
}

}  // namespace autotune
