#ifndef AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_

#include "base/names.h"

namespace autotune {

// What the evidence proves about one benchmark; see docs/statistics.md.
enum class Verdict {
  kImproved,
  kRegressed,
  kEquivalent,
  kNoGain,
  kInconclusive
};
template <>
struct NameTable<Verdict> {
  static constexpr Named<Verdict> kAll[] = {
      {"improved", Verdict::kImproved},
      {"regressed", Verdict::kRegressed},
      {"equivalent", Verdict::kEquivalent},
      {"no_gain", Verdict::kNoGain},
      {"inconclusive", Verdict::kInconclusive}};
};

// What to do with the whole change. A crash is the tool's word, not evidence's.
enum class Decision { kKeep, kDiscard, kInconclusive };
template <>
struct NameTable<Decision> {
  static constexpr Named<Decision> kAll[] = {
      {"keep", Decision::kKeep},
      {"discard", Decision::kDiscard},
      {"inconclusive", Decision::kInconclusive}};
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_VERDICT_H_
