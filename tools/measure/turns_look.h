#ifndef AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_
#define AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/measure/measure_seams.h"
#include "tools/measure/round.h"

namespace autotune {

// How much more cpu_time each side needs in turns than alone, as a factor
// (geometric mean over the benchmarks).
struct TurnsLook {
  double baseline_rise = 1.0;
  double contender_rise = 1.0;
};

// Runs each side alone and then one round in turns. Never part of the test.
absl::StatusOr<TurnsLook> LookAtTurns(const RoundSetup& setup,
                                      MeasureSeams seams);

// What the looks so far (at least one) say of measuring in turns.
enum class TurnsFitness {
  kFit,        // hardly any rise: turns as they are
  kLongTurns,  // some rise, or an unequal one: longer turns
  kUnfit,      // another regime: one after the other
  kLookAgain,  // one look is too noisy to tell
};
TurnsFitness JudgeLooks(const std::vector<TurnsLook>& looks);

// "turns_rise_baseline", "turns_rise_contender" (medians) and "turns_looks".
std::map<std::string, std::string> LookFindings(
    const std::vector<TurnsLook>& looks);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_TURNS_LOOK_H_
