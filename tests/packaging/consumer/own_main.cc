// A user's own main: the two documented lines.
#include <benchmark/benchmark.h>

#include "benchmark_ext/main.h"

int main(int argc, char** argv) {
  autotune::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  autotune::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return autotune::ExitCode();
}
