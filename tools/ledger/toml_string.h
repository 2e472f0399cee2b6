#ifndef AUTOTUNE_TOOLS_LEDGER_TOML_STRING_H_
#define AUTOTUNE_TOOLS_LEDGER_TOML_STRING_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {

// A TOML string read leniently.
struct DecodedString {
  std::size_t size = 0;  // bytes taken, quotes included; 0: no string there
  std::string text;      // decoded, valid UTF-8
  std::string note;      // what was mended, or why there is no string
};

// The string that starts at the first byte of `source`, a quote: basic,
// literal, or either on several lines. Surrogate pairs written as two \u
// escapes (no TOML, but one writer makes them for emoji) are joined; a lone
// surrogate, an unknown escape or bad UTF-8 is mended and noted. O(size).
DecodedString DecodeTomlString(std::string_view source);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TOML_STRING_H_
