#ifndef AUTOTUNE_TOOLS_AUTOTUNE_COMMAND_LINE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_COMMAND_LINE_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/measure/interleaved_run.h"
#include "tools/system/terminal.h"

namespace autotune {

// The world as one run of the program sees it.
struct AutotuneWorld {
  MeasureSeams seams;
  std::string directory;  // absolute
  std::map<std::string, std::string> environment;
  std::function<bool()> interrupted = [] { return false; };
};

// Runs `autotune ARGUMENTS` (without the program's name), results on
// `terminal.out`, everything else on `terminal.err`, and returns the exit code.
// Nothing else of the process is touched, so that tests run it in-process.
int RunAutotune(const std::vector<std::string>& arguments,
                const AutotuneWorld& world, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_COMMAND_LINE_H_
