#ifndef AUTOTUNE_COMPARATOR_EVIDENCE_ROUND_RATIOS_H_
#define AUTOTUNE_COMPARATOR_EVIDENCE_ROUND_RATIOS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/results/measurement.h"

namespace autotune {

// The number that the guard `name` compares in one visit; nothing when the
// visit does not carry it:
//   "peak_rss"     VisitEvidence::peak_rss_bytes
//   "excess_cpu"   VisitEvidence::excess_cpu_seconds, at least 1 ms: below it
//                  start-up noise is all there is
//   "binary_size"  VisitEvidence::program_bytes
//   else           the value of the VisitBenchmark of that name: a benchmark,
//                  or "BENCHMARK [COUNTER]" for a counter of one
std::optional<double> GuardValue(const VisitEvidence& visit,
                                 std::string_view name);

// The name of the VisitBenchmark that holds a counter of a benchmark:
// "BENCHMARK [COUNTER]".
std::string CounterEntryName(std::string_view benchmark,
                             std::string_view counter);

// Mean y over the targets of a round; nothing when it does not count or did not
// measure them all.
std::optional<double> MeanTargetRatio(const RoundEvidence& round);

// What a round counts for a change from or to 0, which has no ratio. Bets look
// at tanh(y / scale): any number far above the noise of a counter does.
inline constexpr double kChangeFromZero = 20.0;

// What the repetitions of both visits say of the error of the ratio of `name`
// (see RoundHistory): exchanging the visits leaves it as it is. 0 where it is
// not known: fewer than two repetitions on a side, or some not above 0.
double RatioSpread(const VisitEvidence& baseline,
                   const VisitEvidence& contender, std::string_view name);

// The log-improvements and spreads of the round after those that `judge` has
// seen, in the order of its settings, computed from the visits' values alone.
// Targets go by `metric`'s direction, guards by their own. Counters may be 0:
// on both sides no change, on one side kChangeFromZero better or worse.
// InvalidArgument, naming the side and the benchmark, when a value is missing
// or has no ratio, or when there is one of a target that the judge does not
// measure any more.
absl::StatusOr<RoundRatios> ComputeRoundRatios(const SequentialJudge& judge,
                                               const Metric& metric,
                                               const VisitEvidence& baseline,
                                               const VisitEvidence& contender);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_EVIDENCE_ROUND_RATIOS_H_
