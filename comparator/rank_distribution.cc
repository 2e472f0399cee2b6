#include "comparator/rank_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "absl/numeric/int128.h"

namespace autotune {
namespace {

// Multiplies the polynomial by (1 - q^power), dropping what is beyond its size.
void MultiplyByOneMinusPower(std::vector<absl::uint128>& coefficients,
                             std::size_t power) {
  for (std::size_t k = coefficients.size(); k-- > power;) {
    coefficients[k] -= coefficients[k - power];
  }
}

// Divides the polynomial by (1 - q^power).
void DivideByOneMinusPower(std::vector<absl::uint128>& coefficients,
                           std::size_t power) {
  for (std::size_t k = power; k < coefficients.size(); ++k) {
    coefficients[k] += coefficients[k - power];
  }
}

// Number of arrangements for each U. The intermediate coefficients may wrap,
// but the final ones, at most binomial(100, 50) < 2^97, are right: all steps
// are exact modulo 2^128.
std::vector<absl::uint128> MannWhitneyCounts(std::size_t x_size,
                                             std::size_t y_size) {
  const auto [small, large] = std::minmax(x_size, y_size);
  std::vector<absl::uint128> counts(small * large + 1, 0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= small; ++i) {
    MultiplyByOneMinusPower(counts, large + i);
    DivideByOneMinusPower(counts, i);
  }
  return counts;
}

std::vector<double> CumulativeShares(const std::vector<double>& weights) {
  std::vector<double> shares(weights.size());
  std::partial_sum(weights.begin(), weights.end(), shares.begin());
  const double total = shares.back();
  for (double& share : shares) share /= total;
  return shares;
}

// binomial(n, k) for k = 0..n.
std::vector<double> BinomialRow(std::size_t n) {
  std::vector<double> row(n + 1, 1.0);
  for (std::size_t k = 1; k <= n; ++k) {
    row[k] =
        row[k - 1] * static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  return row;
}

// The splits of the groups seen so far, by how many values the first sample got
// (`taken`) and by its doubled U.
class TiedSplits {
 public:
  TiedSplits(std::size_t x_size, std::size_t y_size)
      : x_size_(x_size),
        y_size_(y_size),
        width_(2 * x_size * y_size + 1),
        weights_((x_size + 1) * width_, 0.0) {
    weights_[0] = 1.0;
  }

  // Adds the next larger group: x gets k of its values, y the others. Each of
  // the k beats every y value seen before and ties with the group's own.
  void AddGroup(std::size_t size) {
    const std::vector<double> ways = BinomialRow(size);
    std::vector<double> next(weights_.size(), 0.0);
    for (std::size_t taken = 0; taken <= std::min(seen_, x_size_); ++taken) {
      if (seen_ - taken > y_size_) continue;
      for (std::size_t k = 0; k <= std::min(size, x_size_ - taken); ++k) {
        if (seen_ - taken + size - k > y_size_) continue;
        const std::size_t gain = k * (2 * (seen_ - taken) + (size - k));
        Shift(taken, taken + k, gain, ways[k], next);
      }
    }
    weights_ = std::move(next);
    seen_ += size;
  }

  std::vector<double> Final() const {
    return {weights_.end() - static_cast<std::ptrdiff_t>(width_),
            weights_.end()};
  }

 private:
  void Shift(std::size_t from, std::size_t to, std::size_t gain, double ways,
             std::vector<double>& next) const {
    // No split so far has a larger doubled U than this.
    const std::size_t largest = 2 * from * (seen_ - from);
    const double* const source = &weights_[from * width_];
    double* const target = &next[to * width_ + gain];
    for (std::size_t u = 0; u <= largest; ++u) target[u] += ways * source[u];
  }

  std::size_t x_size_;
  std::size_t y_size_;
  std::size_t width_;
  std::size_t seen_ = 0;
  std::vector<double> weights_;
};

}  // namespace

bool IsCountable(std::size_t x_size, std::size_t y_size,
                 std::size_t largest_product) {
  assert(x_size > 0 && y_size > 0);
  return x_size <= largest_product / y_size;
}

std::vector<double> MannWhitneyCdf(std::size_t x_size, std::size_t y_size) {
  assert(IsCountable(x_size, y_size));
  std::vector<absl::uint128> counts = MannWhitneyCounts(x_size, y_size);
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  const double total = static_cast<double>(counts.back());
  std::vector<double> cdf(counts.size());
  std::transform(counts.begin(), counts.end(), cdf.begin(),
                 [total](absl::uint128 count) {
                   return static_cast<double>(count) / total;
                 });
  return cdf;
}

std::vector<double> TiedMannWhitneyCdf(std::size_t x_size, std::size_t y_size,
                                       std::span<const std::size_t> groups) {
  assert(std::accumulate(groups.begin(), groups.end(), std::size_t{0}) ==
         x_size + y_size);
  TiedSplits splits(x_size, y_size);
  for (const std::size_t size : groups) splits.AddGroup(size);
  return CumulativeShares(splits.Final());
}

std::vector<double> SignedRankCdf(std::size_t n) {
  // Probabilities, one rank after the other: it counts or not, evenly.
  std::vector<double> probabilities(n * (n + 1) / 2 + 1, 0.0);
  probabilities[0] = 1.0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t t = rank * (rank + 1) / 2; t >= rank; --t) {
      probabilities[t] = 0.5 * (probabilities[t] + probabilities[t - rank]);
    }
    for (std::size_t t = 0; t < rank; ++t) probabilities[t] *= 0.5;
  }
  return CumulativeShares(probabilities);
}

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace autotune
