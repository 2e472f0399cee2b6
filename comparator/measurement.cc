#include "comparator/measurement.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace autotune {
namespace {

// Counters that Google Benchmark itself defines, all better when lower: the
// memory manager's fields, and ours.
constexpr std::array<std::string_view, 8> kLowerIsBetter = {
    "real_time",      "cpu_time",        "allocs_per_iter",
    "max_bytes_used", "net_heap_growth", "total_allocated_bytes",
    "peak_rss",       "excess_cpu",
};
constexpr std::string_view kRateSuffix = "_per_second";
constexpr std::string_view kSectionPrefix = "section/";

// N of a "/threads:N" part; 1 when the name carries none.
long ThreadsOf(std::string_view name) {
  constexpr std::string_view kThreads = "/threads:";
  const std::size_t at = name.rfind(kThreads);
  if (at == std::string_view::npos) return 1;
  const std::string_view digits = name.substr(at + kThreads.size());
  long threads = 1;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), threads);
  return error == std::errc() ? threads : 1;
}

// Whether `name` has `part`, which starts with '/', as a whole path part.
bool HasPart(std::string_view name, std::string_view part) {
  for (std::size_t at = name.find(part); at != std::string_view::npos;
       at = name.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if (end == name.size() || name[end] == '/') return true;
  }
  return false;
}

std::optional<double> IfFinite(std::optional<double> value) {
  return value.has_value() && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::optional<double> MetricValue(const Measurement& measurement,
                                  std::string_view metric_name) {
  if (metric_name == "real_time") return IfFinite(measurement.real_time_ns);
  if (metric_name == "cpu_time") return IfFinite(measurement.cpu_time_ns);
  for (const auto& [name, value] : measurement.counters) {
    if (name == metric_name) return IfFinite(value);
  }
  return std::nullopt;
}

Metric DefaultMetric(std::string_view benchmark_name) {
  const bool wall = HasPart(benchmark_name, "/real_time") ||
                    HasPart(benchmark_name, "/manual_time") ||
                    ThreadsOf(benchmark_name) > 1;
  return Metric{wall ? "real_time" : "cpu_time", Direction::kLowerIsBetter};
}

std::optional<Direction> KnownDirection(std::string_view metric_name) {
  for (const std::string_view known : kLowerIsBetter) {
    if (metric_name == known) return Direction::kLowerIsBetter;
  }
  if (metric_name.starts_with(kSectionPrefix)) {
    return Direction::kLowerIsBetter;
  }
  if (metric_name.ends_with(kRateSuffix)) return Direction::kHigherIsBetter;
  return std::nullopt;
}

}  // namespace autotune
