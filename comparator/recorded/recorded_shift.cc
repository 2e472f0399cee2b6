#include "comparator/recorded/recorded_shift.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/number_text.h"
#include "comparator/policy/policy.h"
#include "comparator/results/measurement.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/hodges_lehmann.h"
#include "comparator/statistics/mann_whitney.h"
#include "comparator/statistics/multiple_testing.h"
#include "comparator/statistics/rank_distribution.h"
#include "comparator/statistics/sample.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// Counted p-values such as 1/20 may miss 0.05 by a rounding.
constexpr double kRounding = 1e-12;

bool AtMost(double p, double error) { return p <= error + kRounding; }

Sample Shifted(const Sample& sample, double by) {
  std::vector<double> values = sample.values();
  for (double& value : values) value += by;
  absl::StatusOr<Sample> shifted = Sample::Create(std::move(values));
  assert(shifted.ok());
  return *std::move(shifted);
}

double SumOfSquares(const Sample& sample) {
  const std::optional<double> deviation = StandardDeviation(sample);
  if (!deviation.has_value()) return 0.0;
  return *deviation * *deviation * static_cast<double>(sample.size() - 1);
}

// Quantile of the standard normal distribution above which `error` lies.
double UpperNormalQuantile(double error) {
  return std::sqrt(2.0) * boost::math::erfc_inv(2.0 * error);
}

// Asymptotic relative efficiency of rank tests on normal noise, 3 / pi.
constexpr double kRankEfficiency = 0.954929658551372;
// z of a four in five chance that the enlarged recording decides.
constexpr double kPowerQuantile = 0.8416212335729143;
// More visits than this are no plan.
constexpr double kMostVisits = 100000.0;

// Values a side for a one-sided error when the truth lies `distance` away.
double SizeFor(double distance, double error, double noise) {
  if (distance <= 0.0) return kMostVisits;
  const double z = UpperNormalQuantile(error) + kPowerQuantile;
  const double needed =
      2.0 / kRankEfficiency * std::pow(z * noise / distance, 2);
  return std::min(needed, kMostVisits);
}

// One-sided p-values of a family at the shifts that verdicts are about.
struct FamilyPValues {
  std::vector<double> better;   // against y <= floor
  std::vector<double> worse;    // against y >= 0
  std::vector<double> no_gain;  // against y >= floor + m
  std::vector<double> no_loss;  // against y <= -m
};

FamilyPValues PValuesOf(std::span<const RecordedShift* const> family,
                        const Policy& policy) {
  const double m = MinLogImprovement(policy);
  FamilyPValues p;
  for (const RecordedShift* test : family) {
    p.better.push_back(test->PAtMost(policy.floor));
    p.worse.push_back(test->PAtLeast(0.0));
    p.no_gain.push_back(test->PAtLeast(policy.floor + m));
    p.no_loss.push_back(test->PAtMost(-m));
  }
  return p;
}

FamilyPValues Adjusted(FamilyPValues p, ErrorAdjustment adjustment) {
  for (std::vector<double>* values :
       {&p.better, &p.worse, &p.no_gain, &p.no_loss}) {
    *values = AdjustPValues(*values, adjustment);
  }
  return p;
}

bool Above(const ConfidenceBound& bound, double value) {
  return bound.value.has_value() && *bound.value > value;
}
bool Below(const ConfidenceBound& bound, double value) {
  return bound.value.has_value() && *bound.value < value;
}

// Adjusted p-values of one test; zero where only bounds decide.
struct TestPValues {
  double better = 0.0;
  double worse = 0.0;
  double no_gain = 0.0;
  double no_loss = 0.0;
};

TestPValues PValuesAt(const FamilyPValues& family, std::size_t i) {
  return {family.better[i], family.worse[i], family.no_gain[i],
          family.no_loss[i]};
}

// The first verdict that is proven by bound and p-value.
Verdict ProvenVerdict(const RecordedBounds& bounds, const TestPValues& p,
                      const Policy& policy) {
  const double m = MinLogImprovement(policy);
  if (AtMost(p.better, policy.alpha) && Above(bounds.low, policy.floor)) {
    return Verdict::kImproved;
  }
  if (AtMost(p.worse, policy.alpha) && Below(bounds.high_alpha, 0.0)) {
    return Verdict::kRegressed;
  }
  const bool no_gain = AtMost(p.no_gain, policy.beta) &&
                       bounds.high.value.has_value() &&
                       *bounds.high.value <= policy.floor + m;
  if (!no_gain) return Verdict::kInconclusive;
  const bool no_loss = AtMost(p.no_loss, policy.alpha) && Above(bounds.low, -m);
  return no_loss && Below(bounds.high, m) ? Verdict::kEquivalent
                                          : Verdict::kNoGain;
}

// How many more visits a side would probably decide.
std::optional<std::int64_t> MoreVisits(const RecordedShift& test,
                                       std::size_t family_size,
                                       const Policy& policy) {
  const std::optional<double> noise = test.Noise();
  if (!noise.has_value()) return std::nullopt;
  const double size = static_cast<double>(family_size);
  const double alpha = policy.alpha / size;
  const double beta = policy.beta / size;
  const double y = test.y();
  const double keep = std::max(SizeFor(y, alpha, *noise),
                               static_cast<double>(VisitsNeededFor(alpha)));
  const double discard =
      std::max(SizeFor(MinLogImprovement(policy) - y, beta, *noise),
               static_cast<double>(VisitsNeededFor(beta)));
  const double needed = std::min(keep, discard);
  if (needed >= kMostVisits) return std::nullopt;
  const auto have = static_cast<std::int64_t>(
      std::min(test.baseline_size(), test.contender_size()));
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(needed)) - have);
}

std::string TooFewVisits(const RecordedShift& test, std::size_t family_size,
                         double error) {
  const std::int64_t needed =
      VisitsNeededFor(error / static_cast<double>(family_size));
  return absl::StrFormat(
      "too few visits: %d against %d cannot decide whatever the numbers; %d a "
      "side can",
      test.baseline_size(), test.contender_size(), needed);
}

std::string MoreVisitsText(const std::optional<std::int64_t>& more_visits) {
  if (!more_visits.has_value()) return "";
  return absl::StrFormat("; about %d more visits a side would probably decide",
                         *more_visits);
}

// Why a test is undecided; `alone` is the verdict it would have without the
// other tests of its family.
RecordedVerdict Undecided(const RecordedShift& test, Verdict alone,
                          std::size_t family_size, const Policy& policy,
                          ErrorAdjustment adjustment) {
  RecordedVerdict undecided;
  const double error = std::max(policy.alpha, policy.beta);
  if (!CanReach(test, error / static_cast<double>(family_size))) {
    undecided.reason = TooFewVisits(test, family_size, error);
    return undecided;
  }
  undecided.more_visits = MoreVisits(test, family_size, policy);
  const std::string why =
      alone == Verdict::kInconclusive
          ? "neither an improvement nor its absence is proven"
          : absl::StrFormat("%s by itself, not among %d benchmarks (%s)",
                            VerdictName(alone), family_size,
                            ErrorAdjustmentName(adjustment));
  undecided.reason = why + MoreVisitsText(undecided.more_visits);
  return undecided;
}

}  // namespace

Verdict VerdictFromBounds(const RecordedBounds& bounds, const Policy& policy) {
  return ProvenVerdict(bounds, TestPValues(), policy);
}

RatioEstimate RatioOf(double y, const RecordedBounds& bounds,
                      const Policy& policy, Direction direction) {
  // An end that is absent is missing at the error it was asked for.
  const double low_error = bounds.low.value.has_value()
                               ? 1.0 - bounds.low.confidence_level
                               : policy.alpha;
  const double high_error = bounds.high.value.has_value()
                                ? 1.0 - bounds.high.confidence_level
                                : policy.beta;
  const Interval interval{bounds.low.value, bounds.high.value,
                          1.0 - low_error - high_error};
  return RatioFromLogImprovement(y, interval, direction);
}

std::shared_ptr<const std::vector<double>> RankTables::Cdf(
    std::size_t baseline_size, std::size_t contender_size) {
  if (!IsCountable(baseline_size, contender_size)) return nullptr;
  auto& cdf = cdfs_[std::minmax(baseline_size, contender_size)];
  if (cdf == nullptr) {
    cdf = std::make_shared<const std::vector<double>>(
        MannWhitneyCdf(baseline_size, contender_size));
  }
  return cdf;
}

RecordedShift::RecordedShift(Sample baseline_costs, Sample contender_costs,
                             RankTables& tables)
    : baseline_(std::move(baseline_costs)),
      contender_(std::move(contender_costs)),
      cdf_(tables.Cdf(baseline_.size(), contender_.size())),
      shift_(baseline_, contender_, cdf_) {}

ConfidenceBound RecordedShift::LowerBound(double error) const {
  return shift_.LowerBound(error);
}

ConfidenceBound RecordedShift::UpperBound(double error) const {
  return shift_.UpperBound(error);
}

MannWhitney RecordedShift::TestAgainst(double theta) const {
  const std::span<const double> cdf =
      cdf_ == nullptr ? std::span<const double>() : std::span(*cdf_);
  if (theta == 0.0) return MannWhitneyTest(baseline_, contender_, cdf);
  return MannWhitneyTest(Shifted(baseline_, -theta), contender_, cdf);
}

double RecordedShift::PAtMost(double theta) const {
  return TestAgainst(theta).p_contender_lower;
}

double RecordedShift::PAtLeast(double theta) const {
  return TestAgainst(theta).p_contender_higher;
}

double RecordedShift::PTwoSided() const { return TestAgainst(0.0).p_two_sided; }

double RecordedShift::SmallestP() const {
  return SmallestTwoSidedP(baseline_.size(), contender_.size()) / 2.0;
}

double RecordedShift::ProbabilityOfSuperiority() const {
  return autotune::ProbabilityOfSuperiority(baseline_, contender_);
}

std::optional<double> RecordedShift::Noise() const {
  const std::size_t freedom = baseline_.size() + contender_.size() - 2;
  if (freedom == 0) return std::nullopt;
  return std::sqrt((SumOfSquares(baseline_) + SumOfSquares(contender_)) /
                   static_cast<double>(freedom));
}

RecordedBounds RecordedShift::Bounds(const Policy& policy) const {
  return {LowerBound(policy.alpha), UpperBound(policy.beta),
          UpperBound(policy.alpha)};
}

std::vector<double> CostsOf(std::span<const double> values,
                            Direction direction) {
  const double sign = direction == Direction::kLowerIsBetter ? 1.0 : -1.0;
  std::vector<double> costs;
  costs.reserve(values.size());
  for (const double value : values) {
    assert(value > 0.0);
    costs.push_back(sign * std::log(value));
  }
  return costs;
}

std::string_view ErrorAdjustmentName(ErrorAdjustment adjustment) {
  return adjustment == ErrorAdjustment::kHolm ? "Holm" : "Benjamini-Hochberg";
}

std::vector<double> AdjustPValues(std::span<const double> p_values,
                                  ErrorAdjustment adjustment) {
  return adjustment == ErrorAdjustment::kHolm
             ? AdjustHolm(p_values)
             : AdjustBenjaminiHochberg(p_values);
}

std::vector<RecordedVerdict> DecideFamily(
    std::span<const RecordedShift* const> family, const Policy& policy,
    ErrorAdjustment adjustment) {
  const FamilyPValues raw = PValuesOf(family, policy);
  const FamilyPValues adjusted = Adjusted(raw, adjustment);
  std::vector<RecordedVerdict> verdicts;
  verdicts.reserve(family.size());
  for (std::size_t i = 0; i < family.size(); ++i) {
    const RecordedShift& test = *family[i];
    RecordedVerdict verdict;
    const RecordedBounds bounds = test.Bounds(policy);
    verdict.verdict = ProvenVerdict(bounds, PValuesAt(adjusted, i), policy);
    if (verdict.verdict == Verdict::kInconclusive) {
      verdict =
          Undecided(test, ProvenVerdict(bounds, PValuesAt(raw, i), policy),
                    family.size(), policy, adjustment);
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::vector<MarginStanding> StandFamily(
    std::span<const RecordedShift* const> family,
    std::span<const double> margins, const MarginErrors& errors,
    ErrorAdjustment adjustment) {
  assert(family.size() == margins.size());
  std::vector<double> p_beyond;
  for (std::size_t i = 0; i < family.size(); ++i) {
    p_beyond.push_back(family[i]->PAtLeast(-std::log1p(margins[i])));
  }
  p_beyond = AdjustPValues(p_beyond, adjustment);
  std::vector<MarginStanding> standings;
  for (std::size_t i = 0; i < family.size(); ++i) {
    const double limit = -std::log1p(margins[i]);
    MarginStanding standing = MarginStanding::kUndecided;
    if (AtMost(p_beyond[i], errors.beyond) &&
        Below(family[i]->UpperBound(errors.beyond), limit)) {
      standing = MarginStanding::kBeyond;
    } else if (Above(family[i]->LowerBound(errors.within), limit)) {
      standing = MarginStanding::kWithin;
    }
    standings.push_back(standing);
  }
  return standings;
}

bool CanReach(const RecordedShift& test, double error) {
  return AtMost(test.SmallestP(), error);
}

std::int64_t VisitsNeededFor(double error) {
  std::int64_t visits = 1;
  double smallest_p = 0.5;  // 1 / binomial(2, 1)
  while (!AtMost(smallest_p, error)) {
    const double n = static_cast<double>(visits);
    smallest_p *= (n + 1.0) / (2.0 * (2.0 * n + 1.0));
    ++visits;
  }
  return visits;
}

}  // namespace autotune
