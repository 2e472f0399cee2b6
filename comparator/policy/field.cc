#include "comparator/policy/field.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "comparator/policy/name_pattern.h"

namespace autotune {
namespace {

using Kind = TomlNode::Kind;

// What a value that does not fit may have been meant as.
std::string Hint(const FieldSpec& spec, std::string_view text) {
  switch (spec.form) {
    case ValueForm::kWord:
      return DidYouMean(text, spec.words());
    case ValueForm::kFraction:
      return PercentHint(text);
    case ValueForm::kDuration:
      return SecondsHint(text);
    default:
      return "";
  }
}

absl::Status Unexpected(const FieldSpec& spec, const std::string& got,
                        std::string_view text = "") {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected ", ExpectedOf(spec), ", got ", got, Hint(spec, text)));
}

std::optional<std::int64_t> ParseCount(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t count = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end) return std::nullopt;
  return count;
}

template <typename V>
std::optional<FieldValue> Value(std::optional<V> value) {
  if (!value.has_value()) return std::nullopt;
  return FieldValue(*std::move(value));
}

// What `text` spells, whatever its range.
std::optional<FieldValue> Spelled(ValueForm form, std::string_view text) {
  switch (form) {
    case ValueForm::kFraction:
      return Value(ParseFraction(text));
    case ValueForm::kDuration:
      return Value(ParseDurationSeconds(text));
    case ValueForm::kFactor:
      return Value(ParseFiniteDouble(text));
    case ValueForm::kCount:
      return Value(ParseCount(text));
    default:
      return FieldValue(std::string(text));
  }
}

absl::Status CheckText(const FieldSpec& spec, const std::string& text) {
  if (spec.form == ValueForm::kPattern && !text.empty()) {
    return NamePattern::Create(text).status();
  }
  const std::vector<std::string> words =
      spec.words == nullptr ? std::vector<std::string>() : spec.words();
  const bool is_word =
      std::find(words.begin(), words.end(), text) != words.end();
  const bool fits = spec.form == ValueForm::kWord ? is_word
                    : spec.is_valid != nullptr    ? spec.is_valid(text)
                                                  : !text.empty();
  return fits ? absl::OkStatus() : Unexpected(spec, Quoted(text), text);
}

absl::Status CheckTexts(const FieldSpec& spec,
                        const std::vector<std::string>& texts) {
  if (spec.form == ValueForm::kArgv) {
    if (texts.empty() || !texts.front().empty()) return absl::OkStatus();
    return absl::InvalidArgumentError("expected a program, got \"\"");
  }
  const bool fit = spec.is_valid == nullptr ||
                   std::all_of(texts.begin(), texts.end(), spec.is_valid);
  return fit ? absl::OkStatus() : Unexpected(spec, "an array");
}

bool IsNumber(const TomlNode& node) {
  return node.kind == Kind::kInteger || node.kind == Kind::kFloat;
}

// Whether a value of this form may stand in TOML as `node` does.
bool MayBe(ValueForm form, const TomlNode& node) {
  switch (form) {
    case ValueForm::kFraction:
      return IsNumber(node) ||
             (node.kind == Kind::kString && node.text.ends_with('%'));
    case ValueForm::kFactor:
      return IsNumber(node);
    case ValueForm::kCount:
      return node.kind == Kind::kInteger;
    case ValueForm::kDate:
      return node.kind == Kind::kDate || node.kind == Kind::kString;
    default:
      return node.kind == Kind::kString;
  }
}

absl::StatusOr<FieldValue> ReadSingle(const FieldSpec& spec,
                                      const TomlNode& node) {
  const bool fits = MayBe(spec.form, node);
  const std::optional<FieldValue> value =
      fits ? Spelled(spec.form, node.text) : std::nullopt;
  if (!value.has_value()) return Unexpected(spec, FoundText(node), node.text);
  const absl::Status checked = CheckField(spec, *value);
  if (checked.ok()) return *value;
  const bool said =
      node.kind == Kind::kString && spec.form != ValueForm::kFraction;
  return said ? checked : Unexpected(spec, FoundText(node), node.text);
}

absl::StatusOr<FieldValue> ReadTexts(const FieldSpec& spec,
                                     const TomlNode& node,
                                     const TomlNode*& place) {
  if (node.kind != Kind::kArray) return Unexpected(spec, FoundText(node));
  std::vector<std::string> texts;
  for (const TomlNode& element : node.elements) {
    place = &element;
    if (element.kind != Kind::kString) {
      return Unexpected(spec, FoundText(element));
    }
    texts.push_back(element.text);
  }
  place = &node;
  const absl::Status checked = CheckTexts(spec, texts);
  if (!checked.ok()) return checked;
  return FieldValue(std::move(texts));
}

bool IsList(const FieldSpec& spec) {
  return spec.form == ValueForm::kArgv || spec.form == ValueForm::kTexts;
}

bool IsEmptyList(const absl::StatusOr<FieldValue>& value) {
  const auto* texts =
      value.ok() ? std::get_if<std::vector<std::string>>(&*value) : nullptr;
  return texts != nullptr && texts->empty();
}

}  // namespace

std::string ExpectedOf(const FieldSpec& spec) {
  return spec.expected.empty() ? AlternativesText(spec.words())
                               : std::string(spec.expected);
}

absl::StatusOr<FieldValue> ParseField(const FieldSpec& spec,
                                      std::string_view text) {
  const std::optional<FieldValue> value = Spelled(spec.form, text);
  if (!value.has_value()) return Unexpected(spec, Quoted(text), text);
  const absl::Status checked = CheckField(spec, *value);
  if (checked.ok()) return *value;
  return std::holds_alternative<std::string>(*value)
             ? checked
             : Unexpected(spec, Quoted(text), text);
}

absl::StatusOr<std::optional<FieldValue>> ReadField(const FieldSpec& spec,
                                                    const TomlTable& table) {
  const TomlNode* node = table.Find(spec.key);
  if (node == nullptr) {
    if (spec.required) return table.Missing(spec.key, ExpectedOf(spec));
    return std::optional<FieldValue>();
  }
  const TomlNode* place = node;
  absl::StatusOr<FieldValue> value =
      IsList(spec) ? ReadTexts(spec, *node, place) : ReadSingle(spec, *node);
  if (!value.ok()) {
    return table.ErrorAt(*place, spec.key,
                         std::string(value.status().message()));
  }
  if (spec.required && IsEmptyList(value)) {
    return table.Missing(spec.key, ExpectedOf(spec));
  }
  return std::optional(*std::move(value));
}

absl::Status CheckField(const FieldSpec& spec, const FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return CheckText(spec, *text);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    return CheckTexts(spec, *texts);
  }
  const auto* count = std::get_if<std::int64_t>(&value);
  const double number =
      count != nullptr ? static_cast<double>(*count) : std::get<double>(value);
  if (spec.in_range(number)) return absl::OkStatus();
  return Unexpected(spec, AnyNumberText(number));
}

bool IsAbsent(const FieldSpec& spec, const FieldValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  const bool empty = (text != nullptr && text->empty()) ||
                     (texts != nullptr && texts->empty());
  return empty && !spec.required;
}

std::string FieldText(const FieldSpec& spec, const FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&value)) {
    return absl::StrCat(*count);
  }
  const double number = std::get<double>(value);
  return spec.form == ValueForm::kFraction   ? FractionText(number)
         : spec.form == ValueForm::kDuration ? DurationText(number)
                                             : ShortestText(number);
}

}  // namespace autotune
