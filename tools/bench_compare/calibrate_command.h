#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATE_COMMAND_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATE_COMMAND_H_

#include <string>
#include <vector>

#include "tools/bench_compare/program.h"
#include "tools/system/terminal.h"

namespace autotune {

// `bench_compare calibrate --binary BINARY`: live decisions of a program
// against itself, and what they say about this machine. Exit 0 when they could
// be made, whatever they were.
int RunCalibrateCommand(const std::vector<std::string>& arguments,
                        const ProgramWorld& world, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATE_COMMAND_H_
