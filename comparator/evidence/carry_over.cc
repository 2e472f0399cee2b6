#include "comparator/evidence/carry_over.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

// The first visit of a round that directly follows another one.
struct FirstVisit {
  bool of_baseline;
  bool after_baseline;  // which side ended the round before
  double log_cost;      // mean over the targets; larger is worse
};

// The targets that the last counted round measured: all, but for a gate's that
// were decided before it.
std::vector<std::string> LastingTargets(const Evidence& evidence) {
  const auto last =
      std::find_if(evidence.rounds.rbegin(), evidence.rounds.rend(),
                   [](const RoundEvidence& round) {
                     return round.use == RoundUse::kCounts;
                   });
  std::vector<std::string> targets;
  if (last == evidence.rounds.rend()) return targets;
  for (const std::string& target : evidence.settings.targets) {
    if (GuardValue(last->baseline, target)) targets.push_back(target);
  }
  return targets;
}

std::optional<double> LogCost(const VisitEvidence& visit,
                              const std::vector<std::string>& targets,
                              Direction direction) {
  double sum = 0.0;
  for (const std::string& target : targets) {
    const std::optional<double> value = GuardValue(visit, target);
    if (!value || !(*value > 0.0)) return std::nullopt;
    sum += std::log(*value);
  }
  const double sign = direction == Direction::kLowerIsBetter ? 1.0 : -1.0;
  return sign * sum / static_cast<double>(targets.size());
}

std::vector<FirstVisit> FirstVisits(const Evidence& evidence) {
  const std::vector<std::string> targets = LastingTargets(evidence);
  std::vector<FirstVisit> visits;
  if (targets.empty()) return visits;
  for (std::size_t i = 1; i < evidence.rounds.size(); ++i) {
    const RoundEvidence& before = evidence.rounds[i - 1];
    const RoundEvidence& round = evidence.rounds[i];
    if (before.mode != MeasureMode::kAlternate ||
        round.mode != MeasureMode::kAlternate ||
        round.use != RoundUse::kCounts) {
      continue;
    }
    const VisitEvidence& first =
        round.baseline_first ? round.baseline : round.contender;
    const std::optional<double> log_cost =
        LogCost(first, targets, evidence.metric.direction);
    if (!log_cost) continue;
    visits.push_back({round.baseline_first, !before.baseline_first, *log_cost});
  }
  return visits;
}

// Takes from each visit the median of its own side's.
void CentreBySide(std::vector<FirstVisit>& visits) {
  for (const bool of_baseline : {true, false}) {
    std::vector<double> costs;
    for (const FirstVisit& visit : visits) {
      if (visit.of_baseline == of_baseline) costs.push_back(visit.log_cost);
    }
    if (costs.empty()) continue;
    const double median = Median(std::move(costs));
    for (FirstVisit& visit : visits) {
      if (visit.of_baseline == of_baseline) visit.log_cost -= median;
    }
  }
}

std::vector<double> DeviationsAfter(const std::vector<FirstVisit>& visits,
                                    bool after_baseline) {
  std::vector<double> deviations;
  for (const FirstVisit& visit : visits) {
    if (visit.after_baseline == after_baseline) {
      deviations.push_back(visit.log_cost);
    }
  }
  return deviations;
}

}  // namespace

std::optional<CarryOver> TestCarryOver(const Evidence& evidence) {
  std::vector<FirstVisit> visits = FirstVisits(evidence);
  CentreBySide(visits);
  absl::StatusOr<Sample> after_baseline =
      Sample::Create(DeviationsAfter(visits, true));
  absl::StatusOr<Sample> after_contender =
      Sample::Create(DeviationsAfter(visits, false));
  if (!after_baseline.ok() || !after_contender.ok()) return std::nullopt;
  if (after_baseline->size() < 2 || after_contender->size() < 2) {
    return std::nullopt;
  }
  CarryOver result;
  result.p_value =
      MannWhitneyTest(*after_baseline, *after_contender).p_two_sided;
  result.log_slowdown =
      TwoSampleShift(*after_contender, *after_baseline).estimate();
  result.after_baseline = after_baseline->size();
  result.after_contender = after_contender->size();
  return result;
}

}  // namespace autotune
