#ifndef AUTOTUNE_COMPARATOR_RECORDED_VISIT_VALUES_H_
#define AUTOTUNE_COMPARATOR_RECORDED_VISIT_VALUES_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/outcome/outcome.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/results/measurement.h"

namespace autotune {

// One side's values of a metric, one a unit, in the files' order.
struct SideValues {
  std::vector<double> values;
  // Unit of each value: the visit's index, or a running number of repetitions.
  std::vector<std::size_t> units;
  std::size_t visits = 0;
  std::size_t repetitions = 0;
};

struct PairValues {
  SideValues baseline;
  SideValues contender;
  SamplingUnit unit = SamplingUnit::kVisit;
  // Some visit had only published aggregates: its value is the published
  // median or mean, and so is every other visit's.
  bool from_aggregates = false;
  std::string_view statistic = "median";
};

// Whether any row or usable aggregate of the pair carries the metric.
bool CarriesMetric(const BenchmarkPair& pair, std::string_view metric_name);

// What values may be: above 0 for a ratio, 0 too where counts are compared
// exactly then, anything where they are compared as they are.
enum class ValueRange { kPositive, kNotNegative, kAny };

// The values of `metric_name` on both sides; the unit is the visit when both
// sides have several, else the repetition.
//
// Aborted, with why the pair cannot be judged, when a side has no row, a failed
// or skipped one, none in one of the runs, a row without the metric, a value
// out of the range, or several benchmarks under the one name.
absl::StatusOr<PairValues> ValuesOf(const BenchmarkPair& pair,
                                    std::string_view metric_name,
                                    ValueRange range = ValueRange::kPositive);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_VISIT_VALUES_H_
