#include "comparator/evidence/bias_trial.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparator/evidence/cross_check.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/turn_bias.h"

namespace autotune {
namespace {

// The slices that the kernel gives two busy processes on one CPU.
constexpr double kDuetTurnSeconds = 0.004;
constexpr double kDuetCheckSeconds = 0.020;
// A tenth of the turn: bias and noise of the pairs in docs/measuring.md.
constexpr double kCheckTurnsATurn = 10.0;
// Beyond any loss that turns of 20 ms were seen to cause.
constexpr double kBeyondAnyBias = 0.15;
constexpr double kItsTurnSeconds = 0.020;

const RoundEvidence* LastCounted(const Evidence& evidence) {
  const auto last =
      std::find_if(evidence.rounds.rbegin(), evidence.rounds.rend(),
                   [](const RoundEvidence& round) {
                     return round.use == RoundUse::kCounts;
                   });
  return last == evidence.rounds.rend() ? nullptr : &*last;
}

bool SameTurn(double a, double b) { return std::abs(a - b) < 1e-3 * b; }

double TurnOf(const RoundEvidence& round) {
  return round.turn_seconds.value_or(kDuetTurnSeconds);
}

// What the turns really were, as far as it is known.
double GivenTurnOf(const RoundEvidence& round) {
  return round.given_turn_seconds.value_or(TurnOf(round));
}

std::optional<double> Improvement(const RoundEvidence& round,
                                  std::string_view name, Direction direction) {
  const auto sound = [](const std::optional<double>& value) {
    return value.has_value() && std::isfinite(*value) && *value > 0.0;
  };
  const std::optional<double> before = GuardValue(round.baseline, name);
  const std::optional<double> after = GuardValue(round.contender, name);
  if (!sound(before) || !sound(after)) return std::nullopt;
  return LogImprovement(*before, *after, direction);
}

// The same levels on the pairs, and always at an end once they decide.
JudgeSettings SettingsOf(const Evidence& evidence) {
  JudgeSettings settings = evidence.settings;
  settings.stop_when_decided = true;
  return settings;
}

bool IsBeyondAnyBias(const Evidence& evidence, double turn_seconds) {
  const double most =
      kBeyondAnyBias * std::max(1.0, kItsTurnSeconds / turn_seconds);
  return evidence.settings.kind == PolicyKind::kTune &&
         evidence.settings.guards.empty() &&
         std::abs(std::log(GainFactor(evidence.overall))) >= most;
}

}  // namespace

bool IsOneCpuMode(MeasureMode mode) {
  return mode == MeasureMode::kTurns || mode == MeasureMode::kDuet;
}

std::optional<double> TurnSecondsOf(const Evidence& evidence) {
  const RoundEvidence* last = LastCounted(evidence);
  if (last == nullptr || !IsOneCpuMode(last->mode)) return std::nullopt;
  return TurnOf(*last);
}

double CheckTurnSeconds(MeasureMode mode, double turn_seconds) {
  return mode == MeasureMode::kDuet ? kDuetCheckSeconds
                                    : turn_seconds / kCheckTurnsATurn;
}

bool NeedsBiasTrial(const Evidence& evidence) {
  if (evidence.identical || evidence.decision == Decision::kInconclusive) {
    return false;
  }
  const std::optional<double> turn_seconds = TurnSecondsOf(evidence);
  return turn_seconds.has_value() && !IsBeyondAnyBias(evidence, *turn_seconds);
}

BiasTrial::BiasTrial(const Evidence& evidence)
    : decided_(evidence.decision),
      turn_seconds_(TurnSecondsOf(evidence).value_or(kDuetTurnSeconds)),
      judge_(SettingsOf(evidence)) {
  const RoundEvidence* last = LastCounted(evidence);
  const MeasureMode mode = last == nullptr ? MeasureMode::kTurns : last->mode;
  check_turn_seconds_ = CheckTurnSeconds(mode, turn_seconds_);
  for (const std::string& target : evidence.settings.targets) {
    targets_.push_back({target, evidence.metric.direction, false, {}, {}});
  }
  for (const JudgedGuard& guard : evidence.settings.guards) {
    const bool of_process = guard.name == "peak_rss" ||
                            guard.name == "excess_cpu" ||
                            guard.name == "binary_size";
    guards_.push_back({guard.name, guard.direction, of_process, {}, {}});
  }
  for (const RoundEvidence& round : evidence.rounds) Add(round);
}

bool BiasTrial::IsRun(const RoundEvidence& round) const {
  return round.use == RoundUse::kCounts ||
         (round.use == RoundUse::kBiasCheck &&
          SameTurn(TurnOf(round), turn_seconds_));
}

bool BiasTrial::IsCheck(const RoundEvidence& round) const {
  return round.use == RoundUse::kBiasCheck &&
         SameTurn(TurnOf(round), check_turn_seconds_);
}

void BiasTrial::Add(const RoundEvidence& round) {
  const bool run = IsRun(round);
  if (!run && !IsCheck(round)) return;
  double sum = 0.0;
  std::size_t measured = 0;
  const auto take = [&](Series& series) {
    const std::optional<double> y =
        Improvement(round, series.name, series.direction);
    if (!y.has_value()) return;
    (run ? series.run : series.check)
        .push_back({*y, GivenTurnOf(round),
                    RatioSpread(round.baseline, round.contender, series.name)});
    sum += *y;
    ++measured;
  };
  for (Series& target : targets_) take(target);
  if (measured == targets_.size()) {
    (run ? overall_.run : overall_.check)
        .push_back(
            {sum / static_cast<double>(measured), GivenTurnOf(round), 0.0});
  }
  for (Series& guard : guards_) take(guard);
  JudgePairs();
}

// Whether the series has no pair left for the judge.
bool BiasTrial::Waits(const Series& series) const {
  return series.run.size() <= pairs() ||
         (!series.of_process && series.check.size() <= pairs());
}

double BiasTrial::Next(const Series& series) const {
  const Value& run = series.run[pairs()];
  if (series.of_process) return run.y;
  const Value& check = series.check[pairs()];
  return FreedOfBias(run.y, run.turn_seconds, check.y, check.turn_seconds);
}

void BiasTrial::JudgePairs() {
  while (!finished()) {
    RoundRatios pair;
    // Most of a pair's noise is that of its round in the run's own turns.
    std::vector<double>& spreads = pair.target_spreads;
    spreads.resize(targets_.size());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      std::optional<double>& y = pair.targets.emplace_back();
      if (!judge_.measures(i)) continue;
      if (Waits(targets_[i])) return;
      y = Next(targets_[i]);
      spreads[i] = targets_[i].run[pairs()].spread;
    }
    for (const Series& guard : guards_) {
      if (Waits(guard)) return;
      pair.guards.push_back(Next(guard));
      pair.guard_spreads.push_back(guard.run[pairs()].spread);
    }
    judge_.Add(pair);
  }
}

bool BiasTrial::lacks_run_round() const {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (judge_.measures(i) && targets_[i].run.size() <= pairs()) return true;
  }
  return std::any_of(guards_.begin(), guards_.end(), [&](const Series& guard) {
    return guard.run.size() <= pairs();
  });
}

std::vector<double> BiasTrial::Column(const std::vector<Value>& values,
                                      double Value::*column) {
  std::vector<double> numbers;
  for (const Value& value : values) numbers.push_back(value.*column);
  return numbers;
}

BiasRecord BiasTrial::Record() const {
  BiasRecord record;
  record.turn_seconds = turn_seconds_;
  record.check_turn_seconds = check_turn_seconds_;
  if (!overall_.run.empty() && !overall_.check.empty()) {
    record.estimate =
        EstimateTurnBias(Column(overall_.run, &Value::y),
                         Median(Column(overall_.run, &Value::turn_seconds)),
                         Column(overall_.check, &Value::y),
                         Median(Column(overall_.check, &Value::turn_seconds)));
  }
  record.pairs = pairs();
  record.decided = decided_;
  record.freed = decision();
  return record;
}

}  // namespace autotune
