#include "comparator/evidence/evidence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/evidence/evidence_check.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/outcome/outcome.h"
#include "comparator/policy/comparison_rules.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

constexpr double kTolerance = 1e-9;

bool Agree(double a, double b) {
  return std::abs(a - b) <=
         kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

// A visit's value must come from its repetitions: their mean or median lies
// among them.
absl::Status CheckValue(const VisitBenchmark& benchmark) {
  if (benchmark.values.empty()) return absl::OkStatus();
  const auto [low, high] =
      std::minmax_element(benchmark.values.begin(), benchmark.values.end());
  const double slack = kTolerance * std::max(std::abs(*low), std::abs(*high));
  if (benchmark.value >= *low - slack && benchmark.value <= *high + slack) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      PrintableName(benchmark.name), ": value ", ShortestText(benchmark.value),
      " is outside its repetitions, ", ShortestText(*low), " to ",
      ShortestText(*high)));
}

absl::Status CheckVisit(const VisitEvidence& visit, const std::string& side) {
  for (const VisitBenchmark& benchmark : visit.benchmarks) {
    RETURN_IF_ERROR(Annotate(CheckValue(benchmark), side));
  }
  return absl::OkStatus();
}

bool Agree(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || Agree(*a, *b));
}

std::string RatioText(const std::optional<double>& ratio) {
  return ratio ? ShortestText(*ratio) : "nothing";
}

// Number is double, or std::optional<double>.
template <typename Number>
absl::Status CheckSameRatios(const std::vector<Number>& stored,
                             const std::vector<Number>& computed,
                             std::string_view list) {
  for (std::size_t i = 0; i < computed.size(); ++i) {
    if (i < stored.size() && Agree(stored[i], computed[i])) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "ratios.", std::string(list), "[", i, "]: the visits give ",
        RatioText(computed[i]), ", the file says ",
        i < stored.size() ? RatioText(stored[i]) : "nothing"));
  }
  return absl::OkStatus();
}

// The ratios of one valid round after those that `judge` has seen, from its
// visits alone.
absl::StatusOr<RoundRatios> RecomputeRatios(const RoundEvidence& round,
                                            const Metric& metric,
                                            const SequentialJudge& judge) {
  RETURN_IF_ERROR(CheckVisit(round.baseline, "baseline"));
  RETURN_IF_ERROR(CheckVisit(round.contender, "contender"));
  ASSIGN_OR_RETURN(
      RoundRatios ratios,
      ComputeRoundRatios(judge, metric, round.baseline, round.contender));
  RETURN_IF_ERROR(
      CheckSameRatios(round.ratios.targets, ratios.targets, "targets"));
  RETURN_IF_ERROR(
      CheckSameRatios(round.ratios.guards, ratios.guards, "guards"));
  return ratios;
}

absl::Status Differs(const std::string& what, const std::string& computed,
                     const std::string& stored) {
  return absl::FailedPreconditionError(absl::StrCat(
      what, ": the rounds give ", computed, ", the file says ", stored));
}

absl::Status SameText(const std::string& what, std::string_view computed,
                      std::string_view stored) {
  if (computed == stored) return absl::OkStatus();
  return Differs(what, std::string(computed), std::string(stored));
}

std::string EndText(const std::optional<double>& end) {
  return end ? ShortestText(*end) : "no bound";
}

absl::Status SameNumber(const std::string& what,
                        const std::optional<double>& computed,
                        const std::optional<double>& stored) {
  return Agree(computed, stored)
             ? absl::OkStatus()
             : Differs(what, EndText(computed), EndText(stored));
}

absl::Status SameEstimate(const std::optional<RatioEstimate>& computed,
                          const std::optional<RatioEstimate>& stored) {
  RETURN_IF_ERROR(
      SameText("estimate", computed ? "one" : "none", stored ? "one" : "none"));
  if (!computed) return absl::OkStatus();
  const Interval& interval = computed->interval;
  RETURN_IF_ERROR(SameNumber("ratio", computed->ratio, stored->ratio));
  RETURN_IF_ERROR(
      SameNumber("interval.lower", interval.lower, stored->interval.lower));
  RETURN_IF_ERROR(
      SameNumber("interval.upper", interval.upper, stored->interval.upper));
  return SameNumber("interval.confidence_level", interval.confidence_level,
                    stored->interval.confidence_level);
}

absl::Status SameComparison(const Comparison& computed,
                            const Comparison& stored) {
  RETURN_IF_ERROR(SameText("name", computed.name, stored.name));
  RETURN_IF_ERROR(
      SameText("verdict", NameOf(computed.verdict), NameOf(stored.verdict)));
  RETURN_IF_ERROR(
      SameText("standing", NameOf(computed.standing), NameOf(stored.standing)));
  RETURN_IF_ERROR(SameNumber("margin", computed.margin, stored.margin));
  RETURN_IF_ERROR(
      SameNumber("log_e_keep", computed.log_e_keep, stored.log_e_keep));
  RETURN_IF_ERROR(SameNumber("log_e_discard", computed.log_e_discard,
                             stored.log_e_discard));
  RETURN_IF_ERROR(
      SameNumber("log_e_worse", computed.log_e_worse, stored.log_e_worse));
  RETURN_IF_ERROR(SameText("rounds", absl::StrCat(computed.rounds),
                           absl::StrCat(stored.rounds)));
  return SameEstimate(computed.estimate, stored.estimate);
}

absl::Status SameComparisons(const std::vector<Comparison>& computed,
                             const std::vector<Comparison>& stored,
                             const std::string& list) {
  RETURN_IF_ERROR(SameText(list, absl::StrCat(computed.size(), " entries"),
                           absl::StrCat(stored.size(), " entries")));
  for (std::size_t i = 0; i < computed.size(); ++i) {
    RETURN_IF_ERROR(Annotate(SameComparison(computed[i], stored[i]),
                             absl::StrCat(list, "[", i, "]")));
  }
  return absl::OkStatus();
}

// What the ruling must be: the rounds' own, unless the run held it back or
// there was nothing to measure.
Ruling ExpectedRuling(const Evidence& evidence, const SequentialJudge& judge) {
  if (!evidence.downgrade.empty()) {
    return {Decision::kInconclusive, ReasonCode::kObjection, ""};
  }
  return evidence.identical ? UnchangedRuling(evidence.settings.kind)
                            : judge.ruling();
}

std::string GuardMetricName(const Evidence& evidence, const std::string& name) {
  if (name == "peak_rss" || name == "excess_cpu" || name == "binary_size") {
    return name;
  }
  // "BENCHMARK [COUNTER]", see CounterEntryName.
  const std::size_t open = name.rfind(" [");
  if (open != std::string::npos && name.ends_with(']')) {
    return name.substr(open + 2, name.size() - open - 3);
  }
  return evidence.metric.name;
}

// A decision made in turns must hold without their bias.
absl::Status CheckFreedOfBias(const Evidence& evidence) {
  if (!NeedsBiasTrial(evidence)) return absl::OkStatus();
  return SameText("decision freed of the bias",
                  NameOf(BiasTrial(evidence).decision()),
                  NameOf(evidence.decision));
}

}  // namespace

std::string DayOf(const Evidence& evidence) {
  constexpr std::size_t kDayLength = 10;
  return evidence.started.substr(0, kDayLength);
}

void CompleteComparisons(Evidence& evidence) {
  evidence.overall.metric = evidence.metric;
  const ComparisonRules rules(evidence.policy, DayOf(evidence));
  for (Comparison& target : evidence.targets) {
    target.metric = evidence.metric;
    if (evidence.policy.kind != PolicyKind::kGate) continue;
    target.waiver = rules.ToleranceOf(target.name).waiver;
  }
  for (std::size_t i = 0; i < evidence.guards.size(); ++i) {
    Comparison& guard = evidence.guards[i];
    guard.role = ComparisonRole::kGuard;
    guard.metric.name = GuardMetricName(evidence, guard.name);
    if (i < evidence.settings.guards.size()) {
      guard.metric.direction = evidence.settings.guards[i].direction;
    }
  }
}

void SetOutcome(const SequentialJudge& judge, Evidence& evidence) {
  static_cast<Ruling&>(evidence) = judge.ruling();
  evidence.overall = judge.overall();
  evidence.targets = judge.targets();
  evidence.guards = judge.guards();
  CompleteComparisons(evidence);
}

absl::StatusOr<SequentialJudge> Recompute(const Evidence& evidence) {
  RETURN_IF_ERROR(CheckEvidence(evidence));
  SequentialJudge judge(evidence.settings);
  for (std::size_t i = 0; i < evidence.rounds.size(); ++i) {
    if (evidence.rounds[i].use != RoundUse::kCounts) continue;
    const absl::StatusOr<RoundRatios> ratios =
        RecomputeRatios(evidence.rounds[i], evidence.metric, judge);
    RETURN_IF_ERROR(Annotate(ratios.status(), absl::StrCat("rounds[", i, "]")));
    judge.Add(*ratios);
  }
  return judge;
}

absl::Status SameOutcome(const Evidence& computed, const Evidence& stored) {
  RETURN_IF_ERROR(
      SameText("decision", NameOf(computed.decision), NameOf(stored.decision)));
  RETURN_IF_ERROR(SameText("code", NameOf(computed.code), NameOf(stored.code)));
  RETURN_IF_ERROR(
      Annotate(SameComparison(computed.overall, stored.overall), "overall"));
  RETURN_IF_ERROR(SameComparisons(computed.targets, stored.targets, "targets"));
  return SameComparisons(computed.guards, stored.guards, "guards");
}

absl::Status VerifyEvidence(const Evidence& evidence) {
  ASSIGN_OR_RETURN(const SequentialJudge judge, Recompute(evidence));
  Evidence computed;
  computed.overall = judge.overall();
  computed.targets = judge.targets();
  computed.guards = judge.guards();
  static_cast<Ruling&>(computed) = ExpectedRuling(evidence, judge);
  RETURN_IF_ERROR(SameOutcome(computed, evidence));
  return CheckFreedOfBias(evidence);
}

}  // namespace autotune
