#ifndef AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_ROWS_H_
#define AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_ROWS_H_

#include <optional>
#include <vector>

#include "comparator/policy/comparison_rules.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/comparison.h"
#include "comparator/recorded/recorded_shift.h"
#include "comparator/recorded/visit_values.h"

namespace autotune {

// One comparison while it is being judged, with what it is judged from.
struct ComparisonRow {
  Comparison comparison;
  const BenchmarkPair* pair = nullptr;
  std::optional<PairValues> values;  // absent: cannot judge
  std::optional<RecordedShift> test;

  // Has numbers that are not doubted.
  bool sound() const {
    return test.has_value() && comparison.suspicion.empty();
  }
};

// The comparisons of matched benchmarks, measured but without verdict: names,
// metric, role, margin, sizes, medians, estimate, p-value, suspicion, or why
// one cannot be judged. Benchmarks on one side only, unusable rows, metrics and
// guards that no file carries go to `table`.
std::vector<ComparisonRow> MakeComparisonRows(const MatchedBenchmarks& matched,
                                              const ComparisonRules& rules,
                                              const Policy& policy,
                                              const CompareOptions& options,
                                              RankTables& tables,
                                              ComparisonTable& table);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_COMPARISON_ROWS_H_
