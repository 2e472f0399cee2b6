#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_COMMAND_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_COMMAND_H_

#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "tools/bench_compare/program.h"
#include "tools/system/terminal.h"

namespace autotune {

// `bench_compare run`, and with `kind` kGate `bench_compare gate run`: measures
// two programs interleaved until the decision is proven or the budget spent.
// Returns the exit code.
int RunRunCommand(const std::vector<std::string>& arguments, PolicyKind kind,
                  const ProgramWorld& world, Terminal& terminal);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_RUN_COMMAND_H_
