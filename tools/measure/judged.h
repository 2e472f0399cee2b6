#ifndef AUTOTUNE_TOOLS_MEASURE_JUDGED_H_
#define AUTOTUNE_TOOLS_MEASURE_JUDGED_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "tools/measure/pilot.h"
#include "tools/measure/round.h"
#include "tools/measure/visit.h"

namespace autotune {

// What a run judges, resolved from the policy and what the programs hold.
struct Judged {
  Metric metric;
  JudgeSettings settings;
  std::vector<ExpectedBenchmark> expected;  // all that a visit must measure
  std::string filter;                       // selects exactly those
  // Benchmarks that take no time on either side, which are not measured, and
  // what shows it.
  std::map<std::string, std::string> no_ops;
};

// The filter of benchmarks that only guards name: `guard_filter` when given,
// else any benchmark pattern of the policy's guards; empty when there is none.
std::string GuardFilter(const Policy& policy, const std::string& guard_filter);

// The metric of the run: the policy's, or for "auto" real_time when any judged
// benchmark steers by it and cpu_time else. InvalidArgument when a counter's
// direction is not known.
absl::StatusOr<Metric> ResolveMetric(const Policy& policy, const Pilot& pilot);

// Targets, guards with their margins, and what every visit must hold. A
// benchmark that the guard filter matched and no guard of the policy names is
// guarded with the default margin. IdleError for a guard, margin or metric that
// names nothing that is there, or nothing that others leave it. Aborted when no
// target takes time, or threads' numbers mean something else on both sides.
absl::StatusOr<Judged> ResolveJudged(const Policy& policy, const Pilot& pilot,
                                     std::optional<double> alpha_override,
                                     std::string_view today = "");

// What --benchmark_filter gets in every visit: the user's own filter where that
// selects exactly what is judged (reading a thousand names takes the library
// 3 s), else the names of that. Where those are more than the library can read,
// what the filters of the pilot select, if both sides have it all.
// FailedPrecondition where they have not.
absl::StatusOr<std::string> VisitFilter(const Judged& judged,
                                        const Pilot& pilot,
                                        const PilotFilters& filters);

// The setup of the next round: all of `setup` but the targets that `judge` does
// not measure any more. The size of the visit stays: it is the same on both
// sides, and what a benchmark takes of it does not depend on the others, so its
// rounds remain alike and only become shorter.
RoundSetup StillMeasured(const RoundSetup& setup, const SequentialJudge& judge);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_JUDGED_H_
