#include "tools/bench_compare/program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/did_you_mean.h"
#include "base/version.h"
#include "comparator/policy/policy.h"
#include "tools/bench_compare/calibrate_command.h"
#include "tools/bench_compare/command_line.h"
#include "tools/bench_compare/compare_command.h"
#include "tools/bench_compare/run_command.h"
#include "tools/bench_compare/verify_command.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::string_view kHelp =
    R"(Sound decisions between two builds by Google Benchmark results.

Usage:
  bench_compare [OPTIONS] BASELINE.json CONTENDER.json   compare recorded files
  bench_compare run --baseline BINARY --contender BINARY measure and decide
  bench_compare gate [run] ...                           only refuse losses
  bench_compare verify EVIDENCE                          recompute a decision
  bench_compare calibrate --binary BINARY                what this machine shows
  bench_compare VERB --help                              all options of a verb

Exit codes: 0 keep or pass, 1 discard or regression, 2 cannot judge,
3 inconclusive, 64 usage, 65 bad input, 69 precondition, 70 our bug, 75 busy,
130 interrupted.

Example:
  bench_compare run --baseline old/bench --contender new/bench --filter=BM_Parse
)";

Arguments Rest(const Arguments& arguments) {
  return {arguments.begin() + 1, arguments.end()};
}

int RunGate(const Arguments& arguments, const ProgramWorld& world,
            Terminal& terminal) {
  if (!arguments.empty() && arguments.front() == "run") {
    return RunRunCommand(Rest(arguments), PolicyKind::kGate, world, terminal);
  }
  return RunCompareCommand(arguments, PolicyKind::kGate, world, terminal);
}

// A single word that is no file is most likely a misspelt verb.
std::optional<std::string> MisspeltVerb(const Arguments& arguments,
                                        const ProgramWorld& world) {
  static constexpr std::string_view kVerbs[] = {"run", "gate", "verify",
                                                "calibrate"};
  const std::string& word = arguments.front();
  if (word.starts_with('-') || word.find('.') != std::string::npos ||
      word.find('/') != std::string::npos || world.files.Exists(word)) {
    return std::nullopt;
  }
  return ClosestName(word, Arguments(std::begin(kVerbs), std::end(kVerbs)));
}

}  // namespace

int RunBenchCompare(const Arguments& arguments, const ProgramWorld& world,
                    Terminal& terminal) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  if (verb == "--version") {
    terminal.out << "bench_compare " << kVersion << '\n';
    return kExitKeep;
  }
  if (verb == "help" || (verb == "--help" || verb == "-h")) {
    terminal.out << kHelp;
    return kExitKeep;
  }
  if (verb.empty()) {
    return Fail(UsageError("expected two result files or a verb",
                           "see bench_compare --help"),
                false, terminal);
  }
  if (verb == "run") {
    return RunRunCommand(Rest(arguments), PolicyKind::kTune, world, terminal);
  }
  if (verb == "gate") return RunGate(Rest(arguments), world, terminal);
  if (verb == "verify") {
    return RunVerifyCommand(Rest(arguments), world, terminal);
  }
  if (verb == "calibrate") {
    return RunCalibrateCommand(Rest(arguments), world, terminal);
  }
  if (const auto meant = MisspeltVerb(arguments, world); meant.has_value()) {
    return Fail(UsageError(absl::StrCat("no verb and no file: ", verb),
                           absl::StrCat("did you mean ", *meant, "?")),
                WantsJson(arguments), terminal);
  }
  return RunCompareCommand(arguments, PolicyKind::kTune, world, terminal);
}

}  // namespace autotune
