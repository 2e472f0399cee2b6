#ifndef AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATION_REPORT_H_
#define AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATION_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "comparator/policy/policy.h"

namespace autotune {

// What rounds of one mode look like when both sides are the same program.
struct ModeNoise {
  MeasureMode mode = MeasureMode::kAlternate;
  std::int64_t rounds = 0;
  double noise = 0.0;          // sd of y about 0, its true value
  double round_seconds = 0.0;  // one visit of each side
};

// What measuring a program against itself showed.
struct CalibrationReport {
  std::int64_t decisions = 0;     // independent live ones
  std::int64_t false_alarms = 0;  // keep (gate: regression)
  std::int64_t undecided = 0;
  double seconds = 0.0;          // of all decisions
  double budget_seconds = 60.0;  // of one decision
  double alpha = 0.05;
  std::vector<ModeNoise> modes;  // the one that decided first
  // Fractions that one decision's budget is likely to decide; nothing when it
  // decides none.
  std::optional<double> smallest_effect;
  std::optional<double> smallest_margin;
};

// Adds one decision's evidence.
void AddDecision(const Evidence& evidence, CalibrationReport& report);

// Noise of the counted rounds of all `runs`, which are of one mode.
ModeNoise NoiseOf(const std::vector<Evidence>& runs);

// Fills in what one decision's budget can decide, from the first mode's noise.
void AddLimits(const Policy& policy, CalibrationReport& report);

// At most a dozen lines.
std::string CalibrationText(const CalibrationReport& report);

// One object: schema_version, ok, decisions, false_alarms, false_alarm_rate
// with its interval, undecided, seconds_per_decision, modes,
// smallest_improvement, smallest_guard_margin (null: none), next.
std::string CalibrationJson(const CalibrationReport& report);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BENCH_COMPARE_CALIBRATION_REPORT_H_
