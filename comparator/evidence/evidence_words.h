#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WORDS_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WORDS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// The words that an enumeration is written as, in the enumerators' order.
template <typename Enum>
struct EnumText;

template <>
struct EnumText<PolicyKind> {
  static constexpr std::initializer_list<PolicyKind> kValues = {
      PolicyKind::kTune, PolicyKind::kGate};
  static std::string_view Name(PolicyKind kind) { return PolicyKindName(kind); }
};
template <>
struct EnumText<ErrorControl> {
  static constexpr std::initializer_list<ErrorControl> kValues = {
      ErrorControl::kFdr, ErrorControl::kPerDecision};
  static std::string_view Name(ErrorControl control) {
    return ErrorControlName(control);
  }
};
template <>
struct EnumText<TargetRule> {
  static constexpr std::initializer_list<TargetRule> kValues = {
      TargetRule::kGeomean, TargetRule::kEach};
  static std::string_view Name(TargetRule rule) { return TargetRuleName(rule); }
};
template <>
struct EnumText<MeasureMode> {
  static constexpr std::initializer_list<MeasureMode> kValues = {
      MeasureMode::kAuto, MeasureMode::kTurns, MeasureMode::kAlternate,
      MeasureMode::kDuet};
  static std::string_view Name(MeasureMode mode) {
    return MeasureModeName(mode);
  }
};
template <>
struct EnumText<GuardMode> {
  static constexpr std::initializer_list<GuardMode> kValues = {
      GuardMode::kProve, GuardMode::kVeto, GuardMode::kExact};
  static std::string_view Name(GuardMode mode) { return GuardModeName(mode); }
};
template <>
struct EnumText<Direction> {
  static constexpr std::initializer_list<Direction> kValues = {
      Direction::kLowerIsBetter, Direction::kHigherIsBetter};
  static std::string_view Name(Direction direction) {
    return DirectionName(direction);
  }
};
template <>
struct EnumText<Verdict> {
  static constexpr std::initializer_list<Verdict> kValues = {
      Verdict::kImproved, Verdict::kRegressed, Verdict::kEquivalent,
      Verdict::kNoGain, Verdict::kInconclusive};
  static std::string_view Name(Verdict verdict) { return VerdictName(verdict); }
};
template <>
struct EnumText<Decision> {
  static constexpr std::initializer_list<Decision> kValues = {
      Decision::kKeep, Decision::kDiscard, Decision::kInconclusive};
  static std::string_view Name(Decision decision) {
    return DecisionName(decision);
  }
};
template <>
struct EnumText<GuardState::Standing> {
  using Standing = GuardState::Standing;
  static constexpr std::initializer_list<Standing> kValues = {
      Standing::kUndecided, Standing::kUnharmed, Standing::kHarmed};
  static std::string_view Name(Standing standing) {
    return GuardStandingName(standing);
  }
};

template <>
struct EnumText<RoundUse> {
  static constexpr std::initializer_list<RoundUse> kValues = {
      RoundUse::kCounts, RoundUse::kConfirmation, RoundUse::kBiasCheck,
      RoundUse::kSettled, RoundUse::kVoid};
  static std::string_view Name(RoundUse use) { return RoundUseName(use); }
};

// The first keys of both forms; `format` tells them apart.
struct EvidenceFormat {
  std::string format;
  std::int64_t schema_version = 0;
};
inline constexpr std::string_view kWholeFormat = "autotune evidence";
inline constexpr std::string_view kJournalFormat = "autotune evidence journal";
inline constexpr std::int64_t kEvidenceSchemaVersion = 2;

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_EVIDENCE_WORDS_H_
