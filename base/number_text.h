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

// `value` in a message: ShortestText, or "NaN", "infinity", "-infinity".
std::string AnyNumberText(double value);

// A fraction written as one ("0.01") or as per cent ("1%", "150 %"); nothing
// when `text` is neither, and for a plain number at or above 1: 5 may be meant
// as 5 % or as 500 %, so that such a fraction needs its per-cent sign.
std::optional<double> ParseFraction(std::string_view text);

// `value` (finite) as ParseFraction reads it back: "0.01", "150%".
std::string FractionText(double value);

// Seconds of a duration in the one grammar of flags and files: numbers with the
// units h, m, s and ms, added up ("120s", "1.5h", "1m30s", "500ms"). Nothing
// when `text` is none, lacks a unit, or is not positive and finite.
std::optional<double> ParseDurationSeconds(std::string_view text);

// `seconds` (finite, > 0) as ParseDurationSeconds reads it back: "120s".
std::string DurationText(double seconds);

// "; did you mean 5%?" and "; did you mean 90s?": the end of an error about a
// number that lacks only its per-cent sign or unit; "" for any other text.
std::string PercentHint(std::string_view text);
std::string SecondsHint(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_BASE_NUMBER_TEXT_H_
