#include "tools/build/build_command.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "tools/report/error_report.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr std::size_t kShownBytes = 160;  // of the last line of output
constexpr std::size_t kOutputLimitBytes = std::size_t{4} << 20;

std::string LastLine(absl::string_view output) {
  const std::vector<absl::string_view> lines =
      absl::StrSplit(output, '\n', absl::SkipWhitespace());
  if (lines.empty()) return "";
  std::size_t end = std::min(lines.back().size(), kShownBytes);
  const auto is_inner = [&](std::size_t at) {  // of a character of UTF-8
    return at < lines.back().size() &&
           (static_cast<unsigned char>(lines.back()[at]) & 0xC0) == 0x80;
  };
  while (end > 0 && is_inner(end)) --end;
  return std::string(lines.back().substr(0, end));
}

std::string Ending(const ProcessResult& result, absl::Duration timeout) {
  if (result.timed_out) {
    return absl::StrCat("took longer than ", absl::FormatDuration(timeout));
  }
  if (result.signal.has_value()) {
    return absl::StrCat("was ended by signal ", *result.signal);
  }
  return absl::StrCat("ended with ", result.exit_code);
}

absl::StatusOr<ProcessResult> RunInterruptibly(const BuildSeams& seams,
                                               const ProcessSpec& spec) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RunningProcess> process,
                   seams.processes.Start(spec));
  while (true) {
    ASSIGN_OR_RETURN(const bool ended,
                     process->PollEnded(absl::Milliseconds(200)));
    if (ended) return process->Wait();
    if (!seams.interrupted()) continue;
    RETURN_IF_ERROR(process->Kill());
    (void)process->Wait();
    return absl::CancelledError("interrupted; run the same command again");
  }
}

}  // namespace

absl::StatusOr<std::string> RunBuildCommand(const BuildSeams& seams,
                                            const BuildCommand& command) {
  ProcessSpec spec;
  spec.argv = command.argv;
  spec.working_directory = command.working_directory;
  spec.environment = command.environment;
  spec.environment["CMAKE_EXPORT_COMPILE_COMMANDS"] = "ON";
  spec.unset_environment_prefixes = {"GIT_", "BENCHMARK_", "GTEST_",
                                     "AUTOTUNE_"};
  spec.sandbox = command.sandbox;
  spec.timeout = command.timeout;
  spec.output_limit_bytes = kOutputLimitBytes;
  ASSIGN_OR_RETURN(const ProcessResult result, RunInterruptibly(seams, spec));
  std::string output = result.standard_output + result.standard_error;
  RETURN_IF_ERROR(seams.files.AppendFile(
      command.log_path,
      absl::StrCat("$ ", CommandText(command.argv), "\n", output)));
  if (result.succeeded()) return output;
  const std::string last = LastLine(output);
  return WithHint(
      absl::AbortedError(absl::StrCat(
          command.label, ": `", CommandText(command.argv), "` ",
          Ending(result, command.timeout), last.empty() ? "" : ": ", last)),
      absl::StrCat("all of its output: ", command.log_path,
                   command.sandbox.has_value()
                       ? "; it was shut in: what it reads beside the system "
                         "and the tree goes into commands.readable"
                       : ""));
}

std::vector<std::string> WithBuildFolder(const std::vector<std::string>& argv,
                                         const std::string& build_directory) {
  std::vector<std::string> words;
  for (const std::string& word : argv) {
    words.push_back(absl::StrReplaceAll(word, {{"{build}", build_directory}}));
  }
  return words;
}

bool OnlyCompilersRead(const std::string& path) {
  constexpr const char* kEndings[] = {".c",  ".cc",  ".cpp", ".cxx", ".h",
                                      ".hh", ".hpp", ".hxx", ".inl", ".ipp"};
  return std::any_of(
      std::begin(kEndings), std::end(kEndings),
      [&path](const char* ending) { return absl::EndsWith(path, ending); });
}

}  // namespace autotune
