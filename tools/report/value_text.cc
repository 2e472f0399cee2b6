#include "tools/report/value_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/statistics/estimate.h"

namespace autotune {
namespace {

constexpr int kSignificantDigits = 4;
constexpr double kSmallestPlain = 1e-6;
// Beyond these a percentage is hard to read.
constexpr double kLargestPercentRatio = 10.0;
constexpr double kSmallestPercentRatio = 0.01;

struct Scale {
  double factor;
  std::string_view unit;
};

constexpr std::array<Scale, 4> kTimeScales = {
    {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1.0, " ns"}}};
constexpr std::array<Scale, 5> kDecimalScales = {
    {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1.0, ""}}};

bool IsTime(std::string_view metric_name) {
  const bool section =
      metric_name.starts_with("section/") && !metric_name.ends_with("/calls");
  return metric_name == "real_time" || metric_name == "cpu_time" || section;
}

// `value` with four significant digits, and an exponent only where the digits
// would be too far behind the point.
std::string SignificantText(double value) {
  if (value == 0.0) return "0";
  if (std::abs(value) < kSmallestPlain) return absl::StrFormat("%.3e", value);
  const int magnitude =
      static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(kSignificantDigits - 1 - magnitude, 0, 9);
  // 99.996 rounds to a digit more before its point.
  const double next = std::pow(10.0, magnitude + 1);
  const bool rounds_up =
      std::abs(value) + 0.5 * std::pow(10.0, -decimals) >= next;
  return FixedText(value, std::max(decimals - (rounds_up ? 1 : 0), 0));
}

}  // namespace

std::string ValueText(std::string_view metric_name, double value) {
  const bool time = IsTime(metric_name);
  const Scale* scale = time ? &kTimeScales.back() : &kDecimalScales.back();
  const auto fits = [value](const Scale& candidate) {
    return std::abs(value) >= candidate.factor;
  };
  if (time) {
    const auto* const found =
        std::find_if(kTimeScales.begin(), kTimeScales.end(), fits);
    if (found != kTimeScales.end()) scale = found;
  } else {
    const auto* const found =
        std::find_if(kDecimalScales.begin(), kDecimalScales.end(), fits);
    if (found != kDecimalScales.end()) scale = found;
  }
  return absl::StrCat(SignificantText(value / scale->factor),
                      std::string(scale->unit));
}

std::string ChangeText(double ratio) {
  if (ratio >= kLargestPercentRatio || ratio <= kSmallestPercentRatio) {
    return absl::StrCat("x ", SignificantText(ratio));
  }
  return SignedPercentText(ratio - 1.0);
}

std::string IntervalText(const Interval& interval) {
  const auto end = [](const std::optional<double>& ratio) {
    return ratio.has_value() ? ChangeText(*ratio) : std::string("?");
  };
  return absl::StrCat("[", end(interval.lower), ", ", end(interval.upper), "]");
}

std::string PValueText(double p_value) {
  return p_value < 0.0001 ? "<0.0001" : FixedText(p_value, 4);
}

std::string SecondsText(double seconds) {
  if (seconds < 99.95) return absl::StrCat(FixedText(seconds, 1), " s");
  const long whole = std::lround(seconds);
  return absl::StrCat(whole / 60, " min ", whole % 60, " s");
}

}  // namespace autotune
