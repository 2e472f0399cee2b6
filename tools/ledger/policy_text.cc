#include "tools/ledger/policy_text.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"
#include "tools/ledger/toml_text.h"

namespace autotune {
namespace {

void AppendPair(std::string_view key, const std::string& value,
                std::string& text) {
  absl::StrAppendFormat(&text, "%s = %s\n", key, value);
}

void AppendText(std::string_view key, std::string_view value,
                std::string& text) {
  AppendPair(key, TomlString(value), text);
}

void AppendNumbers(const Policy& policy, std::string& text) {
  for (const PolicyNumberField& field : PolicyNumberFields()) {
    const double value = policy.*field.member;
    const bool duration = field.member == &Policy::budget_seconds;
    AppendPair(field.key,
               duration ? TomlString(DurationText(value)) : TomlFloat(value),
               text);
  }
  for (const PolicyCountField& field : PolicyCountFields()) {
    AppendPair(field.key, absl::StrCat(policy.*field.member), text);
  }
}

void AppendPolicy(const Policy& policy, std::string& text) {
  text += "[policy]\n# When a change is kept; fractions, not per cent.\n";
  AppendText("kind", PolicyKindName(policy.kind), text);
  AppendText("metric", policy.metric, text);
  if (policy.direction.has_value()) {
    AppendText("direction", DirectionName(*policy.direction), text);
  }
  AppendText("targets", TargetRuleName(policy.targets), text);
  AppendText("mode", MeasureModeName(policy.mode), text);
  AppendText("error_control", ErrorControlName(policy.error_control), text);
  AppendNumbers(policy, text);
}

void AppendGuard(const Guard& guard, std::string& text) {
  text += "\n[[guard]]\n";
  const bool by_name = !guard.benchmark_pattern.empty();
  AppendText(by_name ? "name" : "metric",
             by_name ? guard.benchmark_pattern : guard.metric, text);
  AppendPair("margin", TomlFloat(guard.margin), text);
  AppendText("mode", GuardModeName(guard.mode), text);
}

void AppendMargin(const BenchmarkMargin& margin, std::string& text) {
  text += "\n[[margin]]\n";
  AppendText("name", margin.benchmark_pattern, text);
  AppendPair("margin", TomlFloat(margin.margin), text);
}

void AppendWaiver(const Waiver& waiver, std::string& text) {
  text += "\n[[waiver]]\n";
  AppendText("name", waiver.name, text);
  AppendPair("ceiling", TomlFloat(waiver.ceiling), text);
  AppendPair("until", waiver.until, text);  // a TOML date
  AppendText("reason", waiver.reason, text);
}

}  // namespace

std::string DurationText(double seconds) {
  std::string text = ShortestText(seconds);
  // Durations know no exponent; nanoseconds are their finest unit.
  if (text.find('e') != std::string::npos) text = FixedText(seconds, 9);
  return text + "s";
}

std::string FormatPolicy(const Policy& policy) {
  std::string text;
  AppendPolicy(policy, text);
  for (const Guard& guard : policy.guards) AppendGuard(guard, text);
  for (const BenchmarkMargin& margin : policy.margins) {
    AppendMargin(margin, text);
  }
  for (const Waiver& waiver : policy.waivers) AppendWaiver(waiver, text);
  return text;
}

}  // namespace autotune
