#define AUTOTUNE_DISABLE_SECTIONS
#include "tests/benchmark_ext/sections_off.h"

#include "benchmark_ext/section_timer.h"

namespace autotune::sections_off_test {
namespace {

void SectionsOff(benchmark::State& state) {
  for (auto _ : state) {
    SectionTimer timer(state, "part");
    timer.Next("next");
  }
}
BENCHMARK(SectionsOff)->Iterations(3);

}  // namespace

std::size_t SizeOfTimer() { return sizeof(SectionTimer); }

}  // namespace autotune::sections_off_test
