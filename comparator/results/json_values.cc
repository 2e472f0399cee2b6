#include "comparator/results/json_values.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/strings/str_format.h"
#include "comparator/results/json_scanner.h"

namespace autotune {
namespace {

// Whether the next value is of type `expected`; stops the scanner when it is of
// another one. What is no value at all is left to the reading function.
bool Expect(JsonScanner& scanner, JsonType expected) {
  const JsonType found = scanner.Next();
  if (found == expected || found == JsonType::kOther) return true;
  return scanner.Reject(
      scanner.offset(),
      absl::StrFormat("expected %s, got %s", JsonTypeName(expected),
                      JsonTypeName(found)));
}

// 2^53: every whole number up to it is a double of its own.
constexpr double kLargestExact = 9007199254740992.0;

bool IsWhole(const JsonNumber& number) {
  if (!number.value.has_value()) return false;
  const double value = *number.value;
  const std::size_t point = number.text.find('.');
  const bool may_be_grouped = point != std::string_view::npos &&
                              number.text.size() - point == 4 &&
                              number.text.find('e') == std::string_view::npos;
  return value == std::floor(value) && std::abs(value) <= kLargestExact &&
         !may_be_grouped;
}

}  // namespace

bool ReadView(JsonScanner& scanner, std::string_view& value) {
  return Expect(scanner, JsonType::kString) && scanner.ReadString(value);
}

bool ReadText(JsonScanner& scanner, std::string& value) {
  std::string_view text;
  if (!ReadView(scanner, text)) return false;
  value.assign(text);
  return true;
}

bool ReadFlag(JsonScanner& scanner, bool& value) {
  return Expect(scanner, JsonType::kBool) && scanner.ReadBool(value);
}

bool ReadNumberOrNull(JsonScanner& scanner, JsonNumber& value) {
  if (scanner.Next() == JsonType::kNull) {
    value = {};
    return scanner.Skip();
  }
  return Expect(scanner, JsonType::kNumber) && scanner.ReadNumber(value);
}

bool ReadInteger(JsonScanner& scanner, std::optional<std::int64_t>& value) {
  JsonNumber number;
  if (!Expect(scanner, JsonType::kNumber) || !scanner.ReadNumber(number)) {
    return false;
  }
  std::int64_t parsed = 0;
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, error] = std::from_chars(number.text.data(), end, parsed);
  if (error == std::errc() && stop == end) {
    value = parsed;
    return true;
  }
  if (!IsWhole(number)) {
    return scanner.Reject(
        scanner.value_offset(),
        absl::StrFormat("expected a whole number, got %s", number.text));
  }
  value = static_cast<std::int64_t>(*number.value);
  return true;
}

bool BeginObjectValue(JsonScanner& scanner, JsonKeys& keys) {
  return Expect(scanner, JsonType::kObject) && scanner.BeginObject(keys);
}

bool BeginArrayValue(JsonScanner& scanner, bool& first) {
  return Expect(scanner, JsonType::kArray) && scanner.BeginArray(first);
}

}  // namespace autotune
