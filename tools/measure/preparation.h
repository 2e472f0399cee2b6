#ifndef AUTOTUNE_TOOLS_MEASURE_PREPARATION_H_
#define AUTOTUNE_TOOLS_MEASURE_PREPARATION_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/evidence/evidence.h"
#include "tools/measure/identity.h"
#include "tools/measure/interleaved_run.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/round.h"
#include "tools/measure/round_check.h"

namespace autotune {

// Everything fixed before the first round.
struct Preparation {
  RoundSetup setup;
  Evidence evidence;  // with the rounds of an earlier part, if any
  ShortestRepetitions shortest;
  Pilot pilot;
};

// Sizes the visits for the setup's mode and turn, here and in the evidence.
void UseVisitSize(const RunPlan& plan, Preparation& prepared);

// Evidence of the two programs before anything ran: hashes, machine, policy.
absl::StatusOr<Evidence> DescribeRun(const RunPlan& plan,
                                     const Identity& identity,
                                     MeasureSeams seams);

// Pilots both sides and settles metric, targets, guards, mode, turn and visit
// size, or takes them from `earlier` when a journal is continued. Notes and
// warnings go to `observer` and into the evidence.
absl::StatusOr<Preparation> PrepareRun(
    const RunPlan& plan, const Identity& identity, const std::string& folder,
    std::optional<Evidence> earlier, MeasureSeams seams, RunObserver& observer);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_PREPARATION_H_
