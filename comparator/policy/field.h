#ifndef AUTOTUNE_COMPARATOR_POLICY_FIELD_H_
#define AUTOTUNE_COMPARATOR_POLICY_FIELD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/annotate.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/policy/toml_node.h"

// Settings as data: a struct's table of fields is all that the readers and
// writers of TOML and evidence, the flags of both programs, their help and
// their documentation know of it. A new setting is a member of its struct and a
// row of its table.

namespace autotune {

// How a value is written.
enum class ValueForm {
  kWord,      // a word of its enumeration
  kText,      // a string
  kPattern,   // a regular expression
  kDate,      // YYYY-MM-DD
  kFraction,  // as ParseFraction reads it
  kDuration,  // as ParseDurationSeconds reads it
  kFactor,    // a plain number
  kCount,     // a whole number
  kArgv,      // strings: a program and its arguments
  kTexts,     // strings
};

// What is known of a setting but where it lives.
struct FieldSpec {
  std::string_view key;            // in TOML
  std::string_view json_key = {};  // in evidence, where it is another
  ValueForm form = ValueForm::kWord;
  std::string_view expected = {};                 // in words; "": its words
  bool (*in_range)(double) = nullptr;             // of numbers; false for NaN
  bool (*is_valid)(std::string_view) = nullptr;   // of texts; null: not empty
  std::vector<std::string> (*words)() = nullptr;  // of kWord
  bool required = false;                          // must be there
  // On the command line; a flag without help is another field's, which sets
  // both.
  std::string_view flag = {};
  std::string_view placeholder = {};
  std::string_view help = {};
  // What the flag stands for when it takes no value.
  std::string_view flag_value = {};
  unsigned uses = 0;  // of a policy: its PolicyUse bits
};

// A value apart from its struct; a word or date is its text.
using FieldValue =
    std::variant<double, std::int64_t, std::string, std::vector<std::string>>;

// "a fraction in (0, 1) such as 0.01 or 1%", "auto, turns, alternate or duet".
std::string ExpectedOf(const FieldSpec& spec);

// The value that `text`, from a command line, spells. InvalidArgument
// "expected ..., got "TEXT"", with a did-you-mean where one helps.
absl::StatusOr<FieldValue> ParseField(const FieldSpec& spec,
                                      std::string_view text);

// The value that `table` has for the key; nothing when it is absent. Errors as
// TomlTable has them; a required key that is missing is one.
absl::StatusOr<std::optional<FieldValue>> ReadField(const FieldSpec& spec,
                                                    const TomlTable& table);

// InvalidArgument "expected ..., got ..." when `value` is out of its range.
absl::Status CheckField(const FieldSpec& spec, const FieldValue& value);

// Whether `value` is an empty text or list that need not be there.
bool IsAbsent(const FieldSpec& spec, const FieldValue& value);

// `value` as ParseField reads it back.
std::string FieldText(const FieldSpec& spec, const FieldValue& value);

// A setting of T. `Types` are those of the members that T's fields can be.
template <typename T, typename... Types>
struct Field : FieldSpec {
  std::variant<Types T::*...> member;
};

namespace internal {

template <typename V>
struct IsOptional : std::false_type {};
template <typename V>
struct IsOptional<std::optional<V>> : std::true_type {};

template <typename V>
void Assign(FieldValue value, V& member) {
  if constexpr (IsOptional<V>::value) {
    Assign(std::move(value), member.emplace());
  } else if constexpr (std::is_enum_v<V>) {
    member = *ValueNamed<V>(std::get<std::string>(value));
  } else {
    member = std::get<V>(std::move(value));
  }
}

template <typename V>
std::optional<FieldValue> ValueOf(const V& member) {
  if constexpr (IsOptional<V>::value) {
    return member.has_value() ? ValueOf(*member) : std::nullopt;
  } else if constexpr (std::is_enum_v<V>) {
    return FieldValue(std::string(NameOf(member)));
  } else {
    return FieldValue(member);
  }
}

}  // namespace internal

// Sets the member of `object` that the field is about. `value` must be of the
// field, as ParseField and ReadField give it.
template <typename T, typename... Types>
void SetValue(const Field<T, Types...>& field, FieldValue value, T& object) {
  std::visit(
      [&](auto member) { internal::Assign(std::move(value), object.*member); },
      field.member);
}

// The member's value; nothing when it is an optional without one.
template <typename T, typename... Types>
std::optional<FieldValue> ValueIn(const Field<T, Types...>& field,
                                  const T& object) {
  return std::visit(
      [&](auto member) { return internal::ValueOf(object.*member); },
      field.member);
}

// Reads every field that `table` has into `object`, and refuses other keys.
template <typename T, typename... Types>
absl::Status ReadFields(std::span<const Field<T, Types...>> fields,
                        const TomlTable& table, T& object) {
  std::vector<std::string> keys;
  for (const auto& field : fields) keys.emplace_back(field.key);
  RETURN_IF_ERROR(table.CheckKeys(keys));
  for (const auto& field : fields) {
    ASSIGN_OR_RETURN(std::optional<FieldValue> value, ReadField(field, table));
    if (value.has_value()) SetValue(field, *std::move(value), object);
  }
  return absl::OkStatus();
}

// CheckField of every field, naming it "PREFIXkey". An empty text that is not
// required is absent.
template <typename T, typename... Types>
absl::Status CheckFields(std::span<const Field<T, Types...>> fields,
                         const T& object, const std::string& prefix) {
  for (const auto& field : fields) {
    const std::optional<FieldValue> value = ValueIn(field, object);
    if (!value.has_value() || IsAbsent(field, *value)) continue;
    RETURN_IF_ERROR(
        Annotate(CheckField(field, *value), prefix + std::string(field.key)));
  }
  return absl::OkStatus();
}

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_FIELD_H_
