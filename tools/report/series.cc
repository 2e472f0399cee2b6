#include "tools/report/series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/names.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/judge/tracks.h"
#include "comparator/outcome/outcome.h"
#include "comparator/recorded/comparison.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/metric.h"

namespace autotune {
namespace {

// Bets on the rounds again to see where each comparison stood after each.
class Replay {
 public:
  explicit Replay(const Evidence& evidence)
      : settings_(evidence.settings),
        metric_(evidence.metric),
        judge_(evidence.settings),
        targets_(MakeTargetTrack(settings_)) {
    for (const JudgedGuard& guard : settings_.guards) {
      guards_.emplace_back(guard, settings_.alpha, GuardBeta(settings_));
    }
  }

  // False for a round that does not count, or whose numbers make no ratios.
  bool Add(const RoundEvidence& round) {
    if (round.use != RoundUse::kCounts) return false;
    const absl::StatusOr<RoundRatios> ratios =
        ComputeRoundRatios(judge_, metric_, round.baseline, round.contender);
    if (!ratios.ok()) return false;
    judge_.Add(*ratios);
    targets_->Add(ratios->targets, ratios->target_spreads, 0);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      guards_[i].Add(ratios->guards[i], ratios->guard_spreads[i], 0);
    }
    return true;
  }

  // Targets, guards, the overall figure.
  std::vector<Comparison> Standings() const {
    std::vector<Comparison> standings = targets_->targets(Detail::kRuling);
    for (const GuardTrack& guard : guards_) {
      standings.push_back(guard.comparison(Detail::kRuling));
    }
    standings.push_back(targets_->overall(Detail::kRuling));
    return standings;
  }

  void SetLimits(std::vector<Series>& series) const {
    const std::size_t targets = settings_.targets.size();
    for (std::size_t i = 0; i < series.size(); ++i) {
      const bool guard = i >= targets && i + 1 < series.size();
      if (guard && settings_.guards[i - targets].mode == GuardMode::kExact) {
        continue;
      }
      series[i].log_for_limit =
          guard ? -std::log(settings_.alpha) : targets_->log_keep_limit();
      series[i].log_against_limit = guard ? -std::log(GuardBeta(settings_))
                                          : targets_->log_discard_limit();
    }
  }

 private:
  const JudgeSettings& settings_;
  const Metric& metric_;
  SequentialJudge judge_;  // knows which targets a round measures
  std::unique_ptr<TargetTrack> targets_;
  std::vector<GuardTrack> guards_;
};

// What the round says of targets, guards and their mean.
std::vector<SeriesPoint> PointsOf(const Evidence& evidence,
                                  const RoundEvidence& round) {
  std::vector<SeriesPoint> points;
  const auto add = [&](const std::string& name) {
    SeriesPoint& point = points.emplace_back();
    point.index = round.index + 1;
    point.baseline = GuardValue(round.baseline, name);
    point.contender = GuardValue(round.contender, name);
    if (point.baseline > 0.0 && point.contender > 0.0) {
      point.ratio = *point.contender / *point.baseline;
    }
    if (round.use != RoundUse::kCounts) point.use = NameOf(round.use);
  };
  for (const std::string& name : evidence.settings.targets) add(name);
  for (const JudgedGuard& guard : evidence.settings.guards) add(guard.name);
  SeriesPoint& mean = points.emplace_back();
  mean.index = round.index + 1;
  if (round.use != RoundUse::kCounts) mean.use = NameOf(round.use);
  const std::optional<double> y = MeanTargetRatio(round);
  if (y.has_value()) {
    mean.ratio =
        RatioFromLogImprovement(*y, {}, evidence.metric.direction).ratio;
  }
  return points;
}

// A test that has decided, or was not measured, looks at no further round.
bool Looked(const Comparison& now, const Comparison& before) {
  return now.rounds > before.rounds;
}

}  // namespace

std::vector<Series> SeriesOf(const Evidence& evidence) {
  const JudgeSettings& settings = evidence.settings;
  if (settings.targets.empty()) return {};
  std::vector<Series> series(settings.targets.size() + settings.guards.size() +
                             1);
  Replay replay(evidence);
  replay.SetLimits(series);
  std::vector<Comparison> before = replay.Standings();
  for (const RoundEvidence& round : evidence.rounds) {
    std::vector<SeriesPoint> points = PointsOf(evidence, round);
    const std::vector<Comparison> now =
        replay.Add(round) ? replay.Standings() : before;
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (Looked(now[i], before[i]) && series[i].log_for_limit > 0.0) {
        points[i].log_e_for = now[i].log_e_keep;
        points[i].log_e_against = now[i].log_e_discard;
      }
      series[i].points.push_back(points[i]);
    }
    before = now;
  }
  return series;
}

std::vector<Series> SeriesOf(const ComparisonTable& table) {
  std::vector<Series> all(table.values.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!table.values[i].has_value()) continue;
    const std::vector<double>& baseline = table.values[i]->baseline.values;
    const std::vector<double>& contender = table.values[i]->contender.values;
    std::vector<SeriesPoint>& points = all[i].points;
    points.resize(std::max(baseline.size(), contender.size()));
    for (std::size_t place = 0; place < points.size(); ++place) {
      points[place].index = static_cast<std::int64_t>(place) + 1;
      if (place < baseline.size()) points[place].baseline = baseline[place];
      if (place < contender.size()) points[place].contender = contender[place];
    }
  }
  return all;
}

}  // namespace autotune
