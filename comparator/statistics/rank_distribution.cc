#include "comparator/statistics/rank_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"

namespace autotune {
namespace {

// Multiplies the polynomial by (1 - q^power), dropping what is beyond its size.
template <typename Count>
void MultiplyByOneMinusPower(std::vector<Count>& coefficients,
                             std::size_t power) {
  for (std::size_t k = coefficients.size(); k-- > power;) {
    coefficients[k] -= coefficients[k - power];
  }
}

// Divides the polynomial by (1 - q^power).
template <typename Count>
void DivideByOneMinusPower(std::vector<Count>& coefficients,
                           std::size_t power) {
  for (std::size_t k = power; k < coefficients.size(); ++k) {
    coefficients[k] += coefficients[k - power];
  }
}

// Number of arrangements for each U. The intermediate coefficients may wrap,
// but the final ones are right when they fit: all steps are exact modulo a
// power of two. The upper half mirrors the lower one.
template <typename Count>
std::vector<Count> MannWhitneyCounts(std::size_t x_size, std::size_t y_size) {
  const auto [small, large] = std::minmax(x_size, y_size);
  const std::size_t largest_u = small * large;
  std::vector<Count> counts(largest_u / 2 + 1, 0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= small; ++i) {
    MultiplyByOneMinusPower(counts, large + i);
    DivideByOneMinusPower(counts, i);
  }
  for (std::size_t u = counts.size(); u <= largest_u; ++u) {
    counts.push_back(counts[largest_u - u]);
  }
  return counts;
}

template <typename Count>
std::vector<double> CumulativeShares(std::vector<Count> counts) {
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  const double total = static_cast<double>(counts.back());
  std::vector<double> shares(counts.size());
  std::transform(
      counts.begin(), counts.end(), shares.begin(),
      [total](Count count) { return static_cast<double>(count) / total; });
  return shares;
}

// binomial(n, k) for k = 0..largest_k; each times its k must fit.
std::vector<std::uint64_t> BinomialRow(std::size_t n, std::size_t largest_k) {
  std::vector<std::uint64_t> row(largest_k + 1, 1);
  for (std::size_t k = 1; k <= largest_k; ++k) {
    row[k] = row[k - 1] * (n - k + 1) / k;
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
        counts_((x_size + 1) * width_, 0) {
    counts_[0] = 1;
  }

  // Adds the next larger group: x gets k of its values, y the others. Each of
  // the k beats every y value seen before and ties with the group's own.
  void AddGroup(std::size_t size) {
    const std::vector<std::uint64_t> ways =
        BinomialRow(size, std::min(size, x_size_));
    std::vector<std::uint64_t> next(counts_.size(), 0);
    for (std::size_t taken = 0; taken <= std::min(seen_, x_size_); ++taken) {
      if (seen_ - taken > y_size_) continue;
      for (std::size_t k = 0; k <= std::min(size, x_size_ - taken); ++k) {
        if (seen_ - taken + size - k > y_size_) continue;
        const std::size_t gain = k * (2 * (seen_ - taken) + (size - k));
        Shift(taken, taken + k, gain, ways[k], next);
      }
    }
    counts_ = std::move(next);
    seen_ += size;
  }

  std::vector<std::uint64_t> Final() const {
    return {counts_.end() - static_cast<std::ptrdiff_t>(width_), counts_.end()};
  }

 private:
  void Shift(std::size_t from, std::size_t to, std::size_t gain,
             std::uint64_t ways, std::vector<std::uint64_t>& next) const {
    // No split so far has a larger doubled U than this.
    const std::size_t largest = 2 * from * (seen_ - from);
    const std::uint64_t* const source = &counts_[from * width_];
    std::uint64_t* const target = &next[to * width_ + gain];
    for (std::size_t u = 0; u <= largest; ++u) target[u] += ways * source[u];
  }

  std::size_t x_size_;
  std::size_t y_size_;
  std::size_t width_;
  std::size_t seen_ = 0;
  std::vector<std::uint64_t> counts_;
};

}  // namespace

bool IsCountable(std::size_t x_size, std::size_t y_size,
                 std::size_t largest_product) {
  assert(x_size > 0 && y_size > 0);
  return x_size <= largest_product / y_size;
}

std::vector<double> MannWhitneyCdf(std::size_t x_size, std::size_t y_size) {
  assert(IsCountable(x_size, y_size));
  // binomial(66, 33) < 2^63 and binomial(100, 50) < 2^97, the most there are.
  constexpr std::size_t kLargestNarrowTotal = 66;
  return x_size + y_size <= kLargestNarrowTotal
             ? CumulativeShares(
                   MannWhitneyCounts<std::uint64_t>(x_size, y_size))
             : CumulativeShares(
                   MannWhitneyCounts<absl::uint128>(x_size, y_size));
}

std::vector<std::uint64_t> TiedMannWhitneyCounts(
    std::size_t x_size, std::size_t y_size,
    std::span<const std::size_t> groups) {
  assert(IsCountable(x_size, y_size, kLargestTiedProduct));
  assert(std::accumulate(groups.begin(), groups.end(), std::size_t{0}) ==
         x_size + y_size);
  const auto [small, large] = std::minmax(x_size, y_size);
  TiedSplits splits(small, large);
  for (const std::size_t size : groups) splits.AddGroup(size);
  std::vector<std::uint64_t> counts = splits.Final();
  // The larger sample's U is what the smaller one's lacks.
  if (x_size > y_size) std::reverse(counts.begin(), counts.end());
  return counts;
}

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace autotune
