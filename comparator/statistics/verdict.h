#ifndef AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_

#include <string_view>

namespace autotune {

// What the evidence proves about one benchmark; see docs/statistics.md.
enum class Verdict {
  kImproved,
  kRegressed,
  kEquivalent,
  kNoGain,
  kInconclusive
};

// What to do with the whole change. A crash is the tool's word, not evidence's.
enum class Decision { kKeep, kDiscard, kInconclusive };

// "improved", "regressed", "equivalent", "no_gain", "inconclusive".
std::string_view VerdictName(Verdict verdict);

// "keep", "discard", "inconclusive".
std::string_view DecisionName(Decision decision);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_
