#ifndef AUTOTUNE_TOOLS_LEDGER_TOML_SCANNER_H_
#define AUTOTUNE_TOOLS_LEDGER_TOML_SCANNER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// A path of keys: {"result", "metrics"} for [result.metrics].
using TomlPath = std::vector<std::string>;

// What stands right of a '='.
struct ScannedValue {
  enum class Kind {
    kString,
    kNumber,  // a finite one; booleans are 0 and 1
    kOther,   // arrays, dates, inf, nan, bare words
  };
  Kind kind = Kind::kOther;
  std::string text;  // of a string, decoded; else as written
  double number = 0.0;
};

// One step through a TOML-like text.
struct ScannedItem {
  enum class Kind {
    kTable,   // [path]
    kEntry,   // [[path]]
    kValue,   // path = value
    kDamage,  // a line that is none of these; `note` says why
  };
  Kind kind = Kind::kDamage;
  int line = 0;           // counted from 1
  std::size_t begin = 0;  // offset of the line's first byte
  TomlPath path;
  ScannedValue value;
  std::string note;             // of damage, or of a value that was mended
  std::size_t value_begin = 0;  // offsets of a value's first byte
  std::size_t value_end = 0;    // and of the byte behind it
};

// Calls `visit` with all tables, entries and values of `text` in order,
// comments and blank lines left out. Unlike a TOML parser it never gives up: a
// damaged line costs that line, so one bad entry cannot hide the others. Inline
// tables are flattened into values with longer paths. A byte-order mark and
// CRLF are accepted. O(size of text).
void ScanToml(std::string_view text,
              const std::function<void(const ScannedItem&)>& visit);

// The same items as a list.
std::vector<ScannedItem> ScanToml(std::string_view text);

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

#endif  // AUTOTUNE_TOOLS_LEDGER_TOML_SCANNER_H_
