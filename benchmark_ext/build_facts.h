#ifndef AUTOTUNE_BENCHMARK_EXT_BUILD_FACTS_H_
#define AUTOTUNE_BENCHMARK_EXT_BUILD_FACTS_H_

#include <cstdint>
#include <string>

#include "reporter/fact.h"

// AUTOTUNE_BUILD_TYPE, when our CMake targets are linked, is the text of the
// user's CMAKE_BUILD_TYPE. AUTOTUNE_FOREIGN_BUILD marks a main that was not
// compiled with the program's own flags: it knows nothing of them.

namespace autotune {
namespace internal {

constexpr bool kHasAddressSanitizer =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

constexpr bool kHasThreadSanitizer =
#if defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

}  // namespace internal

// How the translation unit that calls this was compiled, which is why it has
// internal linkage: compiler, build type, whether optimised, whether assert is
// on, the language standard (the value of __cplusplus), sanitizers. Empty for a
// main that came compiled.
static inline Facts BuildFacts() {
  Facts facts;
#if !defined(AUTOTUNE_FOREIGN_BUILD)
#if defined(__clang__)
  facts.push_back({"compiler", std::string("clang ") + __clang_version__});
#elif defined(__GNUC__)
  facts.push_back({"compiler", std::string("gcc ") + __VERSION__});
#endif
#if defined(AUTOTUNE_BUILD_TYPE)
  const std::string build_type = AUTOTUNE_BUILD_TYPE;
  if (!build_type.empty()) facts.push_back({"build_type", build_type});
#endif
#if defined(__OPTIMIZE__)
  facts.push_back({"optimized", true});
#elif defined(__GNUC__)
  facts.push_back({"optimized", false});
#endif
#if defined(NDEBUG)
  facts.push_back({"assertions", false});
#else
  facts.push_back({"assertions", true});
#endif
  facts.push_back({"cplusplus", static_cast<std::int64_t>(__cplusplus)});
  if (internal::kHasAddressSanitizer) {
    facts.push_back({"address_sanitizer", true});
  }
  if (internal::kHasThreadSanitizer) {
    facts.push_back({"thread_sanitizer", true});
  }
#endif
  return facts;
}

}  // namespace autotune

#endif  // AUTOTUNE_BENCHMARK_EXT_BUILD_FACTS_H_
