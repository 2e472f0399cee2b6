#include "tools/report/json_writer.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "base/utf8_text.h"
#include "comparator/statistics/estimate.h"

namespace autotune {
namespace {

// `text` as a JSON string with its quotes. Source: RFC 8259, section 7.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      absl::StrAppendFormat(&quoted, "\\u%04x", byte);
    } else if (c == '[' && quoted.ends_with("##")) {
      quoted += "\\u005b";  // "##[error]" is a command to some CI logs
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

void JsonWriter::NewLine() {
  text_ += '\n';
  text_.append(2 * open_.size(), ' ');
}

void JsonWriter::StartValue(std::string_view key) {
  if (!open_.empty()) {
    if (!first_) text_ += ',';
    NewLine();
  }
  first_ = false;
  if (open_.ends_with('{')) absl::StrAppend(&text_, Quoted(key), ": ");
}

void JsonWriter::Begin(std::string_view key, char bracket) {
  StartValue(key);
  text_ += bracket;
  open_ += bracket;
  first_ = true;
}

void JsonWriter::End(char bracket) {
  assert(!open_.empty());
  open_.pop_back();
  if (!first_) NewLine();
  text_ += bracket;
  first_ = false;
}

void JsonWriter::Text(std::string_view key, std::string_view value) {
  StartValue(key);
  text_ += Quoted(value);
}

void JsonWriter::Number(std::string_view key, double value) {
  StartValue(key);
  text_ += ShortestText(value);
}

void JsonWriter::Count(std::string_view key, std::int64_t value) {
  StartValue(key);
  absl::StrAppend(&text_, value);
}

void JsonWriter::Flag(std::string_view key, bool value) {
  StartValue(key);
  text_ += value ? "true" : "false";
}

void JsonWriter::Null(std::string_view key) {
  StartValue(key);
  text_ += "null";
}

void JsonWriter::Number(std::string_view key,
                        const std::optional<double>& value) {
  value.has_value() ? Number(key, *value) : Null(key);
}

void JsonWriter::Count(std::string_view key,
                       const std::optional<std::int64_t>& value) {
  value.has_value() ? Count(key, *value) : Null(key);
}

void JsonWriter::Texts(std::string_view key,
                       const std::vector<std::string>& values) {
  BeginArray(key);
  for (const std::string& value : values) Text("", value);
  EndArray();
}

void JsonWriter::Numbers(
    std::string_view key,
    const std::vector<std::pair<std::string, double>>& values) {
  BeginObject(key);
  for (const auto& [name, value] : values) Number(name, value);
  EndObject();
}

JsonWriter JsonWriter::OfMembers() {
  JsonWriter writer;
  writer.open_ = "{";
  return writer;
}

void JsonWriter::Members(const JsonWriter& members) {
  assert(open_ == "{" && members.open_ == "{");
  if (members.first_) return;
  if (!first_) text_ += ',';
  text_ += members.text_;
  first_ = false;
}

void JsonWriter::Estimate(const std::optional<RatioEstimate>& estimate) {
  if (!estimate.has_value()) {
    for (const std::string_view key :
         {"ratio", "ratio_low", "ratio_high", "confidence_level"}) {
      Null(key);
    }
    return;
  }
  Number("ratio", estimate->ratio);
  Number("ratio_low", estimate->interval.lower);
  Number("ratio_high", estimate->interval.upper);
  Number("confidence_level", estimate->interval.confidence_level);
}

std::string JsonWriter::Take() {
  assert(open_.empty());
  return std::exchange(text_, "") + "\n";
}

}  // namespace autotune
