#ifndef AUTOTUNE_TOOLS_LEDGER_TOML_TEXT_H_
#define AUTOTUNE_TOOLS_LEDGER_TOML_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// `text` as a one-line TOML 1.0 basic string, quotes included: quotes,
// backslashes and control characters escaped, other characters raw, bytes that
// are no UTF-8 replaced by U+FFFD.
std::string TomlString(std::string_view text);

// `value` (finite) as a TOML float that reads back as the same double: always
// with a '.' or an exponent ("81443.0").
std::string TomlFloat(double value);

// `["a", "b"]`.
std::string TomlStringArray(const std::vector<std::string>& values);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TOML_TEXT_H_
