#include "comparator/recorded/recorded_shift.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
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

// Of at least one value, all finite.
Sample SampleOf(std::vector<double> values) {
  absl::StatusOr<Sample> sample = Sample::Create(std::move(values));
  assert(sample.ok());
  return *std::move(sample);
}

Sample Shifted(const Sample& sample, double by) {
  std::vector<double> values = sample.values();
  for (double& value : values) value += by;
  return SampleOf(std::move(values));
}

Sample Gathered(const std::vector<Stratum>& strata, Sample Stratum::*side) {
  std::vector<double> values;
  for (const Stratum& stratum : strata) {
    const std::vector<double>& more = (stratum.*side).values();
    values.insert(values.end(), more.begin(), more.end());
  }
  return SampleOf(std::move(values));
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
                               static_cast<double>(test.VisitsNeeded(alpha)));
  const double discard =
      std::max(SizeFor(MinLogImprovement(policy) - y, beta, *noise),
               static_cast<double>(test.VisitsNeeded(beta)));
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
      test.VisitsNeeded(error / static_cast<double>(family_size));
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
                            NameOf(alone), family_size,
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

RecordedShift::RecordedShift(std::vector<Stratum> strata)
    : baseline_(Gathered(strata, &Stratum::x)),
      contender_(Gathered(strata, &Stratum::y)),
      shift_(baseline_, contender_, nullptr),
      strata_(std::move(strata)) {}

double RecordedShift::y() const {
  return strata_.has_value() ? strata_->estimate() : shift_.estimate();
}

ConfidenceBound RecordedShift::LowerBound(double error) const {
  return strata_.has_value() ? strata_->LowerBound(error)
                             : shift_.LowerBound(error);
}

ConfidenceBound RecordedShift::UpperBound(double error) const {
  return strata_.has_value() ? strata_->UpperBound(error)
                             : shift_.UpperBound(error);
}

MannWhitney RecordedShift::TestAgainst(double theta) const {
  const std::span<const double> cdf =
      cdf_ == nullptr ? std::span<const double>() : std::span(*cdf_);
  if (theta == 0.0) return MannWhitneyTest(baseline_, contender_, cdf);
  return MannWhitneyTest(Shifted(baseline_, -theta), contender_, cdf);
}

double RecordedShift::PAtMost(double theta) const {
  return strata_.has_value() ? strata_->PAbove(theta)
                             : TestAgainst(theta).p_contender_lower;
}

double RecordedShift::PAtLeast(double theta) const {
  return strata_.has_value() ? strata_->PBelow(theta)
                             : TestAgainst(theta).p_contender_higher;
}

double RecordedShift::PTwoSided() const {
  if (!strata_.has_value()) return TestAgainst(0.0).p_two_sided;
  return std::min(1.0,
                  2.0 * std::min(strata_->PAbove(0.0), strata_->PBelow(0.0)));
}

double RecordedShift::SmallestP() const {
  if (strata_.has_value()) return strata_->SmallestP();
  return SmallestTwoSidedP(baseline_.size(), contender_.size()) / 2.0;
}

double RecordedShift::ProbabilityOfSuperiority() const {
  return strata_.has_value()
             ? strata_->ProbabilityAbove()
             : autotune::ProbabilityOfSuperiority(baseline_, contender_);
}

std::int64_t RecordedShift::VisitsNeeded(double error) const {
  if (!strata_.has_value()) return VisitsNeededFor(error);
  // A stratum of one of each halves the smallest p-value.
  std::int64_t visits = 1;
  double smallest_p = 0.5;
  for (; !AtMost(smallest_p, error); ++visits) smallest_p /= 2.0;
  return visits;
}

std::optional<double> RecordedShift::Noise() const {
  if (strata_.has_value()) return strata_->Deviation();
  const std::size_t freedom = baseline_.size() + contender_.size() - 2;
  if (freedom == 0) return std::nullopt;
  return std::sqrt((SumOfSquares(baseline_) + SumOfSquares(contender_)) /
                   static_cast<double>(freedom));
}

RecordedBounds RecordedShift::Bounds(const Policy& policy) const {
  return {LowerBound(policy.alpha), UpperBound(policy.beta),
          UpperBound(policy.alpha)};
}

std::optional<RecordedShift> ShiftOfVisits(
    std::vector<double> baseline_costs,
    std::span<const std::size_t> baseline_units,
    std::vector<double> contender_costs,
    std::span<const std::size_t> contender_units, const HostStrata& strata,
    RankTables& tables) {
  if (strata.empty()) {
    return RecordedShift(SampleOf(std::move(baseline_costs)),
                         SampleOf(std::move(contender_costs)), tables);
  }
  std::map<std::size_t, std::pair<std::vector<double>, std::vector<double>>>
      by_host;
  for (std::size_t i = 0; i < baseline_costs.size(); ++i) {
    by_host[strata.baseline[baseline_units[i]]].first.push_back(
        baseline_costs[i]);
  }
  for (std::size_t i = 0; i < contender_costs.size(); ++i) {
    by_host[strata.contender[contender_units[i]]].second.push_back(
        contender_costs[i]);
  }
  std::vector<Stratum> shared;
  for (auto& [host, costs] : by_host) {
    if (costs.first.empty() || costs.second.empty()) continue;
    shared.push_back(
        {SampleOf(std::move(costs.first)), SampleOf(std::move(costs.second))});
  }
  if (shared.empty()) return std::nullopt;
  return RecordedShift(std::move(shared));
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
