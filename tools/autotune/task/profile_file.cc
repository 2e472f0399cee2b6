#include "tools/autotune/task/profile_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/task/attempt.h"
#include "tools/program/verb_result.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;
// Names of functions can fill pages; their beginning tells them apart.
constexpr std::size_t kLongestName = 120;

void Put(Json& json, const char* key, const std::optional<double>& value) {
  if (value.has_value()) json[key] = *value;
}

Json JsonOf(const ProfilePart& part) {
  Json json;
  json["name"] = part.name;
  Put(json, "real_time_ns", part.nanoseconds);
  Put(json, "share", part.share);
  Put(json, "inclusive_share", part.inclusive_share);
  Put(json, "calls", part.calls);
  return json;
}

Json JsonOf(const BenchmarkProfile& benchmark) {
  Json json;
  json["name"] = benchmark.name;
  json["real_time_ns"] = benchmark.nanoseconds;
  json["parts"] = Json::array();
  for (const ProfilePart& part : benchmark.parts) {
    json["parts"].push_back(JsonOf(part));
  }
  return json;
}

std::optional<double> Number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string Text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

BenchmarkProfile BenchmarkOf(const Json& json) {
  BenchmarkProfile benchmark;
  benchmark.name = Text(json, "name");
  benchmark.nanoseconds = Number(json, "real_time_ns").value_or(0.0);
  const auto parts = json.find("parts");
  if (parts == json.end()) return benchmark;
  for (const Json& one : *parts) {
    ProfilePart part;
    part.name = Text(one, "name");
    part.nanoseconds = Number(one, "real_time_ns");
    part.share = Number(one, "share");
    part.inclusive_share = Number(one, "inclusive_share");
    part.calls = Number(one, "calls");
    benchmark.parts.push_back(std::move(part));
  }
  return benchmark;
}

std::string ShareText(double share) {
  return absl::StrCat(FixedText(100.0 * share, 1), " %");
}

// What a part's share says of the whole target: a function is changed with what
// it calls.
double WholeShare(const ProfilePart& part) {
  return part.inclusive_share.value_or(part.share.value_or(0.0));
}

std::string PartText(const ProfilePart& part) {
  std::string text = absl::StrCat(OneLine(part.name, kLongestName), " ");
  if (!part.share.has_value()) {
    return text + ValueText("real_time", part.nanoseconds.value_or(0.0));
  }
  absl::StrAppend(&text, ShareText(*part.share));
  if (part.inclusive_share.has_value() &&
      *part.inclusive_share > *part.share + 0.005) {
    absl::StrAppend(&text, " (", ShareText(*part.inclusive_share),
                    " with what it calls)");
  }
  return text;
}

}  // namespace

std::string FormatTaskProfile(const TaskProfile& profile) {
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["kind"] = std::string(NameOf(profile.kind));
  json["commit"] = profile.commit;
  json["date"] = profile.date;
  json["rows"] = profile.rows;
  if (!profile.reason.empty()) json["reason"] = profile.reason;
  json["benchmarks"] = Json::array();
  for (const BenchmarkProfile& benchmark : profile.benchmarks) {
    json["benchmarks"].push_back(JsonOf(benchmark));
  }
  // Names come from programs and may be no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<TaskProfile> ParseTaskProfile(std::string_view text,
                                             std::string_view source) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto wrong = [&](std::string_view problem) {
    return WithHint(absl::InvalidArgumentError(absl::StrCat(
                        std::string(source), ": ", std::string(problem))),
                    {Autotune({"profile"}), " writes it anew"});
  };
  if (!json.is_object()) return wrong("expected a JSON object");
  if (Number(json, "schema_version") != kSchemaVersion) {
    return wrong("expected schema_version 1");
  }
  TaskProfile profile;
  const std::string kind_name = Text(json, "kind");
  const std::optional<ProfileKind> kind = ValueNamed<ProfileKind>(kind_name);
  if (!kind.has_value()) {
    return wrong("kind: expected sections, samples, instructions or none");
  }
  profile.kind = *kind;
  profile.commit = Text(json, "commit");
  profile.date = Text(json, "date");
  profile.rows = std::llround(Number(json, "rows").value_or(0.0));
  profile.reason = Text(json, "reason");
  const auto benchmarks = json.find("benchmarks");
  if (benchmarks == json.end() || !benchmarks->is_array()) {
    return wrong("expected benchmarks, an array");
  }
  for (const Json& one : *benchmarks) {
    profile.benchmarks.push_back(BenchmarkOf(one));
  }
  return profile;
}

absl::StatusOr<std::optional<TaskProfile>> LoadProfile(
    const Repository& repository, const TaskState& state) {
  ASSIGN_OR_RETURN(
      const std::string text,
      ReadTaskFile(repository, state.task, state.tip, "profile.json"));
  if (text.empty()) return std::optional<TaskProfile>();
  ASSIGN_OR_RETURN(TaskProfile profile,
                   ParseTaskProfile(text, state.task.File("profile.json")));
  return std::optional<TaskProfile>(std::move(profile));
}

std::optional<std::string> FindPart(const TaskProfile& profile,
                                    std::string_view name) {
  std::optional<std::string> found;
  for (const std::string& part : PartNames(profile)) {
    if (part == name) return part;
    if (part.find(name) == std::string::npos) continue;
    if (found.has_value()) return std::nullopt;
    found = part;
  }
  return found;
}

std::optional<double> ShareOf(const TaskProfile& profile,
                              std::string_view part) {
  double sum = 0.0;
  bool found = false;
  for (const BenchmarkProfile& benchmark : profile.benchmarks) {
    for (const ProfilePart& one : benchmark.parts) {
      if (one.name != part || !one.share.has_value()) continue;
      sum += WholeShare(one);
      found = true;
    }
  }
  if (!found) return std::nullopt;
  return sum / static_cast<double>(profile.benchmarks.size());
}

std::vector<std::string> PartNames(const TaskProfile& profile) {
  std::map<std::string, double> shares;
  for (const BenchmarkProfile& benchmark : profile.benchmarks) {
    for (const ProfilePart& part : benchmark.parts) {
      shares[part.name] += part.share.value_or(0.0);
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, share] : shares) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) {
                     return shares[a] > shares[b];
                   });
  return names;
}

std::vector<std::string> ProfileLines(const TaskProfile& profile,
                                      std::size_t most_benchmarks,
                                      std::size_t most_parts) {
  std::vector<std::string> lines;
  for (const BenchmarkProfile& benchmark : profile.benchmarks) {
    if (lines.size() == most_benchmarks) break;
    std::string line =
        absl::StrCat(OneLine(benchmark.name, kLongestName), ", ",
                     ValueText("real_time", benchmark.nanoseconds), ":");
    std::size_t shown = 0;
    for (const ProfilePart& part : benchmark.parts) {
      if (shown == most_parts) break;
      absl::StrAppend(&line, shown == 0 ? " " : "; ", PartText(part));
      ++shown;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace autotune
