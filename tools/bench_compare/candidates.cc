#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "comparator/results/result_file.h"
#include "tools/bench_compare/commands.h"
#include "tools/measure/benchmark_list.h"
#include "tools/measure/visit.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

// Nobody waits longer for a completion.
constexpr absl::Duration kListTimeout = absl::Seconds(3);
// Of a recorded file that is worth reading for a completion.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

std::vector<std::string> ProgramNames(const std::string& path,
                                      const Invocation& invocation) {
  ProcessSpec spec;
  spec.argv = {absl::StrContains(path, '/') ? path : "./" + path};
  spec.working_directory = invocation.world.directory;
  spec.timeout = kListTimeout;
  return ListBenchmarks(invocation.world.processes, spec)
      .value_or(std::vector<std::string>());
}

std::vector<std::string> FileNames(const std::string& path,
                                   const Invocation& invocation) {
  const auto text = invocation.world.files.ReadFile(
      JoinPath(invocation.world.directory, path));
  if (!text.ok() || text->size() > kMostBytes) return {};
  const auto file = ParseResultFile(*text, path);
  if (!file.ok()) return {};
  std::vector<std::string> names;
  for (const Measurement& row : file->measurements) {
    names.push_back(row.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> BenchmarkCandidates(const std::string& placeholder,
                                             CommandLine& line,
                                             const Invocation& invocation) {
  if (placeholder != "REGEX") return {};
  std::vector<std::string> patterns;
  for (const Argument& argument : line.arguments()) {
    if (argument.value.empty()) continue;
    std::vector<std::string> names;
    if (argument.placeholder == "BINARY") {
      names = ProgramNames(argument.value, invocation);
    } else if (absl::EndsWith(argument.value, ".json")) {
      names = FileNames(argument.value, invocation);
    }
    for (const std::string& name : names) {
      patterns.push_back(NameAsPattern(name));
      patterns.push_back("^" + NameAsPattern(name) + "$");
    }
    if (!names.empty()) break;
  }
  return patterns;
}

}  // namespace autotune
