#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/names.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/evidence_fields.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json ToJson(const T& value);

template <typename T>
Json ToJson(const std::optional<T>& value) {
  return value ? ToJson(*value) : Json(nullptr);
}

template <typename T>
Json ToJson(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(ToJson(value));
  return list;
}

Json ToJson(const std::map<std::string, std::string>& entries) {
  Json object = Json::object();
  for (const auto& [key, text] : entries) object[key] = text;
  return object;
}

// Collects the fields of one object.
class Writer {
 public:
  template <typename T>
  void operator()(std::string_view name, const T& value) {
    object_[std::string(name)] = ToJson(value);
  }
  const Json& object() const { return object_; }

 private:
  Json object_ = Json::object();
};

template <typename T>
Json ToJson(const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    assert(std::isfinite(value));
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(NameOf(value));
  } else if constexpr (std::is_arithmetic_v<T> ||
                       std::is_same_v<T, std::string>) {
    return value;
  } else {
    Writer writer;
    FieldsOf<T>::Describe(writer, value);
    return writer.object();
  }
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The members of `object`, each on its own line, for readable differences.
std::string MemberLines(const Json& object) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : object.items()) {
    lines.push_back(absl::StrCat("\"", key, "\": ", Dump(value)));
  }
  return absl::StrJoin(lines, ",\n");
}

std::string RoundLines(const std::vector<RoundEvidence>& rounds) {
  return absl::StrJoin(rounds, ",\n",
                       [](std::string* out, const RoundEvidence& round) {
                         out->append(Dump(ToJson(round)));
                       });
}

Writer HeaderWriter(const Evidence& evidence, std::string_view format) {
  Writer writer;
  const EvidenceFormat first{std::string(format), kEvidenceSchemaVersion};
  FieldsOf<EvidenceFormat>::Describe(writer, first);
  DescribeEvidenceHeader(writer, evidence);
  return writer;
}

}  // namespace

std::string EvidenceToJson(const Evidence& evidence) {
  const Writer header = HeaderWriter(evidence, kWholeFormat);
  Writer outcome;
  DescribeEvidenceOutcome(outcome, evidence);
  return absl::StrCat("{\n", MemberLines(header.object()), ",\n\"rounds\": [\n",
                      RoundLines(evidence.rounds), "\n],\n",
                      MemberLines(outcome.object()), "\n}\n");
}

std::string EvidenceHeaderLine(const Evidence& evidence) {
  return Dump(HeaderWriter(evidence, kJournalFormat).object()) + "\n";
}

std::string EvidenceRoundLine(const RoundEvidence& round) {
  return Dump(ToJson(round)) + "\n";
}

}  // namespace autotune
