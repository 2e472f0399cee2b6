#ifndef AUTOTUNE_COMPARATOR_RESULTS_JSON_VALUES_H_
#define AUTOTUNE_COMPARATOR_RESULTS_JSON_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "comparator/results/json_scanner.h"

namespace autotune {

// Typed readers on a JsonScanner: each reads the next value or, when it is of
// another type, stops the scanner there with "expected TYPE, got TYPE".

bool ReadText(JsonScanner& scanner, std::string& value);
// The view lives until the next string or key is read.
bool ReadView(JsonScanner& scanner, std::string_view& value);
bool ReadFlag(JsonScanner& scanner, bool& value);

// A number, or null (what some converters write for NaN): then no value.
bool ReadNumberOrNull(JsonScanner& scanner, JsonNumber& value);

// A whole number that fits: 12, and 1e+12 or 12.0 as converters write it. Not
// 1.000, which may be a thousand in a locale that groups digits by points.
bool ReadInteger(JsonScanner& scanner, std::optional<std::int64_t>& value);

bool BeginObjectValue(JsonScanner& scanner, JsonKeys& keys);
bool BeginArrayValue(JsonScanner& scanner, bool& first);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_JSON_VALUES_H_
