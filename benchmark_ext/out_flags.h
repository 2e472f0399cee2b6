#ifndef AUTOTUNE_BENCHMARK_EXT_OUT_FLAGS_H_
#define AUTOTUNE_BENCHMARK_EXT_OUT_FLAGS_H_

#include <string>

namespace autotune::internal {

// The file our reporter writes, by the command line: the value of
// --benchmark_out when the output format is json and the value is not empty.
// Otherwise empty: there is no file, or it is the library's.
//
// As in the library, the environment gives the defaults (`env_out` and
// `env_format`; null when not set), the last of equal flags counts and only
// "--flag=value" is a flag. `argv[0]` is the program.
std::string OurResultPath(int argc, const char* const* argv,
                          const char* env_out, const char* env_format);

}  // namespace autotune::internal

#endif  // AUTOTUNE_BENCHMARK_EXT_OUT_FLAGS_H_
