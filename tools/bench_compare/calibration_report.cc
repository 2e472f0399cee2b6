#include "tools/bench_compare/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/statistics/proportion.h"
#include "comparator/statistics/test_length.h"
#include "tools/report/evidence_facts.h"
#include "tools/report/json_writer.h"
#include "tools/report/value_text.h"

namespace autotune {
namespace {

std::string Percent(double fraction) {
  return FixedText(100.0 * fraction, 2) + " %";
}

std::string LimitText(const std::optional<double>& limit) {
  return limit.has_value() ? Percent(*limit) : "none";
}

double SumOfSquares(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

double SecondsADecision(const CalibrationReport& report) {
  return report.decisions == 0
             ? 0.0
             : report.seconds / static_cast<double>(report.decisions);
}

std::string ModeText(const ModeNoise& mode) {
  return absl::StrCat("  ", std::string(NameOf(mode.mode)),
                      std::string(10 - NameOf(mode.mode).size(), ' '), "noise ",
                      Percent(mode.noise), " a round, ",
                      FixedText(mode.round_seconds, 2), " s a round (",
                      mode.rounds, " rounds)\n");
}

}  // namespace

void AddDecision(const Evidence& evidence, CalibrationReport& report) {
  const Decision alarm = evidence.settings.kind == PolicyKind::kGate
                             ? Decision::kDiscard
                             : Decision::kKeep;
  ++report.decisions;
  report.false_alarms += evidence.decision == alarm ? 1 : 0;
  report.undecided += evidence.decision == Decision::kInconclusive ? 1 : 0;
  report.seconds += evidence.measuring_seconds;
}

ModeNoise NoiseOf(const std::vector<Evidence>& runs) {
  ModeNoise noise;
  std::vector<double> values;
  double seconds = 0.0;
  std::size_t all = 0;
  for (const Evidence& run : runs) {
    noise.mode = ModeOf(run);
    seconds += run.measuring_seconds;
    all += run.rounds.size();
    for (const RoundEvidence& round : run.rounds) {
      if (const auto y = MeanTargetRatio(round)) values.push_back(*y);
    }
  }
  noise.rounds = static_cast<std::int64_t>(values.size());
  if (values.empty()) return noise;
  noise.noise =
      std::sqrt(SumOfSquares(values) / static_cast<double>(values.size()));
  noise.round_seconds = seconds / static_cast<double>(all);
  return noise;
}

void AddLimits(const Policy& policy, CalibrationReport& report) {
  report.budget_seconds = policy.budget_seconds;
  report.alpha = policy.alpha;
  if (report.modes.empty() || !(report.modes.front().round_seconds > 0.0)) {
    return;
  }
  const ModeNoise& mode = report.modes.front();
  const double affordable = std::min(policy.budget_seconds / mode.round_seconds,
                                     static_cast<double>(policy.max_rounds));
  const std::optional<double> effect =
      SmallestEffect(affordable, mode.noise, policy.alpha);
  if (!effect.has_value()) return;
  report.smallest_effect = -std::expm1(-*effect);
  report.smallest_margin = std::expm1(*effect);
}

std::string CalibrationText(const CalibrationReport& report) {
  const Interval rate = WilsonInterval(
      report.false_alarms, std::max<std::int64_t>(1, report.decisions));
  std::string text = absl::StrCat(
      "false alarms: ", report.false_alarms, " of ", report.decisions,
      " independent decisions, rate in [", Percent(rate.lower.value_or(0.0)),
      ", ", Percent(rate.upper.value_or(1.0)), "] at 95 %; at most ",
      Percent(report.alpha), " is promised\nundecided:    ", report.undecided,
      "\ntime:         ", SecondsText(SecondsADecision(report)),
      " a decision\n");
  for (const ModeNoise& mode : report.modes) text += ModeText(mode);
  absl::StrAppend(&text, "decidable within ",
                  SecondsText(report.budget_seconds), ": an improvement of ",
                  LimitText(report.smallest_effect), ", a guard margin of ",
                  LimitText(report.smallest_margin), "\n");
  return text;
}

std::string CalibrationJson(const CalibrationReport& report) {
  const Interval rate = WilsonInterval(
      report.false_alarms, std::max<std::int64_t>(1, report.decisions));
  JsonWriter json;
  json.BeginObject();
  json.Count("schema_version", 1);
  json.Flag("ok", true);
  json.Count("decisions", report.decisions);
  json.Count("false_alarms", report.false_alarms);
  json.BeginObject("false_alarm_rate");
  json.Number("lower", rate.lower);
  json.Number("upper", rate.upper);
  json.Number("confidence_level", rate.confidence_level);
  json.EndObject();
  json.Number("alpha", report.alpha);
  json.Count("undecided", report.undecided);
  json.Number("seconds_per_decision", SecondsADecision(report));
  json.Number("budget_seconds", report.budget_seconds);
  json.BeginArray("modes");
  for (const ModeNoise& mode : report.modes) {
    json.BeginObject();
    json.Text("mode", NameOf(mode.mode));
    json.Count("rounds", mode.rounds);
    json.Number("noise", mode.noise);
    json.Number("round_seconds", mode.round_seconds);
    json.EndObject();
  }
  json.EndArray();
  json.Number("smallest_improvement", report.smallest_effect);
  json.Number("smallest_guard_margin", report.smallest_margin);
  json.BeginArray("next");
  json.EndArray();
  json.EndObject();
  return json.Take();
}

}  // namespace autotune
