#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_

#include <vector>

#include "comparator/results/measurement.h"
#include "tools/autotune/task/profile_file.h"

namespace autotune {

// The profiles of the benchmarks in `rows`, in order of first appearance, from
// the counters "section/NAME" (seconds an iteration) and "section/NAME/calls"
// that section timers publish. Rows without a real time are left out; with N
// threads a section's time is compared with N times the real time, which Google
// Benchmark divides by the threads.
std::vector<BenchmarkProfile> ProfileSections(
    const std::vector<Measurement>& rows);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_SECTION_PROFILE_H_
