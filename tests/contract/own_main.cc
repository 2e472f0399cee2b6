// A custom main with the two documented lines, twice over.
#include <benchmark/benchmark.h>

#include "benchmark_ext/main.h"

int main(int argc, char** argv) {
  autotune::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::ConsoleReporter console;
  autotune::RunSpecifiedBenchmarks(&console, "BM_Counters");
  autotune::RunSpecifiedBenchmarks(&console, "BM_Template");
  benchmark::Shutdown();
  return autotune::ExitCode();
}
