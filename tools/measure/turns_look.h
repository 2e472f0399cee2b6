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

// What one visit needed, as the mean log over the benchmarks: the least of its
// repetitions, and its value (their mean).
struct LookTime {
  double log_least = 0.0;
  double log_value = 0.0;
};

// What a side needs alone and in turns.
struct SideLook {
  LookTime alone;
  LookTime in_turns;
};
struct TurnsLook {
  SideLook baseline;
  SideLook contender;
};

// What both sides need alone.
struct AloneLook {
  LookTime baseline;
  LookTime contender;
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

// How much more cpu_time a side needs in turns than alone, as a factor; the
// lesser of two estimates. The least of all looks against the least: other
// programs only ever add, but where the machine itself is fast and slow for
// some milliseconds at a time, a repetition cut into turns is rarely all fast.
// The median over the looks of value against value: such a machine moves both,
// and what it moves by chance evens out. At least 1: a turn makes nothing
// faster.
double RiseOf(const std::vector<TurnsLook>& looks, SideLook TurnsLook::*side);

// "turns_rise_baseline", "turns_rise_contender" and "turns_looks".
std::map<std::string, std::string> LookFindings(
    const std::vector<TurnsLook>& looks);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_
