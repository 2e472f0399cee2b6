#include "tools/measure/turns_look.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

constexpr double kHardlyAnyRise = 1.05;
// What a side may lose in long turns; the loss goes as 1 / turn.
constexpr double kLargestLoss = 0.2;
constexpr std::size_t kEnoughLooks = 5;

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

LookTime TimeOf(const VisitEvidence& visit) {
  LookTime time;
  double count = 0.0;
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    const double least = Least(benchmark);
    if (!(least > 0.0)) continue;
    ++count;
    time.log_least += (std::log(least) - time.log_least) / count;
    time.log_value += (std::log(benchmark.value) - time.log_value) / count;
  }
  return time;
}

absl::StatusOr<AloneLook> LookAlone(const RoundSetup& setup,
                                    MeasureSeams seams) {
  ASSIGN_OR_RETURN(const VisitEvidence baseline,
                   VisitAlone(setup, true, seams));
  ASSIGN_OR_RETURN(const VisitEvidence contender,
                   VisitAlone(setup, false, seams));
  return AloneLook{TimeOf(baseline), TimeOf(contender)};
}

// Nothing when a benchmark lacks its time or a counter is judged too.
std::optional<double> MeanLogTime(
    const std::vector<ExpectedBenchmark>& expected,
    const std::map<std::string, double>& times) {
  double sum = 0.0;
  for (const ExpectedBenchmark& one : expected) {
    const auto time = times.find(one.name);
    if (time == times.end() || !one.counters.empty()) return std::nullopt;
    sum += std::log(time->second);
  }
  if (expected.empty()) return std::nullopt;
  return sum / static_cast<double>(expected.size());
}

}  // namespace

std::optional<AloneLook> AloneInPilot(const RoundSetup& setup,
                                      const Pilot& pilot) {
  const auto baseline =
      MeanLogTime(setup.expected, pilot.baseline.least_cpu_ns);
  const auto contender =
      MeanLogTime(setup.expected, pilot.contender.least_cpu_ns);
  if (!baseline.has_value() || !contender.has_value()) return std::nullopt;
  return AloneLook{{*baseline, *baseline}, {*contender, *contender}};
}

absl::StatusOr<TurnsLook> LookAtTurns(const RoundSetup& setup,
                                      std::optional<AloneLook> known,
                                      MeasureSeams seams) {
  if (!known.has_value()) {
    ASSIGN_OR_RETURN(known, LookAlone(setup, seams));
  }
  ASSIGN_OR_RETURN(const RoundCoin coin, DrawCoin(seams.entropy));
  ASSIGN_OR_RETURN(const RoundEvidence round, RunRound(setup, coin, seams));
  return TurnsLook{{known->baseline, TimeOf(round.baseline)},
                   {known->contender, TimeOf(round.contender)}};
}

double RiseOf(const std::vector<TurnsLook>& looks, SideLook TurnsLook::*side) {
  double alone = std::numeric_limits<double>::infinity();
  double in_turns = std::numeric_limits<double>::infinity();
  std::vector<double> rises;
  for (const TurnsLook& look : looks) {
    const SideLook& seen = look.*side;
    alone = std::min(alone, seen.alone.log_least);
    in_turns = std::min(in_turns, seen.in_turns.log_least);
    rises.push_back(seen.in_turns.log_value - seen.alone.log_value);
  }
  if (looks.empty()) return 1.0;
  const double rise = std::min(in_turns - alone, Median(std::move(rises)));
  return std::max(1.0, std::exp(rise));
}

TurnsFitness JudgeLooks(const std::vector<TurnsLook>& looks) {
  const double baseline = RiseOf(looks, &TurnsLook::baseline);
  const double contender = RiseOf(looks, &TurnsLook::contender);
  const double larger = std::max(baseline, contender);
  if (larger <= kHardlyAnyRise) return TurnsFitness::kFit;
  if (looks.size() < kEnoughLooks) return TurnsFitness::kLookAgain;
  const double loss_in_long_turns =
      (larger - 1.0) * absl::FDivDuration(kUsualTurn, kLongTurn);
  return loss_in_long_turns > kLargestLoss ? TurnsFitness::kUnfit
                                           : TurnsFitness::kLongTurns;
}

std::map<std::string, std::string> LookFindings(
    const std::vector<TurnsLook>& looks) {
  if (looks.empty()) return {};
  return {{"turns_looks", absl::StrCat(looks.size())},
          {"turns_rise_baseline",
           FixedText(RiseOf(looks, &TurnsLook::baseline), 3)},
          {"turns_rise_contender",
           FixedText(RiseOf(looks, &TurnsLook::contender), 3)}};
}

}  // namespace autotune
