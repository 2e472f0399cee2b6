#ifndef AUTOTUNE_COMPARATOR_RESULTS_MEASUREMENT_H_
#define AUTOTUNE_COMPARATOR_RESULTS_MEASUREMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/statistics/metric.h"

namespace autotune {

// One repetition of one benchmark in one visit (process run).
//
// Times are per iteration, in ns, whatever unit the file used; absent when the
// row has none or it is not finite. `counters` keep the file's order.
struct Measurement {
  std::string name;  // the full run name, "BM_Parse/64/threads:2"
  std::string
      visit_id;  // empty when the file does not say which visit wrote it
  std::int64_t iterations = 0;
  std::int64_t repetition_index = 0;  // counted from 0 when the file has none
  std::int64_t threads = 1;
  // 0, or 1, 2, ... when the file has more than one benchmark of this name (it
  // was registered again, or several runs were put in one file).
  std::int64_t registration = 0;
  std::optional<double> real_time_ns;
  std::optional<double> cpu_time_ns;
  std::string label;
  std::vector<std::pair<std::string, double>> counters;
};

// The value of `metric_name` in `measurement`: a time in ns or a counter.
// Nothing when the row does not carry it.
std::optional<double> MetricValue(const Measurement& measurement,
                                  std::string_view metric_name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_MEASUREMENT_H_
