#include "comparator/statistics/verdict.h"

#include <string_view>

namespace autotune {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kImproved:
      return "improved";
    case Verdict::kRegressed:
      return "regressed";
    case Verdict::kEquivalent:
      return "equivalent";
    case Verdict::kNoGain:
      return "no_gain";
    case Verdict::kInconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

std::string_view DecisionName(Decision decision) {
  switch (decision) {
    case Decision::kKeep:
      return "keep";
    case Decision::kDiscard:
      return "discard";
    case Decision::kInconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

}  // namespace autotune
