#ifndef AUTOTUNE_COMPARATOR_RESULTS_JSON_SCANNER_H_
#define AUTOTUNE_COMPARATOR_RESULTS_JSON_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// What the next value of a JsonScanner is, told by its first character.
enum class JsonType {
  kObject,
  kArray,
  kString,
  kNumber,  // NaN and infinities in any spelling included
  kBool,
  kNull,
  kOther,  // none of these, or a list's end, or the text's
};

// "an object", "a number", ... for messages.
std::string_view JsonTypeName(JsonType type);

// Why a JsonScanner stopped.
enum class JsonFault {
  kNone,
  kEndOfText,        // inside a value: the text is cut off
  kDuplicateKey,     // `detail` is the key
  kTrailingComma,    // before '}' or ']'
  kMissingComma,     // between two members or items
  kDigitAfterComma,  // 6,7e+02 or 1,000: a number with a comma in it
  kBadNumber,        // `detail` is its text
  kBadEscape,        // `detail` is the escape
  kLineBreak,        // inside a string
  kTextAfterString,  // "a "b" c": an unescaped quote
  kTooDeep,          // more nested lists than any result file has
  kUnexpectedText,   // any other character that cannot stand here
  kRejected,         // the caller's own reason, in `detail`
};

// The first thing that stopped a scanner, and its place.
struct JsonError {
  JsonFault fault = JsonFault::kNone;
  std::size_t offset = 0;  // bytes from the text's start
  std::string detail;
};

// A number as written. `value` is absent when it is NaN, infinite or too large
// for a double.
struct JsonNumber {
  std::optional<double> value;
  std::string_view text;
};

// Keys of the object being read. One JsonKeys may serve many objects one after
// the other: those that repeat the previous one's keys in the same order, as
// rows of a result file do, are then read without comparing keys pairwise.
class JsonKeys {
 public:
  // Place of the last key among its object's, counted from 0.
  std::size_t index() const { return keys_.size() - 1; }

  // Whether the last key, and all before it, equal the previous object's.
  bool repeats_previous() const { return repeats_previous_; }

  // Takes two members without a comma between them: Google Benchmark 1.5.4 and
  // 1.5.5 wrote custom context so.
  void AllowMissingComma() { missing_comma_allowed_ = true; }

  // Where the first allowed missing comma should have stood.
  std::optional<std::size_t> missing_comma() const { return missing_comma_; }

 private:
  friend class JsonScanner;

  void Clear();
  // False when the object already has the key.
  bool Add(std::string_view key);
  bool Has(std::string_view key);

  std::vector<std::string_view> keys_;
  std::vector<std::string_view> previous_;
  std::set<std::string_view> sorted_;  // used once there are many keys
  std::deque<std::string> unescaped_;  // what views of escaped keys see
  bool repeats_previous_ = false;
  bool first_ = true;
  bool missing_comma_allowed_ = false;
  std::optional<std::size_t> missing_comma_;
};

// Reads JSON text forwards, one value after the other, and stops at the first
// fault. Besides RFC 8259 it takes what Google Benchmark wrote in some version:
// NaN, nan, Infinity, inf (any case, signed or not) as numbers, and raw control
// characters and invalid UTF-8 in strings.
//
// Every reading function returns false after a fault and does nothing from then
// on; ok() tells that apart from the end of an object or array. `text` must
// outlive the scanner and the views it hands out. O(size of text); memory of
// the nesting and of the longest string with an escape.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  bool ok() const { return error_.fault == JsonFault::kNone; }
  const JsonError& error() const { return error_; }
  std::size_t offset() const { return position_; }
  // Where the string or number read last starts, its quote included.
  std::size_t value_offset() const { return value_offset_; }

  // Skips space and tells what comes next.
  JsonType Next();

  // Objects: BeginObject, then while NextKey read or Skip the value.
  bool BeginObject(JsonKeys& keys);
  bool NextKey(JsonKeys& keys, std::string_view& key);

  // Arrays: BeginArray, then while NextItem read or Skip the item. `first` is
  // true before the first item.
  bool BeginArray(bool& first);
  bool NextItem(bool& first);

  // The string, valid UTF-8: a byte that is not becomes the code point of the
  // same number. `value` lives until the next string or key is read.
  bool ReadString(std::string_view& value);
  bool ReadNumber(JsonNumber& value);
  bool ReadBool(bool& value);
  // Reads over any value; what is inside is checked as everywhere.
  bool Skip();

  // Skips space; whether the text ends there.
  bool AtEnd();

  // Stops with the caller's own reason, at `offset`.
  bool Reject(std::size_t offset, std::string reason);

  // Where the first raw control character, or byte that is not UTF-8, stood in
  // a string; nothing when there was none.
  std::optional<std::size_t> odd_byte_offset() const { return odd_byte_; }

 private:
  void SkipSpace();
  bool SkipCharacter(char character);
  bool Fail(JsonFault fault, std::size_t offset, std::string detail = "");
  bool FailAtValue();
  bool FailAtToken(JsonFault fault, std::size_t start);
  bool FailBetween(char close);
  bool IsAfterQuote() const;
  bool Enter(char open);
  bool NextOf(bool& first, char close);
  bool NextMember(JsonKeys& keys);
  bool ReadKey(JsonKeys& keys, std::string_view& key);
  bool ReadRepeatedKey(JsonKeys& keys, std::string_view& key);
  bool ReadNonFinite(JsonNumber& value);
  bool EndNumber(std::size_t start);
  bool ReadRestOfString(std::size_t start, std::string_view& value);
  bool AppendEscape();
  bool AppendUnicodeEscape();
  bool ReadHex4(std::uint32_t& unit);
  void AppendOddByte();
  bool SkipWord(std::string_view word);
  bool SkipObject();
  bool SkipArray();

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t value_offset_ = 0;
  int depth_ = 0;
  std::string scratch_;
  std::optional<std::size_t> odd_byte_;
  JsonError error_;
};

// Line and column, counted from 1, of byte `offset` in `text`; columns count
// characters of UTF-8. O(offset).
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPlace PlaceAt(std::string_view text, std::size_t offset);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RESULTS_JSON_SCANNER_H_
