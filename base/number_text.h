#ifndef AUTOTUNE_BASE_NUMBER_TEXT_H_
#define AUTOTUNE_BASE_NUMBER_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace autotune {

// Shortest decimal text that reads back as the same double ("0.1", "1e+300"),
// always with '.', whatever the locale. `value` must be finite.
std::string ShortestText(double value);

// `value` with exactly `digits` digits after the '.', whatever the locale.
// `digits` in [0, 17]; `value` must be finite.
std::string FixedText(double value, int digits);

// Percentage of a fraction with a sign and two digits: 0.0123 -> "+1.23 %".
std::string SignedPercentText(double fraction);

// The double that the whole of `text` spells, in C locale syntax without
// surrounding space; nothing when it spells none, or infinity, NaN or a value
// out of range.
std::optional<double> ParseFiniteDouble(std::string_view text);

// A fraction written as one ("0.01") or as per cent ("1%", "1 %"); nothing when
// `text` is neither.
std::optional<double> ParseFraction(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_NUMBER_TEXT_H_
