#ifndef AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_
#define AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/policy/policy.h"
#include "tools/measure/pilot.h"
#include "tools/measure/round.h"
#include "tools/measure/turns_look.h"

namespace autotune {

// How a run will be made and why.
struct ModeChoice {
  MeasureMode mode = MeasureMode::kAlternate;  // never kAuto
  absl::Duration turn = kLongTurn;
  bool pin = false;   // alternate: both visits on one CPU
  bool look = false;  // turns only if looking at them finds them fit
  std::string why;    // one clause
};

// The mode asked for, or for kAuto the cheapest one that the metric and the
// pilot allow. InvalidArgument when the mode asked for cannot measure the
// metric: a mode never changes it silently.
absl::StatusOr<ModeChoice> ChooseMode(MeasureMode asked,
                                      const RoundSetup& setup,
                                      const Pilot& pilot);

// `choice` (of turns) after looking at them.
ModeChoice AfterLooking(ModeChoice choice, TurnsFitness fitness);

// `choice`, or alternate rounds where it is to look at turns first and the
// budget holds too few rounds for what turns cost besides the ones that decide:
// the look and as many rounds again that check for the bias.
ModeChoice WithinBudget(ModeChoice choice, double round_seconds,
                        double budget_seconds);

// The next longer turns, where the bias is a quarter or less; kLongestTurn
// stays.
absl::Duration NextTurn(absl::Duration turn);

// Seconds that a visit needs for several turns of this mode, at least
// `visit_seconds`.
double VisitSecondsFor(const RoundSetup& setup, double visit_seconds);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_
