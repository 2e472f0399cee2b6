#include "comparator/statistics/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "comparator/statistics/rank_distribution.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

// Twice U, a whole number: pairs with b > c count 2, ties 1. O(n_b + n_c).
std::size_t DoubledU(std::span<const double> baseline,
                     std::span<const double> contender) {
  std::size_t doubled = 0;
  std::size_t below = 0;      // contender values < b
  std::size_t not_above = 0;  // contender values <= b
  for (const double b : baseline) {
    while (below < contender.size() && contender[below] < b) ++below;
    while (not_above < contender.size() && contender[not_above] <= b) {
      ++not_above;
    }
    doubled += below + not_above;
  }
  return doubled;
}

// Sizes of the groups of equal values among both samples, in ascending order.
std::vector<std::size_t> TieGroups(const Sample& baseline,
                                   const Sample& contender) {
  std::vector<double> pooled(baseline.size() + contender.size());
  std::merge(baseline.sorted().begin(), baseline.sorted().end(),
             contender.sorted().begin(), contender.sorted().end(),
             pooled.begin());
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    if (i == 0 || pooled[i] != pooled[i - 1]) groups.push_back(0);
    ++groups.back();
  }
  return groups;
}

double AtMostOne(double p) { return std::min(p, 1.0); }

// The two-sided p follows from the one-sided ones, whatever gave them.
MannWhitney WithTails(double p_contender_lower, double p_contender_higher) {
  MannWhitney result;
  result.p_contender_lower = AtMostOne(p_contender_lower);
  result.p_contender_higher = AtMostOne(p_contender_higher);
  result.p_two_sided =
      AtMostOne(2.0 * std::min(p_contender_lower, p_contender_higher));
  return result;
}

MannWhitney ExactTest(std::size_t doubled_u, std::span<const double> cdf) {
  const std::size_t u = doubled_u / 2;
  // U and its mirror image have the same distribution.
  return WithTails(cdf[cdf.size() - 1 - u], cdf[u]);
}

using CountPlace = std::vector<std::uint64_t>::const_iterator;

std::uint64_t Sum(CountPlace begin, CountPlace end) {
  return std::accumulate(begin, end, std::uint64_t{0});
}

MannWhitney ExactTestGivenTies(std::size_t doubled_u, std::size_t baseline_size,
                               std::size_t contender_size,
                               std::span<const std::size_t> groups) {
  const std::vector<std::uint64_t> counts =
      TiedMannWhitneyCounts(baseline_size, contender_size, groups);
  const auto observed = counts.begin() + static_cast<std::ptrdiff_t>(doubled_u);
  const auto share =
      [total = Sum(counts.begin(), counts.end())](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(total);
      };
  return WithTails(share(Sum(observed, counts.end())),
                   share(Sum(counts.begin(), observed + 1)));
}

// Variance of U when the pooled values have these ties.
// Source: Lehmann (1975), Nonparametrics, equation 1.33 of chapter 1.
double TiedVariance(double baseline_size, double contender_size,
                    std::span<const std::size_t> groups) {
  const double all = baseline_size + contender_size;
  double ties = 0.0;
  for (const std::size_t group : groups) {
    const double size = static_cast<double>(group);
    ties += size * (size - 1.0) * (size + 1.0);
  }
  return baseline_size * contender_size / 12.0 *
         (all + 1.0 - ties / (all * (all - 1.0)));
}

MannWhitney ApproximateTest(std::size_t doubled_u, std::size_t baseline_size,
                            std::size_t contender_size,
                            std::span<const std::size_t> groups) {
  const double b = static_cast<double>(baseline_size);
  const double c = static_cast<double>(contender_size);
  const double u = static_cast<double>(doubled_u) / 2.0;
  const double mean = b * c / 2.0;
  const double variance = TiedVariance(b, c, groups);
  if (!(variance > 0.0)) {  // all values equal
    return WithTails(1.0, 1.0);
  }
  // P(U >= u), and P(U <= u) by the mirror image; half a step of correction.
  const auto upper_tail = [&](double at) {
    return NormalCdf((mean - at + 0.5) / std::sqrt(variance));
  };
  return WithTails(upper_tail(u), upper_tail(b * c - u));
}

}  // namespace

MannWhitney MannWhitneyTest(const Sample& baseline, const Sample& contender) {
  const std::size_t b = baseline.size();
  const std::size_t c = contender.size();
  if (!IsCountable(b, c)) return MannWhitneyTest(baseline, contender, {});
  return MannWhitneyTest(baseline, contender, MannWhitneyCdf(b, c));
}

MannWhitney MannWhitneyTest(const Sample& baseline, const Sample& contender,
                            std::span<const double> cdf) {
  const std::size_t b = baseline.size();
  const std::size_t c = contender.size();
  const std::size_t doubled_u = DoubledU(baseline.sorted(), contender.sorted());
  const std::vector<std::size_t> groups = TieGroups(baseline, contender);
  const bool tied = groups.size() < b + c;
  if (!tied && !cdf.empty()) return ExactTest(doubled_u, cdf);
  if (tied && IsCountable(b, c, kLargestTiedProduct)) {
    return ExactTestGivenTies(doubled_u, b, c, groups);
  }
  return ApproximateTest(doubled_u, b, c, groups);
}

double SmallestTwoSidedP(std::size_t baseline_size,
                         std::size_t contender_size) {
  // 1 / binomial(n_b + n_c, k), factor by factor.
  const auto [small, large] = std::minmax(baseline_size, contender_size);
  double p = 2.0;
  for (std::size_t k = 1; k <= small; ++k) {
    p *= static_cast<double>(k) / static_cast<double>(large + k);
  }
  return AtMostOne(p);
}

double ProbabilityOfSuperiority(const Sample& baseline,
                                const Sample& contender) {
  const double pairs = static_cast<double>(baseline.size()) *
                       static_cast<double>(contender.size());
  return static_cast<double>(DoubledU(baseline.sorted(), contender.sorted())) /
         (2.0 * pairs);
}

}  // namespace autotune
