#ifndef AUTOTUNE_TOOLS_MEASURE_PILOT_H_
#define AUTOTUNE_TOOLS_MEASURE_PILOT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/policy/policy.h"
#include "comparator/results/result_file.h"
#include "comparator/results/suspicion.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/round.h"
#include "tools/measure/side_command.h"
#include "tools/measure/visit.h"

namespace autotune {

// What the pilot learned of one benchmark, over both sides.
struct PilotBenchmark {
  std::string name;
  std::int64_t rows = 1;           // iteration rows with one repetition asked
  double iteration_seconds = 0.0;  // the slower side's time of one iteration
  // The shorter side's counted time of a row.
  std::optional<double> measured_seconds;
  // The same by whichever clock counted less: wall-clock time grows on a loaded
  // machine, CPU time hardly.
  std::optional<double> least_counted_seconds;
  std::int64_t threads = 1;
  std::vector<std::string> counters;  // names that some side reports
  // What shows that it takes no time, of each side that does; its kind is
  // Suspicion::Kind::kNoOp.
  std::vector<Suspicion> no_time;
};

// What one side looks like.
struct PilotSide {
  ResultContext context;
  std::optional<std::int64_t> threads;  // the most seen alive
  double wall_seconds = 0.0;
  double cpu_seconds = 0.0;          // of the process, user and system
  double counted_cpu_seconds = 0.0;  // inside the measured iterations
  double system_seconds = 0.0;       // of cpu_seconds
  std::int64_t voluntary_switches = 0;
  // The least cpu_time of each target, ns; without those that report none.
  std::map<std::string, double> least_cpu_ns;
};

// Everything learned before the first round; none of it enters the test.
struct Pilot {
  std::vector<PilotBenchmark> targets;
  std::vector<PilotBenchmark> others;  // matched by the guard filter only
  // What only the contender has, where that is allowed; not to be measured.
  std::vector<std::string> added;
  PilotSide baseline;
  PilotSide contender;
  bool in_place = false;  // the programs only work where they are
  // Start-up and set-up of a visit, the costlier side's; the iteration search
  // is part of it. In CPU time: waiting for a loaded machine is no set-up.
  double overhead_seconds = 0.0;
  // How much longer things take than the CPU time they use, at least 1: wall
  // over CPU time of the visits, or of their measured iterations if that is
  // less.
  double contention = 1.0;
  // What a visit waits besides (a set-up that sleeps or reads), the costlier
  // side's.
  double waiting_seconds = 0.0;
};

// Which benchmarks to look for.
struct PilotFilters {
  std::string targets;
  std::string guards;  // empty: none
  AddedRule added = AddedRule::kFail;
};

// Runs each side briefly, alone. `setup` gives the commands, the private folder
// and the CPU. Errors: those of a visit; Aborted when the two sides do not hold
// the same benchmarks, but for those that were added where the filters list
// them; IdleError of the filter when neither side has a target.
absl::StatusOr<Pilot> RunPilot(const RoundSetup& setup,
                               const PilotFilters& filters, MeasureSeams seams);

// Seconds that a visit should measure so that a decision comes soonest, at
// least `least_seconds`. With S the set-up of a visit, k benchmarks of t
// seconds each, B the variance between visits and W / t that within, a decision
// takes rounds as B + W / t and each takes S + k t: k t = sqrt(S k W / B) is
// best. As far as `most_visit_seconds` (of a whole visit) allow it, and a tenth
// of the set-up in any case.
double SecondsToMeasure(const Pilot& pilot, double least_seconds,
                        double most_visit_seconds);

// T and R for which a visit of these benchmarks measures for about
// `measured_seconds`.
VisitSize ChooseVisitSize(const Pilot& pilot, MeasureMode mode,
                          absl::Duration turn, double measured_seconds);

// Wall-clock seconds that such a visit takes a side, as far as the pilot tells.
double ExpectedVisitSeconds(const Pilot& pilot, const VisitSize& size);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_PILOT_H_
