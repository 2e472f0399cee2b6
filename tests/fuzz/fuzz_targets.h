#ifndef AUTOTUNE_TESTS_FUZZ_FUZZ_TARGETS_H_
#define AUTOTUNE_TESTS_FUZZ_FUZZ_TARGETS_H_

#include <cstdlib>
#include <string_view>

namespace autotune {

// What is fuzzed: each takes any bytes and aborts when a promise is broken.
void FuzzResultFile(std::string_view text);
void FuzzPolicy(std::string_view text);
void FuzzEvidence(std::string_view text);
void FuzzComparison(std::string_view text);

// Ends the program unless the promise is kept.
inline void Require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_FUZZ_FUZZ_TARGETS_H_
