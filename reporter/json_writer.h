#ifndef AUTOTUNE_REPORTER_JSON_WRITER_H_
#define AUTOTUNE_REPORTER_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autotune::internal {

// `text` as a JSON string with its quotes, always valid RFC 8259: quotes,
// backslashes and control characters escaped. A byte that is no part of valid
// UTF-8 becomes the character of the same number (0xE9 becomes U+00E9). Equal
// results read back as equal strings, and only they do.
std::string JsonString(std::string_view text);

// `value` with 17 significant digits as Google Benchmark prints it
// ("1.0000000000000000e+00"), whatever the locale; "null" when not finite.
std::string JsonScientific(double value);

// The shortest of 15 to 17 significant digits that reads back as `value`,
// whatever the locale; "null" when not finite.
std::string JsonNumber(double value);

// `printed`, a number as printf made it, with a point for whatever the locale
// uses, which may be several bytes.
std::string WithPlainPoint(const char* printed);

// Builds one JSON value piece by piece: two spaces a level and one member a
// line, or everything on one line. The caller alternates Key and value inside
// objects; closing more than was opened is a bug of ours (assert).
class JsonWriter {
 public:
  // Indented; `depth` is the level of the value's own braces.
  explicit JsonWriter(int depth = 0) : base_depth_(depth) {}
  // All on one line.
  static JsonWriter OneLine() { return JsonWriter(kOneLine); }

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  // The next member's key. The caller keeps keys different.
  void Key(std::string_view key);

  void String(std::string_view value) { Raw(JsonString(value)); }
  void Integer(std::int64_t value) { Raw(std::to_string(value)); }
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  void Number(double value) { Raw(JsonNumber(value)); }
  // A value that is JSON text already.
  void Raw(std::string_view json);

  // The text so far, without a line end.
  const std::string& text() const { return text_; }

 private:
  void Open(char bracket);
  void Close(char bracket);
  void BeginValue();
  void NewLine();

  static constexpr int kOneLine = -1;

  int base_depth_;
  bool after_key_ = false;
  std::vector<bool> level_has_values_;
  std::string text_;
};

}  // namespace autotune::internal

#endif  // AUTOTUNE_REPORTER_JSON_WRITER_H_
