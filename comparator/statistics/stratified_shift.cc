#include "comparator/statistics/stratified_shift.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/rank_distribution.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

// Distribution of a sum of two independent counts.
std::vector<double> Convolved(const std::vector<double>& a,
                              const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) sum[i + k] += a[i] * b[k];
  }
  return sum;
}

// P(U = k) without ties.
std::vector<double> UntiedShares(const Stratum& stratum) {
  std::vector<double> shares =
      MannWhitneyCdf(stratum.x.size(), stratum.y.size());
  std::adjacent_difference(shares.begin(), shares.end(), shares.begin());
  return shares;
}

struct Ranks {
  std::vector<std::size_t> tie_groups;  // of the pooled values, ascending
  std::size_t doubled_u = 0;            // pairs x > y count 2, ties 1
};

// Ranks of x shifted down by `theta` among y.
Ranks RanksAt(const Stratum& stratum, double theta) {
  std::vector<std::pair<double, bool>> pooled;  // value, whether of x
  for (const double x : stratum.x.values()) pooled.push_back({x - theta, true});
  for (const double y : stratum.y.values()) pooled.push_back({y, false});
  std::sort(pooled.begin(), pooled.end());
  Ranks ranks;
  std::size_t y_below = 0;
  for (auto first = pooled.begin(); first != pooled.end();) {
    const auto end = std::find_if(
        first, pooled.end(),
        [first](const auto& entry) { return entry.first != first->first; });
    const auto x = static_cast<std::size_t>(std::count_if(
        first, end, [](const auto& entry) { return entry.second; }));
    const auto size = static_cast<std::size_t>(end - first);
    ranks.tie_groups.push_back(size);
    ranks.doubled_u += x * (2 * y_below + (size - x));
    y_below += size - x;
    first = end;
  }
  return ranks;
}

// P(2 U = k) given the ties.
std::vector<double> TiedShares(const Stratum& stratum, const Ranks& ranks) {
  const std::vector<std::uint64_t> counts = TiedMannWhitneyCounts(
      stratum.x.size(), stratum.y.size(), ranks.tie_groups);
  const auto total = static_cast<double>(
      std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::vector<double> shares;
  shares.reserve(counts.size());
  for (const std::uint64_t count : counts) {
    shares.push_back(static_cast<double>(count) / total);
  }
  return shares;
}

double SquaredDeviations(const Sample& sample) {
  const double deviation = StandardDeviation(sample).value_or(0.0);
  return deviation * deviation * static_cast<double>(sample.size() - 1);
}

// P(U <= k) of a normal U, half a step added for continuity.
double NormalTail(double k, double pairs, double variance) {
  return NormalCdf((k + 0.5 - pairs / 2.0) / std::sqrt(variance));
}

}  // namespace

StratifiedShift::StratifiedShift(std::vector<Stratum> strata)
    : strata_(std::move(strata)) {
  assert(!strata_.empty());
  for (const Stratum& stratum : strata_) {
    for (const double x : stratum.x.values()) {
      for (const double y : stratum.y.values()) differences_.push_back(x - y);
    }
    const auto n = static_cast<double>(stratum.x.size());
    const auto m = static_cast<double>(stratum.y.size());
    variance_ += n * m * (n + m + 1.0) / 12.0;
  }
  std::sort(differences_.begin(), differences_.end());
  if (differences_.size() > kLargestTiedProduct) return;
  std::vector<double> shares = {1.0};
  for (const Stratum& stratum : strata_) {
    shares = Convolved(shares, UntiedShares(stratum));
  }
  std::partial_sum(shares.begin(), shares.end(), shares.begin());
  cdf_ = std::move(shares);
}

double StratifiedShift::estimate() const {
  return Median(std::vector<double>(differences_));
}

// How many differences may be cut off at one end: the largest count with
// P(U <= count - 1) <= error.
StratifiedShift::Cut StratifiedShift::CutFor(double error) const {
  const auto tail = [this](std::size_t k) {
    return cdf_.empty()
               ? NormalTail(static_cast<double>(k),
                            static_cast<double>(differences_.size()), variance_)
               : cdf_[k];
  };
  // A distribution that reaches the error exactly must not lose it to rounding.
  const double allowed = error * (1.0 + 1e-12);
  std::size_t count = 0;
  while (count < differences_.size() && tail(count) <= allowed) ++count;
  return {count, tail(count == 0 ? 0 : count - 1)};
}

ConfidenceBound StratifiedShift::LowerBound(double error) const {
  const Cut cut = CutFor(error);
  ConfidenceBound bound{std::nullopt, 1.0 - cut.error};
  if (cut.count > 0) bound.value = differences_[cut.count - 1];
  return bound;
}

ConfidenceBound StratifiedShift::UpperBound(double error) const {
  const Cut cut = CutFor(error);
  ConfidenceBound bound{std::nullopt, 1.0 - cut.error};
  if (cut.count > 0)
    bound.value = differences_[differences_.size() - cut.count];
  return bound;
}

std::vector<double> StratifiedShift::TailsAt(double theta) const {
  std::size_t doubled_u = 0;
  std::vector<double> shares = {1.0};
  for (const Stratum& stratum : strata_) {
    const Ranks ranks = RanksAt(stratum, theta);
    doubled_u += ranks.doubled_u;
    if (!cdf_.empty()) shares = Convolved(shares, TiedShares(stratum, ranks));
  }
  if (cdf_.empty()) {
    const auto pairs = static_cast<double>(differences_.size());
    const double u = static_cast<double>(doubled_u) / 2.0;
    return {NormalTail(pairs - u, pairs, variance_),
            NormalTail(u, pairs, variance_)};
  }
  const auto at = shares.begin() + static_cast<std::ptrdiff_t>(doubled_u);
  const auto sum = [](auto begin, auto end) {
    return std::min(1.0, std::accumulate(begin, end, 0.0));
  };
  return {sum(at, shares.end()), sum(shares.begin(), at + 1)};
}

double StratifiedShift::PAbove(double theta) const {
  return TailsAt(theta).front();
}

double StratifiedShift::PBelow(double theta) const {
  return TailsAt(theta).back();
}

double StratifiedShift::SmallestP() const {
  double p = 1.0;
  for (const Stratum& stratum : strata_) {
    // One arrangement among binomial(n + m, m).
    for (std::size_t k = 1; k <= stratum.y.size(); ++k) {
      p *= static_cast<double>(k) / static_cast<double>(stratum.x.size() + k);
    }
  }
  return p;
}

double StratifiedShift::ProbabilityAbove() const {
  std::size_t doubled_u = 0;
  for (const Stratum& stratum : strata_) {
    doubled_u += RanksAt(stratum, 0.0).doubled_u;
  }
  return static_cast<double>(doubled_u) /
         (2.0 * static_cast<double>(differences_.size()));
}

std::optional<double> StratifiedShift::Deviation() const {
  double squares = 0.0;
  std::size_t freedom = 0;
  for (const Stratum& stratum : strata_) {
    for (const Sample* sample : {&stratum.x, &stratum.y}) {
      squares += SquaredDeviations(*sample);
      freedom += sample->size() - 1;
    }
  }
  if (freedom == 0) return std::nullopt;
  return std::sqrt(squares / static_cast<double>(freedom));
}

}  // namespace autotune
