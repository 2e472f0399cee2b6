#include "comparator/policy_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/did_you_mean.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/name_pattern.h"
#include "comparator/policy.h"
#include "comparator/policy_fields.h"

// toml++ 3.2 asserts of hostile text ("[=]"), and tells clang to assume, what
// is not so; without that it goes on to an error of its own.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace autotune {
namespace {

// Long hostile values are cut in messages.
constexpr std::size_t kMaxQuotedSize = 60;

std::string Quoted(std::string_view text) {
  const std::string cut(text.substr(0, kMaxQuotedSize));
  return absl::StrCat("\"", absl::Utf8SafeCHexEscape(cut),
                      text.size() > kMaxQuotedSize ? "\"..." : "\"");
}

std::string FloatText(double value) {
  if (value != value) return "NaN";
  if (value - value != 0.0) return value > 0 ? "infinity" : "-infinity";
  return ShortestText(value);
}

std::string DateText(const toml::date& date) {
  return absl::StrFormat("%04d-%02d-%02d", date.year, date.month, date.day);
}

// What a node holds, for "got ...".
std::string Got(const toml::node& node) {
  if (const auto* value = node.as_string()) return Quoted(value->get());
  if (const auto* value = node.as_integer()) return absl::StrCat(value->get());
  if (const auto* value = node.as_floating_point()) {
    return FloatText(value->get());
  }
  if (const auto* value = node.as_boolean()) {
    return value->get() ? "true" : "false";
  }
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return "a date or time";
}

// "a, b or c".
std::string AlternativesText(const std::vector<std::string>& names) {
  const std::vector<std::string> head(names.begin(), names.end() - 1);
  return absl::StrCat(absl::StrJoin(head, ", "), " or ", names.back());
}

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& names) {
  const std::optional<std::string> closest = ClosestName(word, names);
  return closest.has_value() ? absl::StrCat("; did you mean ", *closest, "?")
                             : "";
}

// One TOML table being read: where it is and how its keys are called in
// messages.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string_view source,
              std::string path)
      : table_(table), source_(source), path_(std::move(path)) {}

  // An error when the table holds a key outside `known`.
  absl::Status CheckKeys(const std::vector<std::string>& known) const {
    for (auto&& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string guess = DidYouMean(name, known);
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s:%d: %s: unknown key%s", source_, key.source().begin.line,
          KeyPath(absl::Utf8SafeCHexEscape(name)),
          guess.empty() ? "; known are " + AlternativesText(known) : guess));
    }
    return absl::OkStatus();
  }

  const toml::node* Find(std::string_view key) const { return table_.get(key); }

  absl::Status Error(const toml::node& node, std::string_view key,
                     std::string_view message) const {
    return absl::InvalidArgumentError(absl::StrFormat("%s:%d: %s: %s", source_,
                                                      node.source().begin.line,
                                                      KeyPath(key), message));
  }

  absl::Status Unexpected(const toml::node& node, std::string_view key,
                          std::string_view expected) const {
    return Error(node, key,
                 absl::StrFormat("expected %s, got %s", expected, Got(node)));
  }

  // An error of the table as a whole, at its own line.
  absl::Status Error(std::string_view key, std::string_view message) const {
    return Error(table_, key, message);
  }

  absl::Status Missing(std::string_view key, std::string_view expected) const {
    return Error(key, absl::StrFormat("missing; expected %s", expected));
  }

  // A number in the range of `in_range`; absent leaves `value` as it is.
  absl::Status ReadNumber(std::string_view key, bool (*in_range)(double),
                          std::string_view expected, double& value) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    const bool is_number = node->is_number();
    const double read = is_number ? node->value<double>().value_or(0.0) : 0.0;
    if (!is_number || !in_range(read)) return Unexpected(*node, key, expected);
    value = read;
    return absl::OkStatus();
  }

  absl::Status ReadCount(std::string_view key, std::int64_t& value) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    const auto* integer = node->as_integer();
    if (integer == nullptr || integer->get() < 1) {
      return Unexpected(*node, key, "a whole number of at least 1");
    }
    value = integer->get();
    return absl::OkStatus();
  }

  absl::Status ReadDuration(std::string_view key, std::string_view expected,
                            double& seconds) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    const auto* text = node->as_string();
    const std::optional<double> read =
        text == nullptr ? std::nullopt : ParseDurationSeconds(text->get());
    if (!read.has_value()) return Unexpected(*node, key, expected);
    seconds = *read;
    return absl::OkStatus();
  }

  // A string that is not empty.
  absl::Status ReadText(std::string_view key, std::string_view expected,
                        std::string& value) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    const auto* text = node->as_string();
    if (text == nullptr || text->get().empty()) {
      return Unexpected(*node, key, expected);
    }
    value = text->get();
    return absl::OkStatus();
  }

  absl::Status ReadPattern(std::string_view key, std::string& value) const {
    RETURN_IF_ERROR(ReadText(key, "a regular expression", value));
    const absl::Status status = NamePattern::Create(value).status();
    if (status.ok() || Find(key) == nullptr) return absl::OkStatus();
    return Error(*Find(key), key, std::string(status.message()));
  }

  absl::Status ReadDate(std::string_view key, std::string& value) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    if (const auto* date = node->as_date()) {
      value = DateText(date->get());
      return absl::OkStatus();
    }
    const auto* text = node->as_string();
    if (text == nullptr || !IsDate(text->get())) {
      return Unexpected(*node, key, kExpectedDate);
    }
    value = text->get();
    return absl::OkStatus();
  }

  // One of the words of `table`; `value` may be an optional.
  template <typename E, std::size_t kSize, typename Value>
  absl::Status ReadChoice(std::string_view key,
                          const std::array<Named<E>, kSize>& table,
                          Value& value) const {
    const toml::node* node = Find(key);
    if (node == nullptr) return absl::OkStatus();
    const auto* text = node->as_string();
    std::vector<std::string> names;
    for (const Named<E>& entry : table) {
      if (text != nullptr && text->get() == entry.name) {
        value = entry.value;
        return absl::OkStatus();
      }
      names.emplace_back(entry.name);
    }
    const std::string guess =
        text == nullptr ? "" : DidYouMean(text->get(), names);
    return Error(*node, key,
                 absl::StrFormat("expected %s, got %s%s",
                                 AlternativesText(names), Got(*node), guess));
  }

 private:
  std::string KeyPath(std::string_view key) const {
    const std::string_view dot = path_.empty() || key.empty() ? "" : ".";
    return absl::StrFormat("%s%s%s", path_, dot, key);
  }

  const toml::table& table_;
  std::string_view source_;
  std::string path_;  // "policy" or "guard[1]"; empty at the top
};

std::vector<std::string> PolicyKeys() {
  std::vector<std::string> keys = {"kind",    "metric", "direction",
                                   "targets", "mode",   "error_control"};
  for (const PolicyNumberField& field : PolicyNumberFields()) {
    keys.emplace_back(field.key);
  }
  for (const PolicyCountField& field : PolicyCountFields()) {
    keys.emplace_back(field.key);
  }
  return keys;
}

absl::Status ReadPolicyNumbers(const TableReader& reader, Policy& policy) {
  for (const PolicyNumberField& field : PolicyNumberFields()) {
    double& value = policy.*field.member;
    RETURN_IF_ERROR(field.member == &Policy::budget_seconds
                        ? reader.ReadDuration(field.key, field.expected, value)
                        : reader.ReadNumber(field.key, field.in_range,
                                            field.expected, value));
  }
  for (const PolicyCountField& field : PolicyCountFields()) {
    RETURN_IF_ERROR(reader.ReadCount(field.key, policy.*field.member));
  }
  return absl::OkStatus();
}

absl::Status ReadPolicyTable(const TableReader& reader, Policy& policy) {
  RETURN_IF_ERROR(reader.CheckKeys(PolicyKeys()));
  RETURN_IF_ERROR(reader.ReadChoice("kind", kPolicyKinds, policy.kind));
  RETURN_IF_ERROR(
      reader.ReadText("metric", "auto, real_time, cpu_time or a counter's name",
                      policy.metric));
  RETURN_IF_ERROR(
      reader.ReadChoice("direction", kDirections, policy.direction));
  RETURN_IF_ERROR(reader.ReadChoice("targets", kTargetRules, policy.targets));
  RETURN_IF_ERROR(reader.ReadChoice("mode", kMeasureModes, policy.mode));
  RETURN_IF_ERROR(
      reader.ReadChoice("error_control", kErrorControls, policy.error_control));
  return ReadPolicyNumbers(reader, policy);
}

absl::Status ReadGuard(const TableReader& reader, Policy& policy) {
  RETURN_IF_ERROR(reader.CheckKeys({"name", "metric", "margin", "mode"}));
  Guard guard;
  guard.margin = policy.default_margin;
  RETURN_IF_ERROR(reader.ReadPattern("name", guard.benchmark_pattern));
  RETURN_IF_ERROR(reader.ReadText(
      "metric", "peak_rss, excess_cpu, binary_size or a counter's name",
      guard.metric));
  const bool by_name = reader.Find("name") != nullptr;
  if (by_name == (reader.Find("metric") != nullptr)) {
    return reader.Error("",
                        absl::StrCat("expected either a name or a metric, got ",
                                     by_name ? "both" : "neither"));
  }
  RETURN_IF_ERROR(
      reader.ReadNumber("margin", &IsMargin, kExpectedMargin, guard.margin));
  RETURN_IF_ERROR(reader.ReadChoice("mode", kGuardModes, guard.mode));
  policy.guards.push_back(std::move(guard));
  return absl::OkStatus();
}

absl::Status ReadMargin(const TableReader& reader, Policy& policy) {
  RETURN_IF_ERROR(reader.CheckKeys({"name", "margin"}));
  BenchmarkMargin margin;
  RETURN_IF_ERROR(reader.ReadPattern("name", margin.benchmark_pattern));
  RETURN_IF_ERROR(
      reader.ReadNumber("margin", &IsMargin, kExpectedMargin, margin.margin));
  if (reader.Find("name") == nullptr) {
    return reader.Missing("name", "a regular expression");
  }
  if (reader.Find("margin") == nullptr) {
    return reader.Missing("margin", kExpectedMargin);
  }
  policy.margins.push_back(std::move(margin));
  return absl::OkStatus();
}

absl::Status ReadWaiver(const TableReader& reader, Policy& policy) {
  struct Key {
    std::string_view name;
    std::string_view expected;
  };
  constexpr std::array<Key, 4> kKeys = {{
      {"name", "a benchmark's exact name"},
      {"ceiling", kExpectedMargin},
      {"until", kExpectedDate},
      {"reason", "why the loss is accepted"},
  }};
  RETURN_IF_ERROR(reader.CheckKeys({"name", "ceiling", "until", "reason"}));
  for (const Key& key : kKeys) {
    if (reader.Find(key.name) == nullptr) {
      return reader.Missing(key.name, key.expected);
    }
  }
  Waiver waiver;
  RETURN_IF_ERROR(reader.ReadText("name", kKeys[0].expected, waiver.name));
  RETURN_IF_ERROR(
      reader.ReadNumber("ceiling", &IsMargin, kExpectedMargin, waiver.ceiling));
  RETURN_IF_ERROR(reader.ReadDate("until", waiver.until));
  RETURN_IF_ERROR(reader.ReadText("reason", kKeys[3].expected, waiver.reason));
  policy.waivers.push_back(std::move(waiver));
  return absl::OkStatus();
}

// Reads every table of the array of tables `key`.
absl::Status ReadEach(const TableReader& top, std::string_view source,
                      const std::string& key,
                      absl::Status (*read)(const TableReader&, Policy&),
                      Policy& policy) {
  const toml::node* node = top.Find(key);
  if (node == nullptr) return absl::OkStatus();
  const std::string expected = absl::StrCat("[[", key, "]] tables");
  const toml::array* entries = node->as_array();
  if (entries == nullptr) return top.Unexpected(*node, key, expected);
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const toml::node& entry = *entries->get(i);
    if (!entry.is_table()) return top.Unexpected(entry, key, expected);
    const TableReader reader(*entry.as_table(), source,
                             absl::StrFormat("%s[%d]", key, i));
    RETURN_IF_ERROR(read(reader, policy));
  }
  return absl::OkStatus();
}

absl::Status CheckSchemaVersion(const TableReader& top) {
  const toml::node* node = top.Find("schema_version");
  if (node == nullptr) return absl::OkStatus();
  const auto* version = node->as_integer();
  if (version != nullptr && version->get() == 1) return absl::OkStatus();
  return top.Unexpected(*node, "schema_version", "1");
}

absl::StatusOr<Policy> ReadDocument(
    const toml::table& document, std::string_view source,
    std::span<const std::string_view> other_tables) {
  const TableReader top(document, source, "");
  std::vector<std::string> known = {"schema_version", "policy", "guard",
                                    "margin", "waiver"};
  known.insert(known.end(), other_tables.begin(), other_tables.end());
  RETURN_IF_ERROR(top.CheckKeys(known));
  RETURN_IF_ERROR(CheckSchemaVersion(top));
  Policy policy;
  const toml::node* node = top.Find("policy");
  if (node != nullptr && !node->is_table()) {
    return top.Unexpected(*node, "policy", "a [policy] table");
  }
  if (node != nullptr) {
    const TableReader reader(*node->as_table(), source, "policy");
    RETURN_IF_ERROR(ReadPolicyTable(reader, policy));
  }
  RETURN_IF_ERROR(ReadEach(top, source, "guard", &ReadGuard, policy));
  RETURN_IF_ERROR(ReadEach(top, source, "margin", &ReadMargin, policy));
  RETURN_IF_ERROR(ReadEach(top, source, "waiver", &ReadWaiver, policy));
  // What is left is between keys: the table's own line is the place.
  const toml::node& place = node == nullptr ? document : *node;
  RETURN_IF_ERROR(
      Annotate(CheckPolicy(policy),
               absl::StrFormat("%s:%d", source, place.source().begin.line)));
  return policy;
}

}  // namespace

absl::StatusOr<Policy> ReadPolicyToml(
    std::string_view text, std::string_view source_name,
    std::span<const std::string_view> other_tables) {
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s:%d: %s", source_name, result.error().source().begin.line,
        absl::Utf8SafeCHexEscape(std::string(result.error().description()))));
  }
  return ReadDocument(result.table(), source_name, other_tables);
}

}  // namespace autotune
