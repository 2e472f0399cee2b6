# Stands for another version of Google Benchmark: it only has to be found.
add_library(benchmark::benchmark INTERFACE IMPORTED)
