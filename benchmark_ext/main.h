#ifndef AUTOTUNE_BENCHMARK_EXT_MAIN_H_
#define AUTOTUNE_BENCHMARK_EXT_MAIN_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

#include "benchmark_ext/build_facts.h"
#include "reporter/fact.h"
#include "reporter/library_compat.h"

// For programs with a main of their own: call these two instead of the
// library's functions of the same names and everything else stays.
//
//   int main(int argc, char** argv) {
//     autotune::Initialize(&argc, argv);        // was benchmark::Initialize
//     if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
//     autotune::RunSpecifiedBenchmarks();       // was benchmark::Run...
//     benchmark::Shutdown();
//     return autotune::ExitCode();
//   }

namespace autotune {

// As benchmark::Initialize, but takes --benchmark_out (and BENCHMARK_OUT) for
// itself when the output format is json, which is the default: the library then
// never opens the file. Every other flag reaches the library unchanged.
//
// Leave the other parameters alone. `build` tells the result file how the
// caller was compiled; `layout` is there for the linker, so that objects
// compiled against another Google Benchmark's headers do not link instead of
// crashing.
void Initialize(int* argc, char** argv, const Facts& build = BuildFacts(),
                compat::ThisLayout layout = {});

// As benchmark::RunSpecifiedBenchmarks: runs what the filter matches, shows it
// on `display` (null: the one of --benchmark_format) and returns the number of
// benchmarks matched. With --benchmark_out the file is written as
// VisitReporter says, over all calls together. A file that cannot be opened
// ends the program with code 1 as the library does.
std::size_t RunSpecifiedBenchmarks(
    benchmark::BenchmarkReporter* display = nullptr);

// As above for benchmarks matching the regular expression `spec`.
std::size_t RunSpecifiedBenchmarks(benchmark::BenchmarkReporter* display,
                                   const std::string& spec);

// 0, or 1 when the result file lacks something that was reported (a full disk).
int ExitCode();

// The whole of benchmark::benchmark_main's main. ASLR is left on (the library's
// own main turns it off from 1.9.3 on): layout varies between visits, which is
// wanted. `argv` may be null.
// The other parameters are those of Initialize.
int BenchmarkMain(int argc, char** argv, const Facts& build = BuildFacts(),
                  compat::ThisLayout layout = {});

}  // namespace autotune

// In place of BENCHMARK_MAIN().
#define AUTOTUNE_BENCHMARK_MAIN()                 \
  int main(int argc, char** argv) {               \
    return ::autotune::BenchmarkMain(argc, argv); \
  }                                               \
  int main(int, char**)

#endif  // AUTOTUNE_BENCHMARK_EXT_MAIN_H_
