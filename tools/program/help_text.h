#ifndef AUTOTUNE_TOOLS_PROGRAM_HELP_TEXT_H_
#define AUTOTUNE_TOOLS_PROGRAM_HELP_TEXT_H_

#include <string>
#include <vector>

#include "tools/program/command_line.h"
#include "tools/program/program.h"

namespace autotune {

// What `PROGRAM --help` prints: the verbs, the common options, exit codes and
// an example.
std::string ProgramHelp(const Program& program);

// What `PROGRAM VERB --help` prints: usage, words, options and an example.
// `line` is what the verb declared.
std::string VerbHelp(const Program& program, const Verb& verb,
                     const CommandLine& line);

// The arguments under one heading of --help.
struct ArgumentGroup {
  std::string heading;
  std::vector<const Argument*> arguments;
};

// Every argument of `line`, groups in the order of their first one.
std::vector<ArgumentGroup> GroupsOf(const CommandLine& line);

// "--baseline BINARY [OPTIONS] APPROACH [-- ARGUMENT...]".
std::string UsageOf(const CommandLine& line);

// "-q, --quiet", "--filter REGEX", "APPROACH".
std::string TitleOf(const Argument& argument);

// "bench_compare gate run".
std::string CommandOf(const Program& program, const Verb& verb);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_HELP_TEXT_H_
