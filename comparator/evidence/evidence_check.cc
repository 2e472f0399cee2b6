#include "comparator/evidence/evidence_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"

namespace autotune {
namespace {

// Large enough that no scale vanishes, small enough that no power overflows.
bool IsEffect(double value) { return value >= 1e-12 && value <= 100.0; }

// A floor of at most a factor of e^100.
bool IsFloor(double value) { return value >= 0.0 && value <= 100.0; }

bool IsTolerance(double value) { return value >= 1e-12 && value <= 1e9; }

bool IsFactor(double value) { return value > 1.0 && std::isfinite(value); }

std::string NumberText(double value) {
  return std::isfinite(value) ? ShortestText(value) : "no finite number";
}

absl::Status Expect(bool (*holds)(double), double value, std::string_view name,
                    std::string_view expected) {
  if (holds(value)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(name), ": expected ", std::string(expected),
                   ", got ", NumberText(value)));
}

constexpr std::string_view kExpectedTolerance = "a fraction above 0";

absl::Status CheckMargins(const JudgeSettings& settings) {
  const std::size_t count = settings.target_margins.size();
  if (count != 0 && count != settings.targets.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("target_margins: expected none or one a target, got ",
                     count, " for ", settings.targets.size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    RETURN_IF_ERROR(Expect(&IsTolerance, settings.target_margins[i],
                           absl::StrCat("target_margins[", i, "]"),
                           kExpectedTolerance));
  }
  for (std::size_t i = 0; i < settings.guards.size(); ++i) {
    RETURN_IF_ERROR(Expect(&IsTolerance, settings.guards[i].margin,
                           absl::StrCat("guards[", i, "].margin"),
                           kExpectedTolerance));
  }
  return absl::OkStatus();
}

absl::Status CheckSettings(const JudgeSettings& settings) {
  constexpr std::string_view kFraction = "a fraction in (0, 1)";
  RETURN_IF_ERROR(Expect(&IsEffect, settings.min_log_improvement,
                         "min_log_improvement", "a number above 0"));
  RETURN_IF_ERROR(
      Expect(&IsFloor, settings.floor, "floor", "a number of at least 0"));
  RETURN_IF_ERROR(Expect(&IsOpenFraction, settings.alpha, "alpha", kFraction));
  RETURN_IF_ERROR(Expect(&IsOpenFraction, settings.beta, "beta", kFraction));
  RETURN_IF_ERROR(Expect(&IsFactor, settings.review_ratio, "review_ratio",
                         "a factor above 1"));
  if (settings.targets.empty()) {
    return absl::InvalidArgumentError(
        "targets: expected at least one benchmark, got none");
  }
  return CheckMargins(settings);
}

absl::Status CheckCount(std::string_view what, std::size_t expected,
                        std::size_t got) {
  if (got == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("ratios.", std::string(what),
                                                 ": expected ", expected,
                                                 " numbers, got ", got));
}

absl::Status CheckRound(const RoundEvidence& round, const Evidence& evidence,
                        std::int64_t index) {
  if (round.index != index) {
    return absl::InvalidArgumentError(
        absl::StrCat("index: expected ", index, ", got ", round.index,
                     "; a round is missing or out of order"));
  }
  if (round.use != RoundUse::kCounts) return absl::OkStatus();
  RETURN_IF_ERROR(CheckCount("targets", evidence.settings.targets.size(),
                             round.ratios.targets.size()));
  return CheckCount("guards", evidence.settings.guards.size(),
                    round.ratios.guards.size());
}

}  // namespace

absl::Status CheckEvidence(const Evidence& evidence) {
  RETURN_IF_ERROR(Annotate(CheckPolicy(evidence.policy), "policy"));
  RETURN_IF_ERROR(Annotate(CheckSettings(evidence.settings), "settings"));
  if (evidence.identical && !evidence.rounds.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "identical: expected no rounds of identical programs, got ",
        evidence.rounds.size()));
  }
  // Rounds are counted from 0 or from 1, but none may be missing.
  const std::int64_t first =
      evidence.rounds.empty()
          ? 0
          : std::clamp<std::int64_t>(evidence.rounds.front().index, 0, 1);
  for (std::size_t i = 0; i < evidence.rounds.size(); ++i) {
    const absl::Status status = CheckRound(
        evidence.rounds[i], evidence, first + static_cast<std::int64_t>(i));
    RETURN_IF_ERROR(Annotate(status, absl::StrCat("rounds[", i, "]")));
  }
  return absl::OkStatus();
}

}  // namespace autotune
