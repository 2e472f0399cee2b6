// A function with sections or, with WITHOUT_SECTIONS, the same one without:
// compiled with sections disabled both are the same instructions.
#include "benchmark_ext/section_timer.h"

int work;

void Sections(benchmark::State& state) {
  for (auto _ : state) {
#if !defined(WITHOUT_SECTIONS)
    autotune::SectionTimer outer(state, "outer");
    autotune::SectionTimer inner(state, "inner");
#endif
    work += 1;
    benchmark::ClobberMemory();
#if !defined(WITHOUT_SECTIONS)
    inner.Next("next");
#endif
    work += 2;
    benchmark::ClobberMemory();
  }
}
