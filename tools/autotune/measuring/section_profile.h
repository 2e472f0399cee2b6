#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_

#include <optional>
#include <string>
#include <vector>

#include "comparator/results/measurement.h"

namespace autotune {

// The part of a benchmark's iteration that one section took.
struct SectionTime {
  std::string name;          // "parse"; "(rest)": between outermost sections
  double nanoseconds = 0.0;  // an iteration, median over the rows
  // Of the iteration's wall time; above 1 in sum where sections nest. Absent
  // when the benchmark's own time is not wall time (manual time) or is 0.
  std::optional<double> share;
  std::optional<double> calls;  // an iteration; absent for "(rest)"
};

// Where the time of one benchmark goes.
struct BenchmarkProfile {
  std::string name;
  double nanoseconds = 0.0;  // real time an iteration, median over the rows
  std::vector<SectionTime> sections;  // longest first
};

// The profiles of the benchmarks in `rows`, in order of first appearance, from
// the counters "section/NAME" (seconds an iteration) and "section/NAME/calls"
// that section timers publish. Rows without a real time are left out; with N
// threads a section's time is compared with N times the real time, which Google
// Benchmark divides by the threads.
std::vector<BenchmarkProfile> ProfileSections(
    const std::vector<Measurement>& rows);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_
