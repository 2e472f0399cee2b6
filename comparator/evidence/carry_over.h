#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_CARRY_OVER_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_CARRY_OVER_H_

#include <cstddef>
#include <optional>

#include "comparator/evidence/evidence.h"

namespace autotune {

// Whether what one side leaves behind (a warm cache, a hot core, background
// work) shows in the visit that follows it. The coin cannot repair that: it
// moves both sides' visits, but only after the contender.
struct CarryOver {
  // Two-sided Mann-Whitney p-value that both sides leave the same behind.
  double p_value = 1.0;
  // How much slower (positive; log of the metric's cost) a visit is after the
  // contender than after the baseline: median difference.
  double log_slowdown = 0.0;
  std::size_t after_baseline = 0;  // visits compared
  std::size_t after_contender = 0;
};

// p-values below this make a decision inconclusive ("carry-over"): one false
// alarm in a hundred clean runs.
inline constexpr double kCarryOverLevel = 0.01;

// Compares the first visits of alternate rounds, each as its deviation from the
// median of its own side's first visits, by the side whose visit ended the
// round before. Second visits follow the other side always, so they cannot tell
// carry-over from a real difference. Nothing when fewer than two visits follow
// either side; five on each are needed to get below kCarryOverLevel.
// The visits' numbers must be those of a parsed or measured run (positive).
std::optional<CarryOver> TestCarryOver(const Evidence& evidence);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_CARRY_OVER_H_
