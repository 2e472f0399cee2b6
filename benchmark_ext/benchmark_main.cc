// The drop-in main: what linking autotune::benchmark_main instead of
// benchmark::benchmark_main brings.

#include "benchmark_ext/main.h"

AUTOTUNE_BENCHMARK_MAIN();
