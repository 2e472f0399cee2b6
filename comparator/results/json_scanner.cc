#include "comparator/results/json_scanner.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/display_text.h"
#include "base/utf8_text.h"

namespace autotune {
namespace {

// Result files nest 4 deep; what is unknown may nest further, but not without
// bound: each level of Skip is a level of our stack.
constexpr int kMaxDepth = 64;

// From so many keys on, sorting is cheaper than comparing each pair.
constexpr std::size_t kManyKeys = 32;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

constexpr bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Characters a string holds as they are: printable ASCII but '"' and '\'.
constexpr std::array<bool, 256> PlainCharacters() {
  std::array<bool, 256> plain = {};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = PlainCharacters();

bool IsPlain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

// The token that starts at `start`, before the text's end, for messages: a word
// or number, or one character.
std::string TokenAt(std::string_view text, std::size_t start) {
  constexpr std::size_t kLongest = 40;
  constexpr std::string_view kEnds = " \t\r\n,]}:\"\\";
  const std::string_view rest = text.substr(start, kLongest);
  std::size_t length = 0;
  while (length < rest.size() && IsPlain(rest[length]) &&
         kEnds.find(rest[length]) == std::string_view::npos) {
    ++length;
  }
  return length > 0 ? std::string(rest.substr(0, length))
                    : PrintableCharacter(rest);
}

// Whether what follows could have made `token`, which the text ends with, a
// number or one of JSON's words.
bool MayGoOn(std::string_view token) {
  return IsDigit(token[0]) || token[0] == '-' ||
         std::string_view("tfnNiI").find(token[0]) != std::string_view::npos;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(
      text.begin(), text.end(), lower.begin(), lower.end(),
      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

// The length of the spelling of NaN or infinity at the start of `text`, sign
// included; 0 when there is none.
std::size_t NonFiniteLength(std::string_view text) {
  const std::size_t sign =
      !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  // The longest spelling of a word must be tried first.
  for (const std::string_view word :
       {"infinity", "inf", "nan(ind)", "nan(snan)", "nan"}) {
    if (EqualsIgnoringCase(text.substr(sign, word.size()), word)) {
      return sign + word.size();
    }
  }
  return 0;
}

}  // namespace

std::string_view JsonTypeName(JsonType type) {
  switch (type) {
    case JsonType::kObject:
      return "an object";
    case JsonType::kArray:
      return "an array";
    case JsonType::kString:
      return "a string";
    case JsonType::kNumber:
      return "a number";
    case JsonType::kBool:
      return "true or false";
    case JsonType::kNull:
      return "null";
    case JsonType::kOther:
      break;
  }
  return "no value";
}

void JsonKeys::Clear() {
  previous_.swap(keys_);
  if (!unescaped_.empty()) previous_.clear();
  unescaped_.clear();
  keys_.clear();
  sorted_.clear();
  repeats_previous_ = true;
  first_ = true;
}

bool JsonKeys::Add(std::string_view key) {
  const std::size_t place = keys_.size();
  repeats_previous_ =
      repeats_previous_ && place < previous_.size() && previous_[place] == key;
  if (!repeats_previous_ && Has(key)) return false;
  keys_.push_back(key);
  return true;
}

bool JsonKeys::Has(std::string_view key) {
  if (keys_.size() < kManyKeys) {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }
  if (sorted_.size() < keys_.size()) {
    sorted_.insert(keys_.begin(), keys_.end());
  }
  return !sorted_.insert(key).second;
}

void JsonScanner::SkipSpace() {
  std::size_t position = position_;
  while (position < text_.size() && IsSpace(text_[position])) ++position;
  position_ = position;
}

bool JsonScanner::SkipCharacter(char character) {
  SkipSpace();
  if (position_ == text_.size() || text_[position_] != character) return false;
  ++position_;
  return true;
}

bool JsonScanner::Fail(JsonFault fault, std::size_t offset,
                       std::string detail) {
  if (ok()) error_ = {fault, offset, std::move(detail)};
  return false;
}

bool JsonScanner::Reject(std::size_t offset, std::string reason) {
  return Fail(JsonFault::kRejected, offset, std::move(reason));
}

// A value was expected at the next character and is not there.
bool JsonScanner::FailAtValue() {
  SkipSpace();
  if (position_ >= text_.size()) {
    return Fail(JsonFault::kEndOfText, text_.size());
  }
  return FailAtToken(JsonFault::kUnexpectedText, position_);
}

// `fault` at the token that starts at `start`, or the text's end when the token
// reaches it: what is missing could have made it right.
bool JsonScanner::FailAtToken(JsonFault fault, std::size_t start) {
  if (start == text_.size()) return Fail(JsonFault::kEndOfText, start);
  std::string token = TokenAt(text_, start);
  if (start + token.size() == text_.size() && MayGoOn(token)) {
    return Fail(JsonFault::kEndOfText, text_.size());
  }
  return Fail(fault, start, std::move(token));
}

// Whether the text goes on right after a string's closing quote, with another
// quote in the line: the closing quote was meant to be a part of the string.
bool JsonScanner::IsAfterQuote() const {
  if (position_ == 0 || text_[position_ - 1] != '"') return false;
  const std::string_view rest = text_.substr(position_);
  return rest.substr(0, rest.find('\n')).find('"') != std::string_view::npos;
}

// A ',' or `close` was expected at the next character, after a value.
bool JsonScanner::FailBetween(char close) {
  if (position_ >= text_.size()) {
    return Fail(JsonFault::kEndOfText, text_.size());
  }
  if (IsAfterQuote()) return Fail(JsonFault::kTextAfterString, position_);
  const char found = text_[position_];
  const bool can_start = close == '}' ? found == '"'
                                      : found == '{' || found == '[' ||
                                            found == '"' || IsDigit(found);
  if (can_start) return Fail(JsonFault::kMissingComma, position_);
  return FailAtToken(JsonFault::kUnexpectedText, position_);
}

JsonType JsonScanner::Next() {
  SkipSpace();
  if (!ok() || position_ == text_.size()) return JsonType::kOther;
  const char next = text_[position_];
  switch (next) {
    case '{':
      return JsonType::kObject;
    case '[':
      return JsonType::kArray;
    case '"':
      return JsonType::kString;
    case 't':
    case 'f':
      return JsonType::kBool;
    default:
      break;
  }
  if (next == '-' || IsDigit(next)) return JsonType::kNumber;
  const std::string_view rest = text_.substr(position_);
  if (NonFiniteLength(rest) > 0) return JsonType::kNumber;
  return next == 'n' ? JsonType::kNull : JsonType::kOther;
}

bool JsonScanner::Enter(char open) {
  if (!ok()) return false;
  if (!SkipCharacter(open)) return FailAtValue();
  if (++depth_ > kMaxDepth) return Fail(JsonFault::kTooDeep, position_ - 1);
  return true;
}

// Steps to the next member or item: false after `close`, or a fault.
bool JsonScanner::NextOf(bool& first, char close) {
  if (!ok()) return false;
  if (SkipCharacter(close)) {
    --depth_;
    return false;
  }
  if (!first) {
    const std::size_t comma = position_;
    if (!SkipCharacter(',')) return FailBetween(close);
    SkipSpace();
    if (position_ < text_.size() && text_[position_] == close) {
      return Fail(JsonFault::kTrailingComma, comma);
    }
  }
  first = false;
  return true;
}

bool JsonScanner::BeginArray(bool& first) {
  first = true;
  return Enter('[');
}

bool JsonScanner::NextItem(bool& first) { return NextOf(first, ']'); }

bool JsonScanner::BeginObject(JsonKeys& keys) {
  keys.Clear();
  return Enter('{');
}

bool JsonScanner::NextMember(JsonKeys& keys) {
  if (keys.missing_comma_allowed_ && ok() && !keys.first_) {
    SkipSpace();
    if (position_ < text_.size() && text_[position_] == '"') {
      if (!keys.missing_comma_.has_value()) keys.missing_comma_ = position_;
      return true;
    }
  }
  return NextOf(keys.first_, '}');
}

bool JsonScanner::NextKey(JsonKeys& keys, std::string_view& key) {
  if (!NextMember(keys)) return false;
  SkipSpace();
  const std::size_t start = position_;
  if (position_ < text_.size() && text_[position_] != '"') {
    return IsDigit(text_[position_]) && !keys.keys_.empty()
               ? Fail(JsonFault::kDigitAfterComma, start)
               : FailAtValue();
  }
  if (!ReadRepeatedKey(keys, key)) {
    if (!ReadKey(keys, key)) return false;
    if (!keys.Add(key)) {
      return Fail(JsonFault::kDuplicateKey, start, std::string(key));
    }
  }
  return SkipCharacter(':') || FailAtValue();
}

// The key at position_ when it is the one that followed in the previous object.
bool JsonScanner::ReadRepeatedKey(JsonKeys& keys, std::string_view& key) {
  const std::size_t place = keys.keys_.size();
  if (!keys.repeats_previous_ || place >= keys.previous_.size()) return false;
  const std::string_view expected = keys.previous_[place];
  const std::string_view rest = text_.substr(position_);
  if (rest.size() < expected.size() + 2 || rest[expected.size() + 1] != '"' ||
      rest.substr(1, expected.size()) != expected) {
    return false;
  }
  key = rest.substr(1, expected.size());
  keys.keys_.push_back(key);
  position_ += expected.size() + 2;
  return true;
}

// The key at position_, kept for as long as `keys` need it.
bool JsonScanner::ReadKey(JsonKeys& keys, std::string_view& key) {
  if (!ReadString(key)) return false;
  if (key.data() == scratch_.data()) {
    key = keys.unescaped_.emplace_back(scratch_);
  }
  return true;
}

bool JsonScanner::ReadString(std::string_view& value) {
  if (!ok() || !SkipCharacter('"')) return FailAtValue();
  const std::size_t start = position_;
  value_offset_ = start - 1;
  std::size_t end = start;
  while (end < text_.size() && IsPlain(text_[end])) ++end;
  position_ = end;
  if (end == text_.size() || text_[end] != '"') {
    return ReadRestOfString(start, value);
  }
  ++position_;
  value = text_.substr(start, end - start);
  return true;
}

// The string from `start` on, of which the characters before position_ are
// plain and the one there is not.
bool JsonScanner::ReadRestOfString(std::size_t start, std::string_view& value) {
  scratch_.assign(text_.substr(start, position_ - start));
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '"') {
      ++position_;
      value = scratch_;
      return true;
    }
    if (c == '\n' || c == '\r') {
      return Fail(JsonFault::kLineBreak, position_);
    }
    if (c == '\\') {
      if (!AppendEscape()) return false;
    } else if (IsPlain(c)) {
      scratch_ += c;
      ++position_;
    } else {
      AppendOddByte();
    }
  }
  return Fail(JsonFault::kEndOfText, text_.size());
}

// A control character or a byte above 0x7e.
void JsonScanner::AppendOddByte() {
  const std::size_t length = Utf8CharacterSize(text_.substr(position_));
  if (length <= 1 && !odd_byte_.has_value()) odd_byte_ = position_;
  if (length > 0) {
    scratch_ += text_.substr(position_, length);
    position_ += length;
    return;
  }
  AppendUtf8(static_cast<unsigned char>(text_[position_]), scratch_);
  ++position_;
}

bool JsonScanner::ReadNumber(JsonNumber& value) {
  const JsonType type = Next();
  if (type != JsonType::kNumber) return FailAtValue();
  const std::size_t start = position_;
  value_offset_ = start;
  const std::size_t digit = start + (text_[start] == '-' ? 1 : 0);
  if (digit == text_.size() || !IsDigit(text_[digit])) {
    return ReadNonFinite(value);
  }
  double parsed = 0.0;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data() + start, end, parsed);
  position_ = stop - text_.data();
  value.text = text_.substr(start, position_ - start);
  value.value.reset();
  if (error == std::errc()) value.value = parsed;
  return EndNumber(start);
}

bool JsonScanner::ReadNonFinite(JsonNumber& value) {
  const std::size_t length = NonFiniteLength(text_.substr(position_));
  if (length == 0) return FailAtToken(JsonFault::kBadNumber, position_);
  value.value.reset();
  value.text = text_.substr(position_, length);
  position_ += length;
  return EndNumber(position_ - length);
}

// A number may only be followed by space or the end of its list's item.
bool JsonScanner::EndNumber(std::size_t start) {
  const char next = position_ < text_.size() ? text_[position_] : '\0';
  if (next == ',' || next == '}' || next == ']' || IsSpace(next)) return true;
  return FailAtToken(JsonFault::kBadNumber, start);
}

bool JsonScanner::SkipWord(std::string_view word) {
  if (!text_.substr(position_).starts_with(word)) return FailAtValue();
  position_ += word.size();
  return true;
}

bool JsonScanner::ReadBool(bool& value) {
  if (Next() != JsonType::kBool) return FailAtValue();
  value = text_[position_] == 't';
  return SkipWord(value ? "true" : "false");
}

bool JsonScanner::SkipObject() {
  JsonKeys keys;
  if (!BeginObject(keys)) return false;
  std::string_view key;
  while (NextKey(keys, key)) {
    if (!Skip()) return false;
  }
  return ok();
}

bool JsonScanner::SkipArray() {
  bool first = true;
  if (!BeginArray(first)) return false;
  while (NextItem(first)) {
    if (!Skip()) return false;
  }
  return ok();
}

bool JsonScanner::Skip() {
  std::string_view text;
  JsonNumber number;
  bool flag = false;
  switch (Next()) {
    case JsonType::kObject:
      return SkipObject();
    case JsonType::kArray:
      return SkipArray();
    case JsonType::kString:
      return ReadString(text);
    case JsonType::kNumber:
      return ReadNumber(number);
    case JsonType::kBool:
      return ReadBool(flag);
    case JsonType::kNull:
      return SkipWord("null");
    case JsonType::kOther:
      break;
  }
  return ok() && FailAtValue();
}

bool JsonScanner::AtEnd() {
  SkipSpace();
  return position_ == text_.size();
}

TextPlace PlaceAt(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  TextPlace place;
  place.line += std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  for (const char c : before.substr(line_start)) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!continues) ++place.column;
  }
  return place;
}

}  // namespace autotune
