#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_

#include "tools/program/program.h"

namespace autotune {

// The program `autotune`: a tuning loop for Google Benchmark in git.
Program AutotuneProgram();

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERB_TABLE_H_
