#include "comparator/statistics/metric.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace autotune {
namespace {

// The N of "threads:N"; nothing when `part` is something else.
std::optional<std::int64_t> ThreadsOf(std::string_view part) {
  constexpr std::string_view kPrefix = "threads:";
  if (!part.starts_with(kPrefix)) return std::nullopt;
  part.remove_prefix(kPrefix.size());
  std::int64_t threads = 0;
  const char* const end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, threads);
  if (error != std::errc() || stop != end) return std::nullopt;
  return threads;
}

// Calls `visit` with each part of `name` between slashes, the first one (the
// function's name) left out.
template <typename Visit>
void ForEachArgument(std::string_view name, Visit visit) {
  std::size_t slash = name.find('/');
  while (slash != std::string_view::npos) {
    const std::size_t start = slash + 1;
    slash = name.find('/', start);
    visit(name.substr(start, slash - start));
  }
}

template <std::size_t kSize>
bool Contains(const std::array<std::string_view, kSize>& names,
              std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Metric DefaultMetric(std::string_view benchmark_name) {
  bool by_wall_clock = false;
  ForEachArgument(benchmark_name, [&by_wall_clock](std::string_view part) {
    by_wall_clock = by_wall_clock || part == "real_time" ||
                    part == "manual_time" || ThreadsOf(part).value_or(1) > 1;
  });
  return {by_wall_clock ? "real_time" : "cpu_time", Direction::kLowerIsBetter};
}

std::int64_t ThreadsInName(std::string_view benchmark_name) {
  std::int64_t threads = 1;
  ForEachArgument(benchmark_name, [&threads](std::string_view part) {
    threads = ThreadsOf(part).value_or(threads);
  });
  return threads;
}

std::optional<Direction> KnownDirection(std::string_view metric_name) {
  // Times, what the runner measures of a process, and the memory manager's
  // fields.
  constexpr std::array<std::string_view, 9> kLower = {
      "real_time",       "cpu_time",
      "peak_rss",        "excess_cpu",
      "binary_size",     "allocs_per_iter",
      "max_bytes_used",  "total_allocated_bytes",
      "net_heap_growth",
  };
  // The kernel's generic events, as --benchmark_perf_counters names them.
  constexpr std::array<std::string_view, 10> kEvents = {
      "CYCLES",      "INSTRUCTIONS",        "CACHE-REFERENCES", "CACHE-MISSES",
      "BRANCHES",    "BRANCH-INSTRUCTIONS", "BRANCH-MISSES",    "BUS-CYCLES",
      "PAGE-FAULTS", "CONTEXT-SWITCHES",
  };
  if (metric_name.ends_with("_per_second")) return Direction::kHigherIsBetter;
  if (metric_name.starts_with("section/") || Contains(kLower, metric_name) ||
      Contains(kEvents, metric_name)) {
    return Direction::kLowerIsBetter;
  }
  return std::nullopt;
}

}  // namespace autotune
