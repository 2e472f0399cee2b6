#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_COMMANDS_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_COMMANDS_H_

#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"

namespace autotune {

// The program `bench_compare`: decisions between two builds.
Program BenchCompareProgram();

// `bench_compare BASELINE CONTENDER` and, with `kind` kGate, `bench_compare
// gate BASELINE CONTENDER`: compares recorded files.
Action DeclareCompare(PolicyKind kind, CommandLine& line);

// `bench_compare run`, and with `kind` kGate `bench_compare gate run`: measures
// two programs interleaved until the decision is proven or the budget spent.
Action DeclareRun(PolicyKind kind, CommandLine& line);

// `bench_compare gate --base-ref REF`: builds the merge base of REF and HEAD,
// and HEAD, by the policy's commands, measures every benchmark program of both,
// and refuses losses. Whatever keeps it from judging ends with 2.
Action DeclareChangeGate(CommandLine& line);

// `bench_compare bisect GOOD..BAD`: builds and measures commits, each chosen by
// the evidence so far, until the first bad one is known. Exit 0 then, 3 when
// several are left, 69 when nothing was lost, 2 when an end does not build.
Action DeclareBisect(CommandLine& line);

// `bench_compare history add EVIDENCE...` and `history show`: what was measured
// of the main branch, in git notes, and where its level changed.
Action DeclareHistoryAdd(CommandLine& line);
Action DeclareHistoryShow(CommandLine& line);

// `bench_compare combine EVIDENCE...`: one decision from runs on several hosts.
Action DeclareCombine(CommandLine& line);

// `bench_compare verify EVIDENCE`: recomputes the decision of a run, or of
// several combined, from its evidence. Exit 0 when it agrees, 65 when it does
// not or cannot be read, 69 when the run has not ended.
Action DeclareVerify(CommandLine& line);

// `bench_compare calibrate --binary BINARY`: live decisions of a program
// against itself, and what they say about this machine. Exit 0 when they could
// be made, whatever they were.
Action DeclareCalibrate(CommandLine& line);

// `bench_compare count`: instructions an iteration of both programs, exact and
// the same each time for deterministic programs (callgrind). Decides nothing.
Action DeclareCount(CommandLine& line);

// `bench_compare explain`: the same by function, the largest difference first.
Action DeclareExplain(CommandLine& line);

// What a shell may put for a REGEX on benchmark names: those that the programs
// on `line` list themselves, or that its recorded files hold.
std::vector<std::string> BenchmarkCandidates(const std::string& placeholder,
                                             CommandLine& line,
                                             const Invocation& invocation);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_COMMANDS_H_
