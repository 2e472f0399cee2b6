#ifndef AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_
#define AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/pilot.h"
#include "tools/measure/round.h"

namespace autotune {

// What a side needs alone and in turns: the least of a visit's repetitions, as
// the mean log over the benchmarks.
struct SideLook {
  double log_alone = 0.0;
  double log_in_turns = 0.0;
};
struct TurnsLook {
  SideLook baseline;
  SideLook contender;
};

// What both sides need alone, as SideLook::log_alone.
struct AloneLook {
  double baseline = 0.0;
  double contender = 0.0;
};

// What the pilot's visits, which ran alone, tell of it. Nothing when something
// is judged that they did not measure.
std::optional<AloneLook> AloneInPilot(const RoundSetup& setup,
                                      const Pilot& pilot);

// Runs each side alone, unless that is `known`, and then one round in turns.
// Never part of the test.
absl::StatusOr<TurnsLook> LookAtTurns(const RoundSetup& setup,
                                      std::optional<AloneLook> known,
                                      MeasureSeams seams);

// What the looks so far (at least one), at kUsualTurn, say of measuring in
// turns.
enum class TurnsFitness {
  kFit,        // hardly any rise: turns as they are
  kLongTurns,  // some rise, or an unequal one: longer turns
  kUnfit,      // another regime: one after the other
  kLookAgain,  // one look is too noisy to tell
};
TurnsFitness JudgeLooks(const std::vector<TurnsLook>& looks);

// How much more cpu_time a side needs in turns than alone, as a factor: the
// least of all looks against the least, since other programs only ever add. At
// least 1: a turn makes nothing faster.
double RiseOf(const std::vector<TurnsLook>& looks, SideLook TurnsLook::*side);

// "turns_rise_baseline", "turns_rise_contender" and "turns_looks".
std::map<std::string, std::string> LookFindings(
    const std::vector<TurnsLook>& looks);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_
