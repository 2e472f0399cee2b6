// A user's program that reads, judges and tests results itself: everything that
// is installed for it.
#include <iostream>
#include <vector>

#include "base/version.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/online_fdr.h"
#include "comparator/statistics/sequential_guard.h"
#include "comparator/statistics/sequential_test.h"

namespace {

// Whether rounds that are all 5 % better are a keep.
bool KeepsWhatIsFaster() {
  autotune::SequentialTest test{autotune::SequentialOptions()};
  for (int round = 0; round < 20; ++round) test.Add(0.05);
  return test.decision() == autotune::Decision::kKeep;
}

}  // namespace

int main() {
  const auto file = autotune::ParseResultFile(
      R"({"context": {}, "benchmarks": [{"name": "BM_A", "iterations": 1000,
          "real_time": 2.0, "cpu_time": 1.0, "time_unit": "ns"}]})",
      "text");
  if (!file.ok()) {
    std::cerr << file.status().message() << '\n';
    return 1;
  }
  const bool median = autotune::Median(std::vector<double>{3.0, 1.0, 2.0}) == 2;
  return file->measurements.size() == 1 && median && KeepsWhatIsFaster() ? 0
                                                                         : 1;
}
