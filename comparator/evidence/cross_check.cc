#include "comparator/evidence/cross_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "comparator/evidence/carry_over.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/proportion.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// As many rounds as a keep needs at least (5 at alpha 0.05) can show it.
constexpr double kSignificance = 0.05;
// Share of a gain that work outside the timed part may explain.
constexpr double kExplainedShare = 0.5;
// What the library's search for the number of iterations may cost, as a
// multiple of min_time: how much depends on the speed of the code by chance.
constexpr double kSearch = 1.1;
// What starting a process costs more or less from time to time.
constexpr double kStartSeconds = 0.002;
// Share of the timed work by which the kernel's account of longer visits may
// differ from the program's: a clock that runs slow by as much goes unseen.
constexpr double kAgreement = 0.03;
// What chance may add to the longer visits of a confirmation, as a share of
// their timed work: below kAgreement. And how long they may become for it.
constexpr double kLongVisitChance = 0.02;
constexpr double kLongestConfirmationSeconds = 2.0;
constexpr std::size_t kManyConfirmations = 8;
constexpr double kVeryDifferentWork = 4.0;
constexpr double kShortOverlap = 0.8;

using Rounds = std::vector<const RoundEvidence*>;

Rounds RoundsOf(const Evidence& evidence, RoundUse use) {
  Rounds rounds;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use == use) rounds.push_back(&round);
  }
  return rounds;
}

Rounds CountedRounds(const Evidence& evidence) {
  return RoundsOf(evidence, RoundUse::kCounts);
}

// Mean over the targets of the log of a visit's value; nothing without a
// positive value for each.
std::optional<double> LogValue(const Evidence& evidence,
                               const VisitEvidence& visit) {
  double sum = 0.0;
  for (const std::string& target : evidence.settings.targets) {
    const std::optional<double> value = GuardValue(visit, target);
    if (!value.has_value() || !(*value > 0.0)) return std::nullopt;
    sum += std::log(*value);
  }
  return sum / static_cast<double>(evidence.settings.targets.size());
}

// Seconds inside the measured iterations, by the run's own metric.
double CountedSeconds(const VisitEvidence& visit) {
  double seconds = 0.0;
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    const std::size_t known =
        std::min(benchmark.iterations.size(), benchmark.values.size());
    for (std::size_t i = 0; i < known; ++i) {
      seconds += 1e-9 * benchmark.values[i] *
                 static_cast<double>(benchmark.iterations[i]);
    }
  }
  return seconds;
}

// What a visit spent outside its timed part, and inside it.
struct Outside {
  double outside_seconds = 0.0;
  double counted_seconds = 0.0;
};

Outside OutsideOf(const Evidence& evidence, const VisitEvidence& visit) {
  if (evidence.metric.name == "cpu_time") {
    const double cpu = visit.user_cpu_seconds + visit.system_cpu_seconds;
    return {visit.excess_cpu_seconds, cpu - visit.excess_cpu_seconds};
  }
  const double counted = CountedSeconds(visit);
  return {visit.wall_seconds - counted, counted};
}

// Wall time tells something where the sides do not run in turns.
bool LooksOutside(const Evidence& evidence, const Rounds& rounds) {
  if (rounds.empty()) return false;
  if (evidence.metric.name == "cpu_time") return true;
  return evidence.metric.name == "real_time" &&
         rounds.front()->mode == MeasureMode::kAlternate;
}

// Iterations fixed by the code are not searched for.
double CountSearches(const VisitEvidence& visit) {
  return static_cast<double>(
      std::count_if(visit.benchmarks.begin(), visit.benchmarks.end(),
                    [](const VisitBenchmark& entry) {
                      return !FixesIterations(entry.name);
                    }));
}

// CPU seconds that a visit may spend outside its timed part by chance.
double ChanceOutsideSeconds(double min_time_seconds, double searches) {
  return kStartSeconds + kSearch * min_time_seconds * searches;
}

// The share of the timed work that chance may add outside it, `less` of which
// is not looked at.
double SearchShare(const Evidence& evidence, const Rounds& rounds,
                   double less = 0.0) {
  std::vector<double> shares;
  for (const RoundEvidence* round : rounds) {
    const double counted =
        OutsideOf(evidence, round->contender).counted_seconds - less;
    const double chance = ChanceOutsideSeconds(
        evidence.repetition_min_time_seconds, CountSearches(round->contender));
    shares.push_back(counted > 0.0 ? chance / counted : HUGE_VAL);
  }
  return Median(std::move(shares));
}

// More of it a unit of timed work on the contender, round by round.
std::vector<double> OutsideGrowth(const Evidence& evidence,
                                  const Rounds& rounds) {
  std::vector<double> growth;
  for (const RoundEvidence* round : rounds) {
    const Outside before = OutsideOf(evidence, round->baseline);
    const Outside after = OutsideOf(evidence, round->contender);
    if (!(before.counted_seconds > 0.0 && after.counted_seconds > 0.0)) {
      continue;
    }
    growth.push_back((after.outside_seconds - before.outside_seconds) /
                     after.counted_seconds);
  }
  return growth;
}

std::string OutsideWords(const Evidence& evidence, double growth) {
  const bool gate = evidence.settings.kind == PolicyKind::kGate;
  return absl::StrCat(
      "work outside the timed ",
      evidence.metric.name == "cpu_time" ? "thread" : "part",
      ": the contender spends ", FixedText(100.0 * growth, 1), " % more there",
      gate ? ""
           : absl::StrCat(
                 ", the gain claims ",
                 FixedText(100.0 * (GainFactor(evidence.overall) - 1.0), 1),
                 " %"));
}

// A share s of the work moved elsewhere looks like a ratio of 1 - s and adds
// s / (1 - s) outside for each second counted.
double ToleratedGrowth(const Evidence& evidence) {
  return evidence.settings.kind == PolicyKind::kGate
             ? evidence.policy.default_margin
             : kExplainedShare * (GainFactor(evidence.overall) - 1.0);
}

std::string OutsideObjection(const Evidence& evidence) {
  const Rounds rounds = CountedRounds(evidence);
  if (!LooksOutside(evidence, rounds)) return "";
  const std::vector<double> growth = OutsideGrowth(evidence, rounds);
  if (growth.empty()) return "";
  const auto grown = static_cast<std::size_t>(std::count_if(
      growth.begin(), growth.end(), [](double value) { return value > 0.0; }));
  const double median = Median(growth);
  if (median <
          std::max(ToleratedGrowth(evidence), SearchShare(evidence, rounds)) ||
      FairBinomialCdf(growth.size() - grown, growth.size()) >= kSignificance) {
    return "";
  }
  return OutsideWords(evidence, median);
}

Outside MedianOutside(const Evidence& evidence, const Rounds& rounds,
                      VisitEvidence RoundEvidence::*side) {
  std::vector<double> outside;
  std::vector<double> counted;
  for (const RoundEvidence* round : rounds) {
    const Outside one = OutsideOf(evidence, round->*side);
    outside.push_back(one.outside_seconds);
    counted.push_back(one.counted_seconds);
  }
  return {Median(std::move(outside)), Median(std::move(counted))};
}

// Longer visits tell what the start of a process and the search hide in short
// ones: what a visit spends outside is a + b x its timed work, and b, by the
// difference between the confirmation's visits and those that count, is free of
// what is done once a process. A timed second that takes 1 + b seconds by the
// kernel's account was measured by another clock, or worked elsewhere.
std::string LongVisitObjection(const Evidence& evidence) {
  const Rounds longer = RoundsOf(evidence, RoundUse::kConfirmation);
  const Rounds counted = CountedRounds(evidence);
  if (longer.empty() || counted.empty() || evidence.metric.name != "cpu_time") {
    return "";
  }
  const Outside before =
      MedianOutside(evidence, counted, &RoundEvidence::baseline);
  const Outside after =
      MedianOutside(evidence, counted, &RoundEvidence::contender);
  const double tolerated =
      std::max(std::min(ToleratedGrowth(evidence), kAgreement),
               SearchShare(evidence, longer, after.counted_seconds));
  std::vector<double> growth;
  for (const RoundEvidence* round : longer) {
    const Outside base = OutsideOf(evidence, round->baseline);
    const Outside contender = OutsideOf(evidence, round->contender);
    const double timed = contender.counted_seconds - after.counted_seconds;
    if (!(timed > 0.0)) return "";
    growth.push_back(((contender.outside_seconds - after.outside_seconds) -
                      (base.outside_seconds - before.outside_seconds)) /
                     timed);
  }
  const double least = *std::min_element(growth.begin(), growth.end());
  return least < tolerated ? "" : OutsideWords(evidence, least);
}

std::int64_t MostThreads(const Evidence& evidence,
                         VisitEvidence RoundEvidence::*side) {
  std::int64_t most = 0;
  for (const RoundEvidence* round : CountedRounds(evidence)) {
    most = std::max(most, (round->*side).threads.value_or(0));
  }
  return most;
}

std::string ThreadsObjection(const Evidence& evidence) {
  if (evidence.metric.name != "cpu_time") return "";
  const std::int64_t before = MostThreads(evidence, &RoundEvidence::baseline);
  const std::int64_t after = MostThreads(evidence, &RoundEvidence::contender);
  if (before == 0 || after <= before) return "";
  return absl::StrCat("work outside the timed thread: the baseline ran ",
                      before, before == 1 ? " thread" : " threads",
                      ", the contender ", after,
                      ", and cpu_time counts the main one only");
}

std::string CarryOverObjection(const Evidence& evidence) {
  const std::optional<CarryOver> carried = TestCarryOver(evidence);
  if (!carried.has_value() || carried->p_value >= kCarryOverLevel) return "";
  return absl::StrCat(
      "carry-over: a visit after the contender is ",
      FixedText(100.0 * std::abs(std::expm1(carried->log_slowdown)), 1), " % ",
      carried->log_slowdown > 0.0 ? "slower" : "faster",
      " than one after the baseline (p ", FixedText(carried->p_value, 4), ")");
}

std::string ConfirmationObjection(const Evidence& evidence) {
  std::vector<double> improvements;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use != RoundUse::kConfirmation) continue;
    if (const auto y = RoundImprovement(evidence, round)) {
      improvements.push_back(*y);
    }
  }
  if (!ConfirmationContradicts(improvements)) return "";
  return absl::StrCat(
      "contradicted: in ", improvements.size(),
      " rounds of one visit after the other the contender was worse");
}

}  // namespace

double ConfirmationLength(const Evidence& evidence) {
  const Rounds rounds = CountedRounds(evidence);
  if (rounds.empty() || evidence.metric.name != "cpu_time") return 1.0;
  const double counted =
      MedianOutside(evidence, rounds, &RoundEvidence::contender)
          .counted_seconds;
  if (!(counted > 0.0)) return 1.0;
  const double chance =
      ChanceOutsideSeconds(evidence.repetition_min_time_seconds,
                           CountSearches(rounds.front()->contender));
  const double longest = std::max(1.0, kLongestConfirmationSeconds / counted);
  return std::min(1.0 + chance / (kLongVisitChance * counted), longest);
}

bool FixesIterations(std::string_view benchmark) {
  return benchmark.find("/iterations:") != std::string_view::npos;
}

std::string DecisionObjection(const Evidence& evidence) {
  if (evidence.decision == Decision::kInconclusive || evidence.identical) {
    return "";
  }
  if (std::string carried = CarryOverObjection(evidence); !carried.empty()) {
    return carried;
  }
  if (evidence.decision != Decision::kKeep) return "";
  for (std::string (*check)(const Evidence&) :
       {&ThreadsObjection, &OutsideObjection, &LongVisitObjection,
        &ConfirmationObjection}) {
    if (std::string objection = check(evidence); !objection.empty()) {
      return objection;
    }
  }
  return "";
}

bool ConfirmationContradicts(const std::vector<double>& improvements) {
  if (improvements.size() < 2) return false;
  const auto worse = static_cast<std::size_t>(
      std::count_if(improvements.begin(), improvements.end(),
                    [](double y) { return y < 0.0; }));
  const std::size_t allowed = improvements.size() < kManyConfirmations ? 0 : 1;
  return worse + allowed >= improvements.size();
}

std::optional<double> RoundImprovement(const Evidence& evidence,
                                       const RoundEvidence& round) {
  const auto baseline = LogValue(evidence, round.baseline);
  const auto contender = LogValue(evidence, round.contender);
  if (!baseline.has_value() || !contender.has_value()) return std::nullopt;
  const double y = *baseline - *contender;
  return evidence.metric.direction == Direction::kLowerIsBetter ? y : -y;
}

std::vector<std::string> RoundWarnings(const Evidence& evidence) {
  std::vector<double> work;
  std::vector<double> overlaps;
  for (const RoundEvidence* round : CountedRounds(evidence)) {
    const double before = CountedSeconds(round->baseline);
    const double after = CountedSeconds(round->contender);
    if (before > 0.0 && after > 0.0) work.push_back(std::log(after / before));
    overlaps.push_back(round->overlap);
  }
  std::vector<std::string> warnings;
  const bool timed =
      evidence.metric.name == "cpu_time" || evidence.metric.name == "real_time";
  if (timed && !work.empty() &&
      std::abs(Median(work)) > std::log(kVeryDifferentWork)) {
    warnings.push_back(absl::StrCat(
        "the contender's visits measure ", FixedText(std::exp(Median(work)), 2),
        " times the baseline's time: do both use the same settings?"));
  }
  if (!overlaps.empty() && Median(overlaps) < kShortOverlap) {
    warnings.push_back(absl::StrCat("the visits ran together for only ",
                                    FixedText(100.0 * Median(overlaps), 0),
                                    " % of a round"));
  }
  return warnings;
}

}  // namespace autotune
