#include "tools/autotune/verb_table.h"
#include "tools/program/program_main.h"

int main(int argc, char** argv) {
  return autotune::ProgramMain(autotune::AutotuneProgram(), argc, argv);
}
