#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace autotune {
namespace {

// Longest fixed text of a double: 309 digits, sign, point and 17 decimals.
constexpr int kBufferSize = 352;

std::string_view WithoutTrailingSpaces(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct DurationUnit {
  std::string_view name;
  double seconds;
};
// "ms" before "m": the first that fits is taken.
constexpr std::array<DurationUnit, 4> kDurationUnits = {
    {{"ms", 1e-3}, {"h", 3600.0}, {"m", 60.0}, {"s", 1.0}}};

// Takes one "NUMBER UNIT" from the front of `text` and returns its seconds.
std::optional<double> TakeDurationPart(std::string_view& text) {
  const std::size_t digits =
      std::min(text.find_first_not_of("0123456789."), text.size());
  const std::optional<double> number =
      ParseFiniteDouble(text.substr(0, digits));
  if (!number.has_value()) return std::nullopt;
  text.remove_prefix(digits);
  for (const DurationUnit& unit : kDurationUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return *number * unit.seconds;
  }
  return std::nullopt;
}

}  // namespace

std::string ShortestText(double value) {
  assert(std::isfinite(value));
  std::array<char, kBufferSize> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  assert(error == std::errc());
  return std::string(buffer.data(), end);
}

std::string FixedText(double value, int digits) {
  assert(std::isfinite(value) && digits >= 0 && digits <= 17);
  std::array<char, kBufferSize> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    std::chars_format::fixed, digits);
  assert(error == std::errc());
  return std::string(buffer.data(), end);
}

std::string SignedPercentText(double fraction) {
  const std::string sign = std::signbit(fraction) ? "" : "+";
  return sign + FixedText(100.0 * fraction, 2) + " %";
}

std::optional<double> ParseFiniteDouble(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string AnyNumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  return ShortestText(value);
}

std::optional<double> ParseFraction(std::string_view text) {
  if (text.ends_with('%')) {
    text = WithoutTrailingSpaces(text.substr(0, text.size() - 1));
    // By the exponent: a division would round a second time.
    return ParseFiniteDouble(std::string(text) + "e-2");
  }
  const std::optional<double> number = ParseFiniteDouble(text);
  return number.value_or(1.0) < 1.0 ? number : std::nullopt;
}

std::string FractionText(double value) {
  std::string text = ShortestText(value);
  if (value < 1.0) return text;
  if (text.find('e') != std::string::npos) text = FixedText(value, 0);
  // The point moves two digits to the right.
  const std::size_t point = std::min(text.find('.'), text.size());
  text.erase(point, 1);
  text.resize(std::max(text.size(), point + 2), '0');
  if (text.size() > point + 2) text.insert(point + 2, 1, '.');
  return text + "%";
}

std::optional<double> ParseDurationSeconds(std::string_view text) {
  double seconds = 0.0;
  do {
    const std::optional<double> part = TakeDurationPart(text);
    if (!part.has_value()) return std::nullopt;
    seconds += *part;
  } while (!text.empty());
  if (!std::isfinite(seconds) || seconds <= 0.0) return std::nullopt;
  return seconds;
}

std::string DurationText(double seconds) {
  std::string text = ShortestText(seconds);
  // Durations know no exponent; nanoseconds are their finest unit.
  if (text.find('e') != std::string::npos) text = FixedText(seconds, 9);
  return text + "s";
}

std::string PercentHint(std::string_view text) {
  const std::optional<double> number = ParseFiniteDouble(text);
  if (number.value_or(0.0) < 1.0) return "";
  return "; did you mean " + ShortestText(*number) + "%?";
}

std::string SecondsHint(std::string_view text) {
  const std::optional<double> number = ParseFiniteDouble(text);
  if (number.value_or(0.0) <= 0.0) return "";
  return "; did you mean " + DurationText(*number) + "?";
}

}  // namespace autotune
