#ifndef AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_
#define AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_

#include <span>
#include <string>
#include <vector>

#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/library_version.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Why the numbers of one benchmark's metric are doubted, in one clause; empty
// when they are not. What one file shows of itself (suspicion.h) comes first;
// of both together: the same times on both sides to the last digit, unless they
// do not vary at all, as those of simulators.
std::string SuspicionOf(const BenchmarkPair& pair, const PairValues& values,
                        const Metric& metric);

// Whether both sides show that the benchmark takes no time by the clock that
// `metric` is of.
bool TakesNoTime(const BenchmarkPair& pair, const Metric& metric);

// What the files show of the clock that `metric` is not of, one clause each:
// that the benchmark waits, or has threads of its own, or that the clock is
// coarse. Empty unless the metric is a time.
std::vector<std::string> NotesOnOtherClock(const BenchmarkPair& pair,
                                           const Metric& metric);

// Whether some file counted the benchmark's CPU time too coarsely to compare.
bool HasCoarseCpuClock(const BenchmarkPair& pair);

// True when every contender value is one and the same multiple, other than 1,
// of the baseline's value at its place, over at least three values: a scaled
// copy, not a measurement. Only of pairs that CanTellCopies.
bool IsScaledCopy(std::span<const PairValues* const> pairs);

// False for numbers that are constant on the baseline's side, as counters and
// the clocks of simulators: they change by exact factors.
bool CanTellCopies(const PairValues& values, const Metric& metric);

// "old1.json and old2.json hold the same numbers: ..." when two of one side's
// files, of different visits and not of different dates, agree in every row to
// the last digit; else empty. Times that are equal in all repetitions of a
// benchmark, or set by hand (manual time), agree without that.
std::string RepeatedRun(std::span<const ResultFile> files);

// What the files' contexts say about comparing the two sides.
struct ContextFindings {
  // Why no difference can be laid to the change: another machine. Empty when
  // nothing is known to forbid it.
  std::string mismatch;
  std::vector<std::string> warnings;
  ThreadFindings threads;
};
ContextFindings CompareContexts(std::span<const ResultFile> baseline,
                                std::span<const ResultFile> contender);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_
