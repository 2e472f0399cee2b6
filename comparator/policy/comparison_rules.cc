#include "comparator/policy/comparison_rules.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/policy/name_pattern.h"
#include "comparator/policy/policy.h"

namespace autotune {
namespace {

NamePattern Compiled(const std::string& text) {
  absl::StatusOr<NamePattern> pattern = NamePattern::Create(text);
  assert(pattern.ok());  // CheckPolicy has compiled it before
  return *std::move(pattern);
}

std::string ExpiryText(const Waiver& waiver) {
  return absl::StrFormat("the waiver of %s expired on %s", waiver.name,
                         waiver.until);
}

}  // namespace

std::string WaiverText(const Waiver& waiver) {
  return absl::StrFormat("up to %s %% through %s: %s",
                         ShortestText(100.0 * waiver.ceiling), waiver.until,
                         waiver.reason);
}

std::vector<std::string> DropExpiredWaivers(Policy& policy,
                                            std::string_view today) {
  std::vector<std::string> lines;
  std::erase_if(policy.waivers, [&](const Waiver& waiver) {
    const bool expired = waiver.until < today;  // dates sort as text
    if (expired) lines.push_back(ExpiryText(waiver));
    return expired;
  });
  return lines;
}

ComparisonRules::ComparisonRules(const Policy& policy, std::string_view today)
    : policy_(policy) {
  for (const BenchmarkMargin& margin : policy.margins) {
    margins_.push_back({Compiled(margin.benchmark_pattern), &margin});
  }
  for (const Guard& guard : policy.guards) {
    if (guard.benchmark_pattern.empty()) continue;
    guards_.push_back({Compiled(guard.benchmark_pattern), &guard});
  }
  for (const Waiver& waiver : policy.waivers) {
    // Dates of this form sort as text.
    const bool holds = today.empty() || today <= waiver.until;
    (holds ? valid_ : expired_).push_back(&waiver);
  }
}

const Guard* ComparisonRules::GuardOf(std::string_view benchmark) const {
  const auto found = std::find_if(guards_.begin(), guards_.end(),
                                  [benchmark](const NamedGuard& entry) {
                                    return entry.pattern.Matches(benchmark);
                                  });
  return found == guards_.end() ? nullptr : found->guard;
}

const BenchmarkMargin* ComparisonRules::NamedMarginOf(
    std::string_view benchmark) const {
  const auto found = std::find_if(margins_.begin(), margins_.end(),
                                  [benchmark](const NamedMargin& entry) {
                                    return entry.pattern.Matches(benchmark);
                                  });
  return found == margins_.end() ? nullptr : found->margin;
}

double ComparisonRules::MarginOf(std::string_view benchmark) const {
  const BenchmarkMargin* const named = NamedMarginOf(benchmark);
  if (named != nullptr) return named->margin;
  const Guard* const guard = GuardOf(benchmark);
  return guard != nullptr ? guard->margin : policy_.default_margin;
}

const Waiver* ComparisonRules::WaiverOf(std::string_view benchmark) const {
  const auto found = std::find_if(
      valid_.begin(), valid_.end(),
      [benchmark](const Waiver* waiver) { return waiver->name == benchmark; });
  return found == valid_.end() ? nullptr : *found;
}

ComparisonRules::Tolerance ComparisonRules::ToleranceOf(
    std::string_view benchmark) const {
  const double margin = MarginOf(benchmark);
  const Waiver* const waiver = WaiverOf(benchmark);
  if (waiver == nullptr || waiver->ceiling <= margin) return {margin, ""};
  return {waiver->ceiling, WaiverText(*waiver)};
}

std::vector<std::string> ComparisonRules::ExpiryWarnings() const {
  std::vector<std::string> warnings;
  for (const Waiver* waiver : expired_) {
    warnings.push_back(ExpiryText(*waiver));
  }
  return warnings;
}

std::vector<NamePattern> ComparisonRules::GuardPatterns() const {
  std::vector<NamePattern> patterns;
  for (const NamedGuard& entry : guards_) patterns.push_back(entry.pattern);
  return patterns;
}

}  // namespace autotune
