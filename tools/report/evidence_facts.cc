#include "tools/report/evidence_facts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/evidence/cross_check.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

// A round that only checks the decision, in another way of running.
bool IsCheck(const RoundEvidence& round) {
  return round.use == RoundUse::kConfirmation ||
         round.use == RoundUse::kBiasCheck;
}

}  // namespace

std::size_t ValidRounds(const Evidence& evidence) {
  return static_cast<std::size_t>(
      std::count_if(evidence.rounds.begin(), evidence.rounds.end(),
                    [](const RoundEvidence& round) {
                      return round.use == RoundUse::kCounts;
                    }));
}

std::size_t VoidedRounds(const Evidence& evidence) {
  return static_cast<std::size_t>(
      std::count_if(evidence.rounds.begin(), evidence.rounds.end(),
                    [](const RoundEvidence& round) {
                      return round.use != RoundUse::kCounts && !IsCheck(round);
                    }));
}

MeasureMode ModeOf(const Evidence& evidence) {
  const auto last =
      std::find_if(evidence.rounds.rbegin(), evidence.rounds.rend(),
                   [](const RoundEvidence& round) { return !IsCheck(round); });
  return last == evidence.rounds.rend() ? evidence.policy.mode : last->mode;
}

std::optional<double> MedianOf(const Evidence& evidence, std::string_view name,
                               VisitEvidence RoundEvidence::*side) {
  std::vector<double> values;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use != RoundUse::kCounts) continue;
    const std::optional<double> value = GuardValue(round.*side, name);
    if (value.has_value()) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return Median(std::move(values));
}

}  // namespace autotune
