#include "comparator/results/result_fault.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "comparator/results/json_scanner.h"

namespace autotune {
namespace {

constexpr std::string_view kWriteAnew =
    "write the file with --benchmark_out=FILE --benchmark_out_format=json and "
    "leave it as it is";
constexpr std::string_view kUnescaped =
    "Google Benchmark before 1.5.0 writes names and labels without escaping: "
    "rename it, or link 1.5.0 or newer";

// The number with a comma in it around `offset`, a digit after the comma.
std::string_view CommaNumber(std::string_view text, std::size_t offset) {
  constexpr std::string_view kParts = "0123456789,.eE+-";
  const std::size_t before = text.find_last_not_of(kParts, offset);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end =
      std::min(text.find_first_not_of(kParts, offset), text.size());
  std::string_view number = text.substr(start, end - start);
  while (number.ends_with(',')) number.remove_suffix(1);
  return number;
}

// Whether each comma of `number` is followed by exactly three digits and
// nothing else, as in 1,000,000.
bool IsGrouped(std::string_view number) {
  if (number.find_first_not_of("0123456789,") != std::string_view::npos) {
    return false;
  }
  std::size_t comma = number.find(',');
  while (comma != std::string_view::npos) {
    const std::size_t next =
        std::min(number.find(',', comma + 1), number.size());
    if (next - comma != 4) return false;
    comma = next == number.size() ? std::string_view::npos : next;
  }
  return true;
}

std::string DescribeCommaNumber(std::string_view text, std::size_t offset) {
  const std::string_view number = CommaNumber(text, offset);
  return absl::StrFormat(
      "expected a number, got %s, written with %s: the benchmark program sets "
      "a locale; run it with LC_ALL=C",
      number, IsGrouped(number) ? "grouping commas" : "a decimal comma");
}

std::string DescribeDuplicate(const ResultPlace& place,
                              const std::string& key) {
  const bool in_row = place.object.starts_with("benchmarks[");
  const std::string_view way_out =
      in_row ? "a counter bears the name of another key: rename it"
      : place.object == "context"
          ? "custom context bears the name of another key: rename it"
          : kWriteAnew;
  return absl::StrFormat("key \"%s\" is there twice; %s", key, way_out);
}

std::string Describe(std::string_view text, const ResultPlace& place,
                     const JsonError& error) {
  switch (error.fault) {
    case JsonFault::kDuplicateKey:
      return DescribeDuplicate(place, error.detail);
    case JsonFault::kTrailingComma:
      return absl::StrFormat("a comma with nothing after it; %s", kWriteAnew);
    case JsonFault::kMissingComma:
      return absl::StrFormat("expected a comma; %s", kWriteAnew);
    case JsonFault::kDigitAfterComma:
      return DescribeCommaNumber(text, error.offset);
    case JsonFault::kBadNumber:
      return absl::StrFormat("expected a number, got %s; %s", error.detail,
                             kWriteAnew);
    case JsonFault::kBadEscape:
      return absl::StrFormat("\"%s\" is no escape of JSON; %s", error.detail,
                             kUnescaped);
    case JsonFault::kLineBreak:
      return absl::StrFormat("a line break inside a string; %s", kUnescaped);
    case JsonFault::kTextAfterString:
      return absl::StrFormat("a quote inside a string; %s", kUnescaped);
    case JsonFault::kTooDeep:
      return "lists nested more than 64 deep: no result of Google Benchmark";
    case JsonFault::kRejected:
      return error.detail;
    default:
      return absl::StrFormat(
          "expected JSON, got \"%s\", perhaps printed by the program; %s",
          error.detail, kWriteAnew);
  }
}

// `message` on one line: texts of the file, quoted in it, may hold any control
// character, which is spelled "\x0a" here.
std::string OneLine(std::string_view message) {
  std::string line;
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else {
      absl::StrAppendFormat(&line, "\\x%02x", byte);
    }
  }
  return line;
}

// Whether the fault is in the value of the key read last, not between members.
bool IsInValue(JsonFault fault) {
  return fault != JsonFault::kDuplicateKey &&
         fault != JsonFault::kTrailingComma &&
         fault != JsonFault::kMissingComma;
}

}  // namespace

absl::Status FaultError(std::string_view source_name, std::string_view text,
                        const ResultPlace& place, const JsonError& error) {
  const TextPlace at = PlaceAt(text, error.offset);
  std::string message =
      absl::StrFormat("%s:%d:%d: ", source_name, at.line, at.column);
  if (!place.object.empty()) absl::StrAppend(&message, place.object, ": ");
  if (IsInValue(error.fault) && !place.field.empty()) {
    absl::StrAppend(&message, place.field, ": ");
  }
  absl::StrAppend(&message, Describe(text, place, error));
  return absl::InvalidArgumentError(OneLine(message));
}

}  // namespace autotune
