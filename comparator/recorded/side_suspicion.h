#ifndef AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_
#define AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_

#include <span>
#include <string>
#include <vector>

#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"

namespace autotune {

// Why the numbers of one benchmark are doubted, in one clause; empty when they
// are not. What one file shows of itself (suspicion.h) comes first; of both
// together: the same times on both sides to the last digit.
std::string SuspicionOf(const BenchmarkPair& pair, const PairValues& values,
                        const Metric& metric);

// True when every contender value is one and the same multiple, other than 1,
// of the baseline's value at its place, over at least three values: a scaled
// copy, not a measurement. Only of pairs that CanTellCopies.
bool IsScaledCopy(std::span<const PairValues* const> pairs);

// False for a counter that is constant on the baseline's side: such numbers
// change by exact factors.
bool CanTellCopies(const PairValues& values, const Metric& metric);

// "old1.json and old2.json hold the same numbers: ..." when two of one side's
// files, of different visits, agree in every row to the last digit; else empty.
std::string RepeatedRun(std::span<const ResultFile> files);

// What the files' contexts say about comparing the two sides.
struct ContextFindings {
  // Why no difference can be laid to the change: another machine. Empty when
  // nothing is known to forbid it.
  std::string mismatch;
  std::vector<std::string> warnings;
  // From Google Benchmark 1.9 on the real time of threaded benchmarks is the
  // mean of the threads' times, before it was wall time over threads; true when
  // some files were written before and others after.
  bool threaded_real_time_differs = false;
  // The same of their rates, which are per thread in 1.9.0 to 1.9.4 only.
  bool threaded_rates_differ = false;
};
ContextFindings CompareContexts(std::span<const ResultFile> baseline,
                                std::span<const ResultFile> contender);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_RECORDED_SIDE_SUSPICION_H_
