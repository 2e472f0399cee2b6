#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/names.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/fleet/fleet.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFleetStart =
    "{\n\"schema_version\": 1,\n\"format\": \"autotune fleet evidence\",\n";

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string RecordLines(const FleetRecord& record) {
  return absl::StrCat("{\"source\": ", Dump(record.source),
                      ", \"evidence\": ", EvidenceToJson(record.evidence), "}");
}

std::string HostLines(const FleetHost& host) {
  return absl::StrCat(
      "{\"name\": ", Dump(host.name), ", \"lost\": ", Dump(host.lost),
      ", \"records\": [\n",
      absl::StrJoin(host.records, ",\n",
                    [](std::string* out, const FleetRecord& record) {
                      out->append(RecordLines(record));
                    }),
      "]}");
}

Json DroppedJson(const std::vector<DroppedHost>& dropped) {
  Json list = Json::array();
  for (const DroppedHost& host : dropped) {
    list.push_back({{"name", host.name}, {"reason", host.reason}});
  }
  return list;
}

Json HeterogeneityJson(const std::optional<Heterogeneity>& found) {
  if (!found.has_value()) return nullptr;
  return {{"q", found->q},
          {"i_squared", found->i_squared},
          {"p_value", found->p_value}};
}

absl::Status Expected(const std::string& path, std::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": expected ", std::string(expected)));
}

// The member `key` of an object.
absl::StatusOr<Json> Member(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found != object.end()) return *found;
  return absl::InvalidArgumentError(
      absl::StrCat("expected the key \"", key, "\", got none"));
}

absl::StatusOr<std::string> TextOf(const Json& object, const std::string& key) {
  ASSIGN_OR_RETURN(const Json member, Member(object, key));
  if (!member.is_string()) return Expected(key, "a string");
  return member.get<std::string>();
}

absl::StatusOr<Json> ListOf(const Json& object, const std::string& key) {
  ASSIGN_OR_RETURN(Json member, Member(object, key));
  if (!member.is_array()) return Expected(key, "a list");
  return member;
}

absl::StatusOr<Evidence> EvidenceOf(const Json& object,
                                    const std::string& key) {
  ASSIGN_OR_RETURN(const Json member, Member(object, key));
  return ParseEvidence(Dump(member), key);
}

absl::StatusOr<FleetRecord> ReadRecord(const Json& json) {
  if (!json.is_object()) {
    return absl::InvalidArgumentError("expected an object");
  }
  FleetRecord record;
  ASSIGN_OR_RETURN(record.source, TextOf(json, "source"));
  ASSIGN_OR_RETURN(record.evidence, EvidenceOf(json, "evidence"));
  return record;
}

absl::StatusOr<FleetHost> ReadHost(const Json& json) {
  if (!json.is_object()) {
    return absl::InvalidArgumentError("expected an object");
  }
  FleetHost host;
  ASSIGN_OR_RETURN(host.name, TextOf(json, "name"));
  ASSIGN_OR_RETURN(host.lost, TextOf(json, "lost"));
  ASSIGN_OR_RETURN(const Json records, ListOf(json, "records"));
  if (records.empty()) return Expected("records", "at least one");
  for (std::size_t i = 0; i < records.size(); ++i) {
    absl::StatusOr<FleetRecord> record = ReadRecord(records[i]);
    RETURN_IF_ERROR(
        Annotate(record.status(), absl::StrCat("records[", i, "]")));
    host.records.push_back(*std::move(record));
  }
  return host;
}

absl::Status ReadHosts(const Json& json, Fleet& fleet) {
  ASSIGN_OR_RETURN(const Json hosts, ListOf(json, "hosts"));
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    absl::StatusOr<FleetHost> host = ReadHost(hosts[i]);
    RETURN_IF_ERROR(Annotate(host.status(), absl::StrCat("hosts[", i, "]")));
    const bool sorted =
        fleet.hosts.empty() || fleet.hosts.back().name < host->name;
    if (!sorted) return Expected("hosts", "each once, sorted by name");
    fleet.hosts.push_back(*std::move(host));
  }
  return absl::OkStatus();
}

absl::Status ReadFleetPolicy(const Json& json, FleetPolicy& policy) {
  ASSIGN_OR_RETURN(const std::string rule, TextOf(json, "rule"));
  const std::optional<HostRule> known = ValueNamed<HostRule>(rule);
  if (!known.has_value()) {
    return Expected(
        "rule",
        absl::StrCat("one of ", absl::StrJoin(NamesOf<HostRule>(), ", "),
                     ", got ", Quoted(rule)));
  }
  policy.rule = *known;
  ASSIGN_OR_RETURN(const Json weights, Member(json, "weights"));
  if (!weights.is_object()) return Expected("weights", "an object");
  for (const auto& [host, weight] : weights.items()) {
    if (!weight.is_number()) {
      return Expected("weights." + host, "a number");
    }
    policy.weights[host] = weight.get<double>();
  }
  return absl::OkStatus();
}

absl::StatusOr<Fleet> ReadFleet(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text.begin(), text.end());
  } catch (const Json::exception&) {
    return absl::InvalidArgumentError(
        "expected JSON, the text is damaged or cut off");
  }
  Fleet fleet;
  RETURN_IF_ERROR(ReadFleetPolicy(json, fleet.policy));
  ASSIGN_OR_RETURN(const Json replicas, Member(json, "replicas"));
  if (!replicas.is_boolean()) return Expected("replicas", "true or false");
  fleet.replicas = replicas.get<bool>();
  ASSIGN_OR_RETURN(const Json failures, ListOf(json, "failures"));
  for (const Json& failure : failures) {
    if (!failure.is_string()) return Expected("failures", "strings");
    fleet.failures.push_back(failure.get<std::string>());
  }
  RETURN_IF_ERROR(ReadHosts(json, fleet));
  ASSIGN_OR_RETURN(fleet.combined, EvidenceOf(json, "combined"));
  return fleet;
}

}  // namespace

std::string FleetToJson(const Fleet& fleet) {
  Json weights = Json::object();
  for (const auto& [host, weight] : fleet.policy.weights) {
    weights[host] = weight;
  }
  return absl::StrCat(
      std::string(kFleetStart),
      "\"rule\": ", Dump(std::string(NameOf(fleet.policy.rule))),
      ",\n\"weights\": ", Dump(weights),
      ",\n\"replicas\": ", fleet.replicas ? "true" : "false",
      ",\n\"heterogeneity\": ", Dump(HeterogeneityJson(fleet.heterogeneity)),
      ",\n\"dropped\": ", Dump(DroppedJson(fleet.dropped)),
      ",\n\"failures\": ", Dump(Json(fleet.failures)), ",\n\"hosts\": [\n",
      absl::StrJoin(fleet.hosts, ",\n",
                    [](std::string* out, const FleetHost& host) {
                      out->append(HostLines(host));
                    }),
      "],\n\"combined\": ", EvidenceToJson(fleet.combined), "}\n");
}

bool IsFleetText(std::string_view text) {
  return text.starts_with(kFleetStart);
}

absl::StatusOr<Fleet> ParseFleet(std::string_view text,
                                 std::string_view source_name) {
  absl::StatusOr<Fleet> fleet = ReadFleet(text);
  RETURN_IF_ERROR(Annotate(fleet.status(), std::string(source_name)));
  return fleet;
}

}  // namespace autotune
