// Samples a benchmark program with perf and attributes the samples below the
// benchmark's function.
//
// Stacks are unwound from the tables that every x86-64 and AArch64 program has
// (--call-graph dwarf): optimised code keeps no frame pointers. perf prints the
// names as the linker has them, and they are demangled here, because what tells
// a benchmark's function is its parameter, which perf leaves out.

#include "tools/measure/function_samples.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "tools/measure/visit.h"
#include "tools/system/private_folder.h"
#include "tools/system/program_path.h"

namespace autotune {
namespace {

// Samples a second of CPU time: a prime next to 1,000, so that no periodic work
// runs in step with the clock.
constexpr int kFrequency = 997;
// Bytes of stack kept with each sample; enough for some hundred plain frames.
constexpr int kStackBytes = 16384;

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

// The function's name in "    4a1d _ZN3fooEv"; empty when it is no frame.
std::string FrameName(std::string_view line) {
  const std::string text(
      absl::StripAsciiWhitespace(absl::string_view(line.data(), line.size())));
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return "";
  return Demangled(text.substr(space + 1));
}

class StackCounter {
 public:
  // Frames of one sample, the innermost first.
  void Add(const std::vector<std::string>& stack) {
    const auto root = std::find_if(stack.begin(), stack.end(), HoldsBenchmark);
    if (root == stack.end()) return;
    ++samples_;
    ++functions_[stack.front()].exclusive;
    const std::set<std::string> once(stack.begin(), root + 1);
    for (const std::string& name : once) ++functions_[name].inclusive;
  }

  FunctionSamples Result() const {
    FunctionSamples result;
    result.samples = samples_;
    for (const auto& [name, count] : functions_) {
      result.functions.push_back({name, count.exclusive, count.inclusive});
    }
    std::stable_sort(result.functions.begin(), result.functions.end(),
                     [](const FunctionCount& a, const FunctionCount& b) {
                       return a.exclusive > b.exclusive;
                     });
    return result;
  }

 private:
  std::int64_t samples_ = 0;
  std::map<std::string, FunctionCount> functions_;
};

absl::StatusOr<std::string> FindPerf() {
  absl::StatusOr<std::string> found = FindProgram("perf");
  if (found.ok()) return found;
  return absl::FailedPreconditionError(
      "perf is not installed (package linux-perf)");
}

absl::Status MayNotSample(const ProcessResult& process) {
  const std::vector<std::string> lines =
      absl::StrSplit(process.standard_error, '\n', absl::SkipWhitespace());
  return absl::FailedPreconditionError(
      absl::StrCat("perf may not sample here: ",
                   lines.empty() ? "it said nothing" : lines.front()));
}

}  // namespace

FunctionSamples ParsePerfScript(std::string_view text) {
  StackCounter counter;
  std::vector<std::string> stack;
  for (absl::string_view line :
       absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    std::string name = FrameName({line.data(), line.size()});
    if (!name.empty()) {
      stack.push_back(std::move(name));
    } else if (!stack.empty()) {
      counter.Add(stack);
      stack.clear();
    }
  }
  if (!stack.empty()) counter.Add(stack);
  return counter.Result();
}

absl::StatusOr<FunctionSamples> SampleFunctions(const CountRequest& request,
                                                double seconds,
                                                MeasureSeams seams) {
  ASSIGN_OR_RETURN(const std::string perf, FindPerf());
  ASSIGN_OR_RETURN(const PrivateFolder folder,
                   PrivateFolder::Make(seams.files));
  const std::string data = JoinPath(folder.path(), "perf.data");
  VisitRequest visit;
  visit.command = request.command;
  visit.side = request.side;
  visit.program = request.command->program;
  visit.filter = request.filter;
  visit.size = {.min_time_seconds = seconds, .repetitions = 1};
  visit.result_path = JoinPath(folder.path(), "results.json");
  visit.timeout = request.timeout;
  ProcessSpec record = VisitProcess(visit);
  const std::vector<std::string> tool = {
      perf,
      "record",
      "--quiet",
      "--event=cpu-clock:u",
      absl::StrCat("--freq=", kFrequency),
      absl::StrCat("--call-graph=dwarf,", kStackBytes),
      absl::StrCat("--output=", SeenPath(record, data)),
      "--"};
  record.argv.insert(record.argv.begin(), tool.begin(), tool.end());
  ASSIGN_OR_RETURN(ProcessResult recorded, seams.processes.Run(record));
  if (!recorded.succeeded() && !seams.files.Exists(visit.result_path)) {
    return MayNotSample(recorded);
  }
  RETURN_IF_ERROR(
      ReadVisit(visit, std::move(recorded), ProcessWatch(), seams.files)
          .status());
  ProcessSpec script;
  script.argv = {perf,          "script",  "--no-demangle",
                 "--no-inline", "--input", SeenPath(record, data),
                 "--fields",    "ip,sym"};
  script.sandbox = record.sandbox;
  script.timeout = request.timeout;
  ASSIGN_OR_RETURN(const ProcessResult printed, seams.processes.Run(script));
  if (!printed.succeeded()) return MayNotSample(printed);
  return ParsePerfScript(printed.standard_output);
}

}  // namespace autotune
