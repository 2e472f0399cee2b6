#ifndef AUTOTUNE_TOOLS_MEASURE_ROUND_CHECK_H_
#define AUTOTUNE_TOOLS_MEASURE_ROUND_CHECK_H_

#include <map>
#include <string>

#include "comparator/evidence/evidence.h"
#include "comparator/results/measurement.h"
#include "tools/measure/pilot.h"

namespace autotune {

// What a sound visit counts at least, by benchmark: seconds in one repetition.
// From the pilot's pooled numbers and the visit's min_time, never from a side.
// Benchmarks named .../iterations:N search for nothing and are left out.
using ShortestRepetitions = std::map<std::string, double>;
ShortestRepetitions ShortestSound(const Pilot& pilot, double min_time_seconds);

// Why a round must not count; empty when it may. A function of the unordered
// pair of visits: swapping the sides never changes the answer, so voiding
// cannot favour one of them.
//   - either side's iteration search was cut short: a repetition counted less
//     than half of its min_time (descheduled while searching), or holds no
//     number at all;
//   - the two visits hardly overlapped where they should have run together.
std::string VoidReason(const RoundEvidence& round, const Metric& metric,
                       const ShortestRepetitions& shortest);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_ROUND_CHECK_H_
