#ifndef AUTOTUNE_TOOLS_PROGRAM_SHELL_VERBS_H_
#define AUTOTUNE_TOOLS_PROGRAM_SHELL_VERBS_H_

#include <string>
#include <vector>

#include "tools/program/program.h"

namespace autotune {

// Adds the verbs that every program has: `completion SHELL` prints the script
// by which bash, zsh or fish completes the program's command lines, `manual`
// its manual page, and the hidden `complete -- WORD...` answers those scripts.
// `make` makes the program; all three walk its table of verbs when they run.
void AddShellVerbs(Program (*make)(), Program& program);

// What a shell may put for the last of `words`, the one at the cursor; the
// others, without the program's name, stand before it. The first line says what
// the shell adds by itself: "files", "folders" or "words" for nothing. Then a
// candidate a line, a tab and what it is.
std::string Complete(const Program& program,
                     const std::vector<std::string>& words,
                     const ProgramWorld& world, Terminal& terminal);

// The program's manual page (section 1), in the language of man(7).
std::string ManualPage(const Program& program);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_PROGRAM_SHELL_VERBS_H_
