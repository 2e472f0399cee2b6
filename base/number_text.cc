#include "base/number_text.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
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

std::optional<double> ParseFraction(std::string_view text) {
  if (text.empty() || text.back() != '%') return ParseFiniteDouble(text);
  text.remove_suffix(1);
  const std::optional<double> percent =
      ParseFiniteDouble(WithoutTrailingSpaces(text));
  if (!percent.has_value()) return std::nullopt;
  return *percent / 100.0;
}

}  // namespace autotune
