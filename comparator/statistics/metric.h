#ifndef AUTOTUNE_COMPARATOR_STATISTICS_METRIC_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_METRIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/names.h"

namespace autotune {

// Which way a metric gets better.
enum class Direction { kLowerIsBetter, kHigherIsBetter };
template <>
struct NameTable<Direction> {
  static constexpr Named<Direction> kAll[] = {
      {"lower", Direction::kLowerIsBetter},
      {"higher", Direction::kHigherIsBetter}};
};

// What is compared: "real_time", "cpu_time" (both in ns an iteration) or the
// name of a counter such as "items_per_second" or "section/parse".
struct Metric {
  std::string name;
  Direction direction = Direction::kLowerIsBetter;

  friend bool operator==(const Metric&, const Metric&) = default;
};

// The metric a benchmark is judged by unless the user names one: "real_time"
// when its name carries "/real_time", "/manual_time" or "/threads:N" with N >
// 1, else "cpu_time". Source: the clock Google Benchmark itself steers by.
Metric DefaultMetric(std::string_view benchmark_name);

// N of the "/threads:N" in a benchmark's name; 1 without one.
std::int64_t ThreadsInName(std::string_view benchmark_name);

// The direction of a metric known by name: times ("section/..." included),
// memory, the memory manager's fields and the kernel's generic perf events
// lower, "*_per_second" higher. Nothing for other counters: the user must say.
std::optional<Direction> KnownDirection(std::string_view metric_name);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_METRIC_H_
