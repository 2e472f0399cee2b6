// A user's program that reads and judges results itself.
#include <iostream>

#include "comparator/results/result_file.h"

int main() {
  const auto file = autotune::ParseResultFile(
      R"({"context": {}, "benchmarks": [{"name": "BM_A", "iterations": 1000,
          "real_time": 2.0, "cpu_time": 1.0, "time_unit": "ns"}]})",
      "text");
  if (!file.ok()) {
    std::cerr << file.status().message() << '\n';
    return 1;
  }
  return file->measurements.size() == 1 ? 0 : 1;
}
