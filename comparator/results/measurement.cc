#include "comparator/results/measurement.h"

#include <cmath>
#include <optional>
#include <string_view>

namespace autotune {
namespace {

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

}  // namespace autotune
