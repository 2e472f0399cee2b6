#ifndef AUTOTUNE_TOOLS_PROGRAM_PROGRAM_MAIN_H_
#define AUTOTUNE_TOOLS_PROGRAM_PROGRAM_MAIN_H_

#include "tools/program/program.h"

namespace autotune {

// What both programs' main does: the process's arguments, environment, folder,
// streams and signals meet the verbs here. SIGINT, SIGTERM and SIGHUP ask the
// verb to end; a stream that is closed swallows what is written to it.
int ProgramMain(const Program& program, int argc, char** argv);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_PROGRAM_MAIN_H_
