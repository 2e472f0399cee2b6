#include "comparator/policy/policy.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/annotate.h"
#include "base/did_you_mean.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/field.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/toml_node.h"
#include "comparator/statistics/metric.h"

namespace autotune {
namespace {

// Those that need no direction and are easily misspelt.
const std::vector<std::string> kKnownMetrics = {
    "auto", "real_time", "cpu_time", "items_per_second", "bytes_per_second"};

absl::Status CheckMetric(const Policy& policy) {
  if (policy.metric.empty()) {
    return absl::InvalidArgumentError(
        "metric: expected auto, real_time, cpu_time or a counter's name, got "
        "\"\"");
  }
  if (policy.metric == "auto") {
    if (!policy.direction.has_value()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "direction: metric \"auto\" chooses a time, and lower is better; name "
        "the metric to give it a direction");
  }
  if (policy.direction.has_value()) return absl::OkStatus();
  if (KnownDirection(policy.metric).has_value()) return absl::OkStatus();
  const std::string guess = DidYouMean(policy.metric, kKnownMetrics);
  return absl::InvalidArgumentError(absl::StrCat(
      "direction: metric ", Quoted(policy.metric), " has no known direction",
      guess.empty() ? "; say whether lower or higher is better" : guess));
}

absl::Status CheckGuard(const Guard& guard) {
  const bool by_name = !guard.benchmark_pattern.empty();
  if (by_name != !guard.metric.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected either a name or a metric, got ",
                   by_name ? "both" : "neither"));
}

std::string EntryName(std::string_view list, std::size_t index) {
  return absl::StrFormat("%s[%d]", list, index);
}

// Checks every entry of one list.
template <typename F, typename Entry>
absl::Status CheckEach(std::span<const F> fields, std::string_view list,
                       const std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    RETURN_IF_ERROR(CheckFields(fields, entries[i], EntryName(list, i) + "."));
  }
  return absl::OkStatus();
}

// Reads every table of a list, each starting from `usual`.
template <typename F, typename Entry>
absl::Status ReadEach(std::span<const F> fields, const TomlTable& top,
                      const std::string& list, const Entry& usual,
                      std::vector<Entry>& entries) {
  ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables(list));
  for (const TomlTable& table : tables) {
    RETURN_IF_ERROR(ReadFields(fields, table, entries.emplace_back(usual)));
  }
  return absl::OkStatus();
}

absl::Status ReadGuards(const TomlTable& top, Policy& policy) {
  Guard usual;
  usual.margin = policy.default_margin;
  RETURN_IF_ERROR(ReadEach(GuardFields(), top, "guard", usual, policy.guards));
  ASSIGN_OR_RETURN(const std::vector<TomlTable> tables, top.Tables("guard"));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const absl::Status checked = CheckGuard(policy.guards[i]);
    if (!checked.ok())
      return tables[i].Error("", std::string(checked.message()));
  }
  return absl::OkStatus();
}

}  // namespace

double MinLogImprovement(const Policy& policy) {
  return -std::log1p(-policy.min_effect);
}

absl::StatusOr<Policy> ParsePolicy(std::string_view text,
                                   std::string_view source_name) {
  ASSIGN_OR_RETURN(const TomlNode document, ParseToml(text, source_name));
  return ReadPolicy(TomlTable(document, source_name, ""));
}

absl::StatusOr<Policy> ReadPolicy(
    const TomlTable& top, std::span<const std::string_view> other_tables) {
  std::vector<std::string> known = {"schema_version", "policy", "guard",
                                    "margin", "waiver"};
  known.insert(known.end(), other_tables.begin(), other_tables.end());
  RETURN_IF_ERROR(top.CheckKeys(known));
  RETURN_IF_ERROR(top.CheckSchemaVersion());
  Policy policy;
  ASSIGN_OR_RETURN(const std::optional<TomlTable> table, top.Table("policy"));
  if (table.has_value()) {
    RETURN_IF_ERROR(ReadFields(PolicyFields(), *table, policy));
  }
  RETURN_IF_ERROR(ReadGuards(top, policy));
  RETURN_IF_ERROR(ReadEach(MarginFields(), top, "margin", {}, policy.margins));
  RETURN_IF_ERROR(ReadEach(WaiverFields(), top, "waiver", {}, policy.waivers));
  // What is left is between keys: the table's own line is the place.
  RETURN_IF_ERROR(Annotate(CheckPolicy(policy), table.value_or(top).Place()));
  return policy;
}

absl::Status CheckPolicy(const Policy& policy) {
  RETURN_IF_ERROR(CheckFields(PolicyFields(), policy, ""));
  if (policy.alpha + policy.beta >= 1.0) {
    return absl::InvalidArgumentError(
        absl::StrCat("alpha: expected alpha + beta below 1, got ",
                     AnyNumberText(policy.alpha + policy.beta)));
  }
  RETURN_IF_ERROR(CheckMetric(policy));
  for (std::size_t i = 0; i < policy.guards.size(); ++i) {
    RETURN_IF_ERROR(
        Annotate(CheckGuard(policy.guards[i]), EntryName("guard", i)));
  }
  RETURN_IF_ERROR(CheckEach(GuardFields(), "guard", policy.guards));
  RETURN_IF_ERROR(CheckEach(MarginFields(), "margin", policy.margins));
  return CheckEach(WaiverFields(), "waiver", policy.waivers);
}

Metric MetricFor(const Policy& policy, std::string_view benchmark_name) {
  if (policy.metric == "auto") return DefaultMetric(benchmark_name);
  const Direction known =
      KnownDirection(policy.metric).value_or(Direction::kLowerIsBetter);
  return Metric{policy.metric, policy.direction.value_or(known)};
}

}  // namespace autotune
