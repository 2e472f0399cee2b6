#include "comparator/policy/policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/annotate.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy_fields.h"
#include "comparator/policy/policy_reader.h"
#include "comparator/statistics/metric.h"

namespace autotune {
namespace {

template <typename E, std::size_t kSize>
std::string_view NameOf(const std::array<Named<E>, kSize>& table, E value) {
  for (const Named<E>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return table.front().name;
}

template <typename E, std::size_t kSize>
std::optional<E> ValueOf(const std::array<Named<E>, kSize>& table,
                         std::string_view name) {
  for (const Named<E>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  return ShortestText(value);
}

absl::Status Unexpected(std::string_view key, std::string_view expected,
                        std::string_view got) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected %s, got %s", key, expected, got));
}

std::string Quoted(const std::string& text) {
  return absl::StrCat("\"", absl::Utf8SafeCHexEscape(text), "\"");
}

absl::Status CheckNumbers(const Policy& policy) {
  for (const PolicyNumberField& field : PolicyNumberFields()) {
    const double value = policy.*field.member;
    if (!field.in_range(value)) {
      return Unexpected(field.key, field.expected, NumberText(value));
    }
  }
  for (const PolicyCountField& field : PolicyCountFields()) {
    const std::int64_t value = policy.*field.member;
    if (value < 1) {
      return Unexpected(field.key, "a whole number of at least 1",
                        absl::StrCat(value));
    }
  }
  if (policy.alpha + policy.beta >= 1.0) {
    return Unexpected("alpha", "alpha + beta below 1",
                      NumberText(policy.alpha + policy.beta));
  }
  return absl::OkStatus();
}

absl::Status CheckMetric(const Policy& policy) {
  if (policy.metric.empty()) {
    return Unexpected("metric", "auto, real_time, cpu_time or a counter's name",
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
  return absl::InvalidArgumentError(absl::StrCat(
      "direction: metric ", Quoted(policy.metric),
      " has no known direction; say whether lower or higher is better"));
}

absl::Status CheckPattern(const std::string& key, std::string_view pattern) {
  return Annotate(NamePattern::Create(pattern).status(), key);
}

absl::Status CheckGuard(const Guard& guard, const std::string& key) {
  const bool by_name = !guard.benchmark_pattern.empty();
  if (by_name == !guard.metric.empty()) {
    return Unexpected(key, "either a name or a metric",
                      by_name ? "both" : "neither");
  }
  RETURN_IF_ERROR(CheckPattern(key + ".name", guard.benchmark_pattern));
  if (IsMargin(guard.margin)) return absl::OkStatus();
  return Unexpected(key + ".margin", kExpectedMargin, NumberText(guard.margin));
}

absl::Status CheckMargin(const BenchmarkMargin& margin,
                         const std::string& key) {
  RETURN_IF_ERROR(CheckPattern(key + ".name", margin.benchmark_pattern));
  if (IsMargin(margin.margin)) return absl::OkStatus();
  return Unexpected(key + ".margin", kExpectedMargin,
                    NumberText(margin.margin));
}

absl::Status CheckWaiver(const Waiver& waiver, const std::string& key) {
  if (waiver.name.empty()) {
    return Unexpected(key + ".name", "a benchmark's exact name", "\"\"");
  }
  if (!IsMargin(waiver.ceiling)) {
    return Unexpected(key + ".ceiling", kExpectedMargin,
                      NumberText(waiver.ceiling));
  }
  if (!IsDate(waiver.until)) {
    return Unexpected(key + ".until", kExpectedDate, Quoted(waiver.until));
  }
  return absl::OkStatus();
}

// Checks every entry of one list, naming it "KEY[i]".
template <typename Entry>
absl::Status CheckEach(const std::vector<Entry>& entries, std::string_view list,
                       absl::Status (*check)(const Entry&,
                                             const std::string&)) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    RETURN_IF_ERROR(check(entries[i], absl::StrFormat("%s[%d]", list, i)));
  }
  return absl::OkStatus();
}

struct DurationUnit {
  std::string_view name;
  double seconds;
};
// "ms" before "m": the first that fits is taken.
constexpr std::array<DurationUnit, 4> kDurationUnits = {
    {{"ms", 1e-3}, {"h", 3600.0}, {"m", 60.0}, {"s", 1.0}}};

// Takes one "NUMBER UNIT" from the front of `text` and returns its seconds.
std::optional<double> TakeDurationPart(std::string_view& text) {
  const std::size_t digits =
      std::min(text.find_first_not_of("0123456789."), text.size());
  const std::optional<double> number =
      ParseFiniteDouble(text.substr(0, digits));
  if (!number.has_value()) return std::nullopt;
  text.remove_prefix(digits);
  for (const DurationUnit& unit : kDurationUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return *number * unit.seconds;
  }
  return std::nullopt;
}

}  // namespace

double MinLogImprovement(const Policy& policy) {
  return -std::log1p(-policy.min_effect);
}

absl::StatusOr<Policy> ParsePolicy(
    std::string_view text, std::string_view source_name,
    std::span<const std::string_view> other_tables) {
  return ReadPolicyToml(text, source_name, other_tables);
}

absl::Status CheckPolicy(const Policy& policy) {
  RETURN_IF_ERROR(CheckNumbers(policy));
  RETURN_IF_ERROR(CheckMetric(policy));
  RETURN_IF_ERROR(CheckEach(policy.guards, "guard", &CheckGuard));
  RETURN_IF_ERROR(CheckEach(policy.margins, "margin", &CheckMargin));
  return CheckEach(policy.waivers, "waiver", &CheckWaiver);
}

Metric MetricFor(const Policy& policy, std::string_view benchmark_name) {
  if (policy.metric == "auto") return DefaultMetric(benchmark_name);
  const Direction known =
      KnownDirection(policy.metric).value_or(Direction::kLowerIsBetter);
  return Metric{policy.metric, policy.direction.value_or(known)};
}

std::optional<double> ParseDurationSeconds(std::string_view text) {
  double seconds = 0.0;
  do {
    const std::optional<double> part = TakeDurationPart(text);
    if (!part.has_value()) return std::nullopt;
    seconds += *part;
  } while (!text.empty());
  if (!std::isfinite(seconds) || seconds <= 0.0) return std::nullopt;
  return seconds;
}

std::string_view MeasureModeName(MeasureMode mode) {
  return NameOf(kMeasureModes, mode);
}
std::optional<MeasureMode> ParseMeasureMode(std::string_view name) {
  return ValueOf(kMeasureModes, name);
}

std::string_view PolicyKindName(PolicyKind kind) {
  return NameOf(kPolicyKinds, kind);
}
std::optional<PolicyKind> ParsePolicyKind(std::string_view name) {
  return ValueOf(kPolicyKinds, name);
}

std::string_view DirectionName(Direction direction) {
  return NameOf(kDirections, direction);
}
std::optional<Direction> ParseDirection(std::string_view name) {
  return ValueOf(kDirections, name);
}

std::string_view ErrorControlName(ErrorControl control) {
  return NameOf(kErrorControls, control);
}
std::optional<ErrorControl> ParseErrorControl(std::string_view name) {
  return ValueOf(kErrorControls, name);
}

std::string_view TargetRuleName(TargetRule rule) {
  return NameOf(kTargetRules, rule);
}
std::optional<TargetRule> ParseTargetRule(std::string_view name) {
  return ValueOf(kTargetRules, name);
}

std::string_view GuardModeName(GuardMode mode) {
  return NameOf(kGuardModes, mode);
}
std::optional<GuardMode> ParseGuardMode(std::string_view name) {
  return ValueOf(kGuardModes, name);
}

}  // namespace autotune
