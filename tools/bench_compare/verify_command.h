#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_VERIFY_COMMAND_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_VERIFY_COMMAND_H_

#include <string>
#include <vector>

#include "tools/bench_compare/program.h"
#include "tools/system/terminal.h"

namespace autotune {

// `bench_compare verify EVIDENCE`: recomputes the decision of a run from its
// evidence. Exit 0 when it agrees, 65 when it does not or cannot be read, 69
// when the run has not ended.
int RunVerifyCommand(const std::vector<std::string>& arguments,
                     const ProgramWorld& world, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_VERIFY_COMMAND_H_
