// A program whose own file asks for our main.
#include "benchmark_ext/main.h"

AUTOTUNE_BENCHMARK_MAIN();
