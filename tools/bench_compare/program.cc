#include "tools/bench_compare/program.h"

#include <string>
#include <vector>

#include "base/version.h"
#include "comparator/policy.h"
#include "tools/bench_compare/compare_command.h"
#include "tools/system/exit_code.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

std::vector<std::string> Rest(const std::vector<std::string>& arguments) {
  return {arguments.begin() + 1, arguments.end()};
}

}  // namespace

int RunBenchCompare(const std::vector<std::string>& arguments,
                    const ProgramWorld& world, Terminal& terminal) {
  const std::string verb = arguments.empty() ? "" : arguments.front();
  if (verb == "--version") {
    terminal.out << "bench_compare " << kVersion << '\n';
    return kExitKeep;
  }
  if (verb == "gate") {
    return RunCompareCommand(Rest(arguments), PolicyKind::kGate, world,
                             terminal);
  }
  return RunCompareCommand(arguments, PolicyKind::kTune, world, terminal);
}

}  // namespace autotune
