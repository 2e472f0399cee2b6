#include "tools/autotune/measuring/calibration.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/sample.h"
#include "tools/autotune/measuring/measurement.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/locks.h"
#include "tools/report/evidence_facts.h"

namespace autotune {
namespace {

constexpr std::int64_t kRounds = 8;

std::string Percent(double fraction) {
  return FixedText(fraction * 100.0, 2) + " %";
}

double SpreadOf(const std::vector<double>& values) {
  const absl::StatusOr<Sample> sample = Sample::Create(values);
  if (!sample.ok()) return 0.0;
  return StandardDeviation(*sample).value_or(0.0);
}

// y of every valid round: the mean over targets, or one guard's.
std::vector<double> TargetValues(const Evidence& evidence) {
  std::vector<double> values;
  for (const RoundEvidence& round : evidence.rounds) {
    if (const auto y = MeanTargetRatio(round)) values.push_back(*y);
  }
  return values;
}

std::vector<double> GuardValues(const Evidence& evidence, std::size_t guard) {
  std::vector<double> values;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use == RoundUse::kCounts && guard < round.ratios.guards.size()) {
      values.push_back(round.ratios.guards[guard]);
    }
  }
  return values;
}

}  // namespace

Calibration CalibrationOf(const Evidence& evidence, const Policy& policy,
                          double alpha) {
  Calibration calibration;
  calibration.alpha = alpha;
  calibration.rounds = static_cast<std::int64_t>(ValidRounds(evidence));
  if (calibration.rounds == 0) return calibration;
  calibration.round_seconds =
      evidence.measuring_seconds / static_cast<double>(evidence.rounds.size());
  calibration.noise = SpreadOf(TargetValues(evidence));
  for (std::size_t i = 0; i < evidence.settings.guards.size(); ++i) {
    calibration.guard_noise = std::max(calibration.guard_noise.value_or(0.0),
                                       SpreadOf(GuardValues(evidence, i)));
  }
  if (calibration.round_seconds <= 0.0) return calibration;
  const double affordable =
      std::min(policy.budget_seconds / calibration.round_seconds,
               static_cast<double>(policy.max_rounds));
  const auto effect = SmallestEffect(affordable, calibration.noise, alpha);
  if (effect.has_value()) {
    calibration.smallest_effect = -std::expm1(-*effect);
  }
  const auto margin = SmallestEffect(
      affordable, calibration.guard_noise.value_or(calibration.noise), alpha);
  if (margin.has_value()) calibration.smallest_margin = std::expm1(*margin);
  return calibration;
}

absl::StatusOr<Calibration> Calibrate(const Session& session,
                                      const Build& build,
                                      const TaskSettings& settings) {
  ASSIGN_OR_RETURN(const DecisionLevel level,
                   NextLevel(settings.policy, MetricFile()));
  MeasureRequest request;
  request.baseline = {build, settings.base, ""};
  request.contender = {build, settings.base, ""};
  request.target = settings.target;
  request.with_guards = true;
  request.policy = settings.policy;
  request.fixed_rounds = kRounds;
  ASSIGN_OR_RETURN(const FileLock lock, LockMeasuring(session));
  Say(session, "measuring the program against itself");
  ASSIGN_OR_RETURN(const Evidence evidence, Measure(session, request));
  return CalibrationOf(evidence, settings.policy, level.alpha);
}

void AddCalibration(const Calibration& calibration,
                    const TaskSettings& settings, VerbResult& result) {
  result.lines.push_back(
      absl::StrCat("  noise:    ", Percent(calibration.noise), " a round, ",
                   FixedText(calibration.round_seconds, 2), " s a round (",
                   CountText(calibration.rounds, "round"),
                   " of the program against itself)"));
  result.lines.push_back(
      calibration.smallest_effect.has_value()
          ? absl::StrCat(
                "  decidable within ",
                FixedText(settings.policy.budget_seconds, 0),
                " s: an effect of ", Percent(*calibration.smallest_effect),
                ", a guard margin of ", Percent(*calibration.smallest_margin))
          : absl::StrCat("  decidable within ",
                         FixedText(settings.policy.budget_seconds, 0),
                         " s: nothing; raise policy.budget"));
  const double wanted = settings.policy.min_effect;
  if (calibration.smallest_effect.value_or(1.0) > wanted) {
    result.lines.push_back(absl::StrCat(
        "  warning: min_effect ", Percent(wanted),
        " is below that: expect inconclusive decisions, or raise the budget"));
  }
  result.fields.Number("noise", calibration.noise);
  result.fields.Number("round_seconds", calibration.round_seconds);
  if (calibration.smallest_effect.has_value()) {
    result.fields.Number("smallest_effect", *calibration.smallest_effect);
    result.fields.Number("smallest_margin", *calibration.smallest_margin);
  }
}

}  // namespace autotune
