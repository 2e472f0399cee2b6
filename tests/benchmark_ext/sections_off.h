#ifndef AUTOTUNE_TESTS_BENCHMARK_EXT_SECTIONS_OFF_H_
#define AUTOTUNE_TESTS_BENCHMARK_EXT_SECTIONS_OFF_H_

#include <cstddef>

// A benchmark "SectionsOff", compiled with AUTOTUNE_DISABLE_SECTIONS.
namespace autotune::sections_off_test {

std::size_t SizeOfTimer();

}  // namespace autotune::sections_off_test

#endif  // AUTOTUNE_TESTS_BENCHMARK_EXT_SECTIONS_OFF_H_
