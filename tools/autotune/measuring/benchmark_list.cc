#include "tools/autotune/measuring/benchmark_list.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/measure/answers.h"
#include "tools/measure/benchmark_list.h"
#include "tools/measure/visit.h"
#include "tools/program/verb_result.h"
#include "tools/system/private_folder.h"

namespace autotune {
namespace {

constexpr absl::Duration kListTimeout = absl::Seconds(60);
constexpr double kShortSeconds = 0.001;

ProcessSpec ListSpec(const Build& build, const std::string& filter) {
  ProcessSpec spec;
  for (const std::string& word : build.benchmark) {
    spec.argv.push_back(absl::StrReplaceAll(word, {{"{filter}", filter}}));
  }
  spec.argv.front() = build.sandbox.has_value()
                          ? InsidePath(*build.sandbox, build.program)
                          : build.program;
  spec.argv.push_back("--benchmark_filter=" + filter);
  spec.working_directory = build.seen_source;
  spec.sandbox = build.sandbox;
  spec.timeout = kListTimeout;
  return spec;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ListBenchmarks(
    const Session& session, const Build& build, const std::string& filter) {
  const auto listed =
      ListBenchmarks(session.seams.processes, ListSpec(build, filter));
  if (absl::IsAborted(listed.status())) {
    return WithHint(
        listed.status(),
        "is it a Google Benchmark program that takes these arguments?");
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> names, listed);
  if (names.empty()) {
    return WithHint(
        absl::FailedPreconditionError(absl::StrCat(
            build.program, ": no benchmark matches \"", filter, "\"")),
        absl::StrCat(CommandText({build.program}),
                     " --benchmark_list_tests=true lists what there is"));
  }
  return names;
}

absl::StatusOr<bool> PublishesAnswers(const Session& session,
                                      const Build& build,
                                      const std::string& filter) {
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(session.seams.files));
  const SideCommand command = BuiltCommand(build);
  VisitRequest request;
  request.command = &command;
  request.side = "the tip";
  request.program = build.program;
  request.filter = filter;
  request.result_path = JoinPath(folder.path(), "results.json");
  request.size = {kShortSeconds, 1};
  request.timeout = kListTimeout;
  ASSIGN_OR_RETURN(
      const FinishedVisit visit,
      RunVisit(request, session.seams.processes, session.seams.files));
  for (const Measurement& row : visit.results.measurements) {
    for (const auto& [name, value] : row.counters) {
      if (IsAnswer(name)) return true;
    }
  }
  return false;
}

}  // namespace autotune
