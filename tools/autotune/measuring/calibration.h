#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_CALIBRATION_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_CALIBRATION_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/test_length.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/session.h"
#include "tools/ledger/task_settings.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What measuring a program against itself says about a task's chances.
struct Calibration {
  std::int64_t rounds = 0;
  double round_seconds = 0.0;         // one visit of each side
  double noise = 0.0;                 // standard deviation of a round's y
  std::optional<double> guard_noise;  // of the noisiest guard
  double alpha = 0.05;                // level of the task's first decision
  // Smallest improvement (fraction) and guard margin (fraction) that the budget
  // is likely to decide; nothing when it decides none.
  std::optional<double> smallest_effect;
  std::optional<double> smallest_margin;
};

// Measures `build` against itself for a few rounds, holding the measuring lock.
absl::StatusOr<Calibration> Calibrate(const Session& session,
                                      const Build& build,
                                      const TaskSettings& settings);

// What an A/A evidence says under `policy`. Pure.
Calibration CalibrationOf(const Evidence& evidence, const Policy& policy,
                          double alpha);

// Adds it to what `init` prints.
void AddCalibration(const Calibration& calibration,
                    const TaskSettings& settings, VerbResult& result);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_CALIBRATION_H_
