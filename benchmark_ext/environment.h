#ifndef AUTOTUNE_BENCHMARK_EXT_ENVIRONMENT_H_
#define AUTOTUNE_BENCHMARK_EXT_ENVIRONMENT_H_

#include <functional>
#include <string>

#include "reporter/fact.h"

namespace autotune {

// Where the facts of the machine come from; tests give a folder of their own.
struct EnvironmentSource {
  // Put before "/proc/..." and "/sys/...".
  std::string root;
  // The value of an environment variable, empty when it is not set.
  std::function<std::string(const char* name)> variable;
  // What the processor says of the hypervisor under it; empty: nothing.
  std::string hypervisor_signature;
  // CPUs this process may run on; 0: not known.
  int cpus_allowed = 0;

  // The machine this process runs on.
  static EnvironmentSource ThisMachine();
};

// What is known of the machine and of who runs this process on it, as facts of
// the names in docs/result_format.md. What `source` does not say, or says in a
// form that is not understood, is left out: nothing is guessed.
Facts ReadEnvironment(const EnvironmentSource& source);

}  // namespace autotune

#endif  // AUTOTUNE_BENCHMARK_EXT_ENVIRONMENT_H_
