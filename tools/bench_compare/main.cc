#include "tools/bench_compare/commands.h"
#include "tools/program/program_main.h"

int main(int argc, char** argv) {
  return autotune::ProgramMain(autotune::BenchCompareProgram(), argc, argv);
}
