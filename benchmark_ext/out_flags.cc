#include "benchmark_ext/out_flags.h"

#include <string_view>

namespace autotune::internal {
namespace {

// The value of the last "`flag`=value" argument, else the environment's, else
// `default_value`.
std::string FlagValue(int argc, const char* const* argv, std::string_view flag,
                      const char* from_environment, const char* default_value) {
  for (int i = argc - 1; i > 0; --i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, flag.size()) == flag) {
      return std::string(argument.substr(flag.size()));
    }
  }
  return from_environment != nullptr ? from_environment : default_value;
}

}  // namespace

std::string OurResultPath(int argc, const char* const* argv,
                          const char* env_out, const char* env_format) {
  const std::string format =
      FlagValue(argc, argv, "--benchmark_out_format=", env_format, "json");
  if (format != "json") return {};
  return FlagValue(argc, argv, "--benchmark_out=", env_out, "");
}

}  // namespace autotune::internal
