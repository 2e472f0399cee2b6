#ifndef AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_
#define AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "comparator/policy.h"
#include "tools/measure/pilot.h"
#include "tools/measure/round.h"

namespace autotune {

// How a run will be made and why.
struct ModeChoice {
  MeasureMode mode = MeasureMode::kAlternate;  // never kAuto
  absl::Duration turn = absl::Milliseconds(20);
  bool pin = false;  // alternate: both visits on one CPU, one after the other
  std::string why;   // one clause
  std::map<std::string, std::string> findings;  // for the evidence
};

// The mode asked for, or for kAuto the cheapest one that the metric and the
// pilot allow. InvalidArgument when the mode asked for cannot measure the
// metric: a mode never changes it silently.
absl::StatusOr<ModeChoice> ChooseMode(MeasureMode asked,
                                      const RoundSetup& setup,
                                      const Pilot& pilot);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_MODE_CHOICE_H_
