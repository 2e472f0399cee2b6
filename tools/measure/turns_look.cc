#include "tools/measure/turns_look.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/descriptive.h"
#include "comparator/evidence.h"

namespace autotune {
namespace {

constexpr double kHardlyAnyRise = 1.05;
constexpr double kAnotherRegime = 1.2;
constexpr std::size_t kEnoughLooks = 3;

absl::StatusOr<VisitEvidence> VisitAlone(const RoundSetup& setup,
                                         bool is_baseline, MeasureSeams seams) {
  ASSIGN_OR_RETURN(
      const VisitRequest request,
      PlaceVisit(setup, is_baseline, is_baseline ? 0 : 1, seams.files));
  ASSIGN_OR_RETURN(const FinishedVisit visit,
                   RunVisit(request, seams.processes, seams.files));
  return SummarizeVisit(visit, request.side, setup.expected, setup.metric,
                        SummaryFor(setup.mode, setup.metric));
}

// The least of a visit's repetitions: other programs only ever add.
double Least(const VisitBenchmark& benchmark) {
  return benchmark.values.empty() ? 0.0
                                  : *std::min_element(benchmark.values.begin(),
                                                      benchmark.values.end());
}

// Geometric mean of the ratios of two visits of one side.
double Rise(const VisitEvidence& alone, const VisitEvidence& in_turns) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < alone.benchmarks.size(); ++i) {
    const double before = Least(alone.benchmarks[i]);
    const double after = Least(in_turns.benchmarks[i]);
    if (!(before > 0.0 && after > 0.0)) continue;
    sum += std::log(after / before);
    ++count;
  }
  return count == 0 ? 1.0 : std::exp(sum / count);
}

TurnsLook MedianLook(const std::vector<TurnsLook>& looks) {
  std::vector<double> baseline;
  std::vector<double> contender;
  for (const TurnsLook& look : looks) {
    baseline.push_back(look.baseline_rise);
    contender.push_back(look.contender_rise);
  }
  std::sort(baseline.begin(), baseline.end());
  std::sort(contender.begin(), contender.end());
  return {MedianOfSorted(baseline), MedianOfSorted(contender)};
}

bool IsCalm(const TurnsLook& look) {
  const double larger = std::max(look.baseline_rise, look.contender_rise);
  const double smaller = std::min(look.baseline_rise, look.contender_rise);
  return larger <= kHardlyAnyRise && larger <= smaller * kHardlyAnyRise;
}

}  // namespace

absl::StatusOr<TurnsLook> LookAtTurns(const RoundSetup& setup,
                                      MeasureSeams seams) {
  ASSIGN_OR_RETURN(const VisitEvidence baseline,
                   VisitAlone(setup, true, seams));
  ASSIGN_OR_RETURN(const VisitEvidence contender,
                   VisitAlone(setup, false, seams));
  ASSIGN_OR_RETURN(const RoundCoin coin, DrawCoin(seams.entropy));
  ASSIGN_OR_RETURN(const RoundEvidence round, RunRound(setup, coin, seams));
  return TurnsLook{Rise(baseline, round.baseline),
                   Rise(contender, round.contender)};
}

TurnsFitness JudgeLooks(const std::vector<TurnsLook>& looks) {
  const TurnsLook median = MedianLook(looks);
  if (IsCalm(median)) return TurnsFitness::kFit;
  if (looks.size() < kEnoughLooks) return TurnsFitness::kLookAgain;
  const double larger = std::max(median.baseline_rise, median.contender_rise);
  return larger > kAnotherRegime ? TurnsFitness::kUnfit
                                 : TurnsFitness::kLongTurns;
}

std::map<std::string, std::string> LookFindings(
    const std::vector<TurnsLook>& looks) {
  if (looks.empty()) return {};
  const TurnsLook median = MedianLook(looks);
  return {{"turns_looks", absl::StrCat(looks.size())},
          {"turns_rise_baseline", FixedText(median.baseline_rise, 3)},
          {"turns_rise_contender", FixedText(median.contender_rise, 3)}};
}

}  // namespace autotune
