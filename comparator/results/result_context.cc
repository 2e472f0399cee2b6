#include "comparator/results/result_context.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "comparator/results/json_scanner.h"
#include "comparator/results/json_values.h"
#include "comparator/results/result_file.h"

namespace autotune {
namespace {

bool ReadLoad(JsonScanner& scanner, ResultContext& context) {
  bool first = true;
  if (!BeginArrayValue(scanner, first)) return false;
  while (scanner.NextItem(first)) {
    JsonNumber number;
    if (!ReadNumberOrNull(scanner, number)) return false;
    if (number.value.has_value()) context.load_avg.push_back(*number.value);
  }
  return scanner.ok();
}

bool ReadOptionalFlag(JsonScanner& scanner, std::optional<bool>& flag) {
  return ReadFlag(scanner, flag.emplace());
}

// A number of the machine, rounded: nothing depends on its digits.
bool ReadRounded(JsonScanner& scanner, std::optional<std::int64_t>& value) {
  JsonNumber number;
  if (!ReadNumberOrNull(scanner, number)) return false;
  constexpr double kLargest = 1e15;
  if (number.value.has_value() && std::abs(*number.value) < kLargest) {
    value = std::llround(*number.value);
  }
  return true;
}

bool ReadCache(JsonScanner& scanner, CpuCache& cache) {
  JsonKeys keys;
  if (!BeginObjectValue(scanner, keys)) return false;
  std::string_view key;
  while (scanner.NextKey(keys, key)) {
    std::optional<std::int64_t> number;
    const bool read = key == "type" ? ReadText(scanner, cache.type)
                      : key == "level" || key == "size"
                          ? ReadRounded(scanner, number)
                          : scanner.Skip();
    if (!read) return false;
    if (key == "level") cache.level = number.value_or(0);
    if (key == "size") cache.bytes = number.value_or(0);
  }
  return scanner.ok();
}

bool ReadCaches(JsonScanner& scanner, ResultContext& context) {
  bool first = true;
  if (!BeginArrayValue(scanner, first)) return false;
  while (scanner.NextItem(first)) {
    if (!ReadCache(scanner, context.caches.emplace_back())) return false;
  }
  return scanner.ok();
}

bool ReadCustom(JsonScanner& scanner, std::string_view key,
                ResultContext& context) {
  if (scanner.Next() != JsonType::kString) return scanner.Skip();
  std::string& value = context.custom.emplace_back(key, "").second;
  return ReadText(scanner, value);
}

bool ReadContextField(JsonScanner& scanner, std::string_view key,
                      ResultContext& context) {
  if (key == "date") return ReadText(scanner, context.date);
  if (key == "host_name") return ReadText(scanner, context.host_name);
  if (key == "executable") return ReadText(scanner, context.executable);
  if (key == "library_version") {
    return ReadText(scanner, context.library_version);
  }
  if (key == "library_build_type") {
    return ReadText(scanner, context.library_build_type);
  }
  if (key == "json_schema_version") {
    return ReadRounded(scanner, context.json_schema_version);
  }
  if (key == "num_cpus") return ReadRounded(scanner, context.num_cpus);
  if (key == "mhz_per_cpu") return ReadRounded(scanner, context.mhz_per_cpu);
  if (key == "cpu_scaling_enabled") {
    return ReadOptionalFlag(scanner, context.cpu_scaling_enabled);
  }
  if (key == "aslr_enabled") {
    return ReadOptionalFlag(scanner, context.aslr_enabled);
  }
  if (key == "caches") return ReadCaches(scanner, context);
  if (key == "load_avg") return ReadLoad(scanner, context);
  return ReadCustom(scanner, key, context);
}

// {"rfc3339": ..., "unix": SECONDS}
bool ReadTimePoint(JsonScanner& scanner, std::optional<double>& unix_seconds) {
  JsonKeys keys;
  if (!BeginObjectValue(scanner, keys)) return false;
  std::string_view key;
  while (scanner.NextKey(keys, key)) {
    JsonNumber number;
    const bool read =
        key == "unix" ? ReadNumberOrNull(scanner, number) : scanner.Skip();
    if (!read) return false;
    if (key == "unix") unix_seconds = number.value;
  }
  return scanner.ok();
}

// The text, number or flag at `scanner` as a text; empty for anything else.
bool ReadScalar(JsonScanner& scanner, std::string& text) {
  JsonNumber number;
  bool flag = false;
  switch (scanner.Next()) {
    case JsonType::kString:
      return ReadText(scanner, text);
    case JsonType::kNumber:
      if (!scanner.ReadNumber(number)) return false;
      text.assign(number.text);
      return true;
    case JsonType::kBool:
      if (!scanner.ReadBool(flag)) return false;
      text = flag ? "true" : "false";
      return true;
    default:
      return scanner.Skip();
  }
}

bool ReadEnvironment(JsonScanner& scanner, ResultVisit& visit) {
  JsonKeys keys;
  if (!BeginObjectValue(scanner, keys)) return false;
  std::string_view key;
  while (scanner.NextKey(keys, key)) {
    std::string& value = visit.environment.emplace_back(key, "").second;
    if (!ReadScalar(scanner, value)) return false;
  }
  return scanner.ok();
}

bool ReadAutotuneField(JsonScanner& scanner, std::string_view key,
                       ResultFile& file) {
  if (key == "visit_id") return ReadText(scanner, file.visit_id);
  if (key == "complete") return ReadFlag(scanner, file.complete);
  if (key == "build_id") return ReadText(scanner, file.visit.build_id);
  if (key == "start") {
    return ReadTimePoint(scanner, file.visit.start_unix_seconds);
  }
  if (key == "end") {
    return ReadTimePoint(scanner, file.visit.end_unix_seconds);
  }
  if (key == "environment") return ReadEnvironment(scanner, file.visit);
  return scanner.Skip();
}

}  // namespace

bool ReadContext(JsonScanner& scanner, ResultFile& file, std::string& field) {
  JsonKeys keys;
  keys.AllowMissingComma();
  if (!BeginObjectValue(scanner, keys)) return false;
  std::string_view key;
  while (scanner.NextKey(keys, key)) {
    field.assign(key);
    if (!ReadContextField(scanner, key, file.context)) return false;
    field.clear();
  }
  if (keys.missing_comma().has_value()) {
    file.warnings.emplace_back(
        "context: read as if no comma were missing, as Google Benchmark 1.5.4 "
        "and 1.5.5 write custom context");
  }
  return scanner.ok();
}

bool ReadAutotuneObject(JsonScanner& scanner, ResultFile& file,
                        std::string& field) {
  JsonKeys keys;
  if (!BeginObjectValue(scanner, keys)) return false;
  std::string_view key;
  while (scanner.NextKey(keys, key)) {
    field.assign(key);
    if (!ReadAutotuneField(scanner, key, file)) return false;
    field.clear();
  }
  return scanner.ok();
}

bool IsDryRun(const ResultContext& context) {
  return std::any_of(
      context.custom.begin(), context.custom.end(), [](const auto& entry) {
        return entry.first == "dry_run" && entry.second == "true";
      });
}

std::string CachesText(const ResultFile& file) {
  std::vector<std::string> caches;
  for (const CpuCache& cache : file.context.caches) {
    constexpr std::int64_t kKibi = 1024;
    const bool mebi = cache.bytes >= kKibi * kKibi && cache.bytes % kKibi == 0;
    caches.push_back(absl::StrFormat(
        "L%d %s %s %s", cache.level, cache.type,
        ShortestText(static_cast<double>(cache.bytes) /
                     static_cast<double>(mebi ? kKibi * kKibi : kKibi)),
        mebi ? "MiB" : "KiB"));
  }
  return absl::StrJoin(caches, " + ");
}

std::string CpuModelText(const ResultFile& file) {
  const auto& environment = file.visit.environment;
  const auto found = std::find_if(
      environment.begin(), environment.end(),
      [](const auto& entry) { return entry.first == "cpu_model"; });
  return found == environment.end() ? "" : found->second;
}

std::string MachineText(const ResultFile& file) {
  const ResultContext& context = file.context;
  std::string cpus;
  if (context.num_cpus.has_value()) cpus = absl::StrCat(*context.num_cpus);
  const std::string text = absl::StrJoin(
      {context.host_name, cpus, CpuModelText(file), CachesText(file)}, "\n");
  return text == "\n\n\n" ? "" : text;
}

}  // namespace autotune
