#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_PROGRAM_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_PROGRAM_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/terminal.h"

namespace autotune {

// The world as one run of the program sees it; tests pass fakes.
struct ProgramWorld {
  FileSystem& files;
  ProcessRunner& processes;
  Clock& clock;
  Entropy& entropy;
  std::map<std::string, std::string> environment;
  // Asked between rounds: true after Ctrl-C.
  std::function<bool()> interrupted = [] { return false; };
};

// Runs `bench_compare ARGUMENTS` (without the program's name) and returns the
// exit code: results go to `terminal.out`, everything else to `terminal.err`.
int RunBenchCompare(const std::vector<std::string>& arguments,
                    const ProgramWorld& world, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_PROGRAM_H_
