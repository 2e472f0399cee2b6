#ifndef AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_
#define AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "comparator/policy/policy.h"

namespace autotune {

// One value of an enumeration and the word users write for it.
template <typename E>
struct Named {
  std::string_view name;
  E value;
};

inline constexpr std::array<Named<MeasureMode>, 4> kMeasureModes = {{
    {"auto", MeasureMode::kAuto},
    {"turns", MeasureMode::kTurns},
    {"alternate", MeasureMode::kAlternate},
    {"duet", MeasureMode::kDuet},
}};
inline constexpr std::array<Named<PolicyKind>, 2> kPolicyKinds = {{
    {"tune", PolicyKind::kTune},
    {"gate", PolicyKind::kGate},
}};
inline constexpr std::array<Named<Direction>, 2> kDirections = {{
    {"lower", Direction::kLowerIsBetter},
    {"higher", Direction::kHigherIsBetter},
}};
inline constexpr std::array<Named<ErrorControl>, 2> kErrorControls = {{
    {"fdr", ErrorControl::kFdr},
    {"per-decision", ErrorControl::kPerDecision},
}};
inline constexpr std::array<Named<TargetRule>, 2> kTargetRules = {{
    {"geomean", TargetRule::kGeomean},
    {"each", TargetRule::kEach},
}};
inline constexpr std::array<Named<GuardMode>, 3> kGuardModes = {{
    {"prove", GuardMode::kProve},
    {"veto", GuardMode::kVeto},
    {"exact", GuardMode::kExact},
}};

// One number of a policy: its key in TOML, where it lives, and its range. The
// one table that both the reader and CheckPolicy go by.
struct PolicyNumberField {
  std::string_view key;
  double Policy::*member;
  bool (*in_range)(double);   // false for NaN
  std::string_view expected;  // the range in words: "a fraction in (0, 1)"
};

// One whole number of a policy, at least 1.
struct PolicyCountField {
  std::string_view key;
  std::int64_t Policy::*member;
};

std::span<const PolicyNumberField> PolicyNumberFields();
std::span<const PolicyCountField> PolicyCountFields();

// Ranges shared by the tables of a policy.
bool IsOpenFraction(double value);  // in (0, 1)
bool IsMargin(double value);        // finite and > 0
inline constexpr std::string_view kExpectedMargin =
    "a fraction above 0 such as 0.02";
inline constexpr std::string_view kExpectedDate = "a date such as 2027-01-31";

// Whether `text` is YYYY-MM-DD and a day of the calendar.
bool IsDate(std::string_view text);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_POLICY_POLICY_FIELDS_H_
