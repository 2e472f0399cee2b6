#include "comparator/outcome/outcome.h"

#include <cmath>
#include <string_view>

namespace autotune {

double GainFactor(const Comparison& comparison) {
  if (!comparison.estimate.has_value()) return 1.0;
  const double ratio = comparison.estimate->ratio;
  return comparison.metric.direction == Direction::kLowerIsBetter ? 1.0 / ratio
                                                                  : ratio;
}

std::string_view OutcomeName(const Ruling& ruling, PolicyKind kind) {
  if (ruling.cannot_judge()) return "cannot judge";
  const bool gate = kind == PolicyKind::kGate;
  switch (ruling.decision) {
    case Decision::kKeep:
      return gate ? "pass" : "keep";
    case Decision::kDiscard:
      return gate ? "regression" : "discard";
    case Decision::kInconclusive:
      break;
  }
  return "inconclusive";
}

Ruling UnchangedRuling(PolicyKind kind) {
  return {kind == PolicyKind::kGate ? Decision::kKeep : Decision::kDiscard,
          ReasonCode::kUnchanged,
          "unchanged: the two programs are equal in all that a visit uses"};
}

DecisionRule RuleOf(const Policy& policy) {
  return {policy.kind, policy.targets, policy.alpha,
          -std::expm1(-MinLogImprovement(policy) - policy.floor),
          policy.review_ratio};
}

}  // namespace autotune
