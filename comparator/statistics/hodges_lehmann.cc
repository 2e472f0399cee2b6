#include "comparator/statistics/hodges_lehmann.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/rank_distribution.h"
#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// Integers in the order of the doubles they stand for.
std::uint64_t KeyOf(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

double ValueOf(std::uint64_t key) {
  return std::bit_cast<double>((key & kSignBit) != 0 ? key & ~kSignBit : ~key);
}

// The smallest double v in [low, high] with count(v) >= k, where count(v) is
// the number of pair values <= v. It is one of them, and no list of them is
// needed: at most 64 calls of count.
template <typename Count>
double SelectSmallest(std::size_t k, double low, double high,
                      const Count& count) {
  std::uint64_t low_key = KeyOf(low);
  std::uint64_t high_key = KeyOf(high);
  while (low_key < high_key) {
    const std::uint64_t middle = low_key + (high_key - low_key) / 2;
    if (count(ValueOf(middle)) >= k) {
      high_key = middle;
    } else {
      low_key = middle + 1;
    }
  }
  return ValueOf(low_key) + 0.0;  // never -0
}

// Number of differences x_i - y_j <= v. O(n_x + n_y).
std::size_t CountDifferences(std::span<const double> x,
                             std::span<const double> y, double v) {
  std::size_t count = 0;
  std::size_t first = 0;  // of the y whose difference from x_i is <= v
  for (const double value : x) {
    while (first < y.size() && value - y[first] > v) ++first;
    if (first == y.size()) break;
    count += y.size() - first;
  }
  return count;
}

double Midpoint(double a, double b) { return a / 2.0 + b / 2.0; }

// Number of means (a_i + a_j) / 2, i <= j, that are <= v. O(n).
std::size_t CountMeans(std::span<const double> a, double v) {
  std::size_t count = 0;
  std::size_t end = a.size();  // of the a_j whose mean with a_i is <= v
  for (std::size_t i = 0; i < a.size(); ++i) {
    while (end > i && Midpoint(a[i], a[end - 1]) > v) --end;
    if (end <= i) break;
    count += end - i;
  }
  return count;
}

double SelectDifference(std::span<const double> x, std::span<const double> y,
                        std::size_t k) {
  return SelectSmallest(k, x.front() - y.back(), x.back() - y.front(),
                        [&](double v) { return CountDifferences(x, y, v); });
}

double SelectMean(std::span<const double> a, std::size_t k) {
  return SelectSmallest(k, a.front(), a.back(),
                        [&](double v) { return CountMeans(a, v); });
}

std::size_t MeanCount(std::size_t n) { return n * (n + 1) / 2; }

// The median of `total` values of which select(k) is the k-th smallest.
template <typename Select>
double MedianBySelection(std::size_t total, const Select& select) {
  const double upper = select(total / 2 + 1);
  return total % 2 == 1 ? upper : Midpoint(select(total / 2), upper);
}

// How many of the pair values may be cut off at one end: the largest count with
// P(statistic <= count - 1) <= error.
struct Cut {
  std::size_t count;
  double error;  // that probability; that of cutting one off when count is 0
};

template <typename Cdf>
Cut LargestCut(std::size_t total, double error, const Cdf& cdf) {
  assert(error > 0.0 && error < 1.0);
  // 3 against 3 reaches 5 % exactly; rounding must not lose it.
  const double allowed = error * (1.0 + 1e-12);
  std::size_t low = 0;  // allowed
  std::size_t high = total;
  while (low < high) {
    const std::size_t middle = high - (high - low) / 2;
    if (cdf(middle - 1) <= allowed) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return {low, cdf(low == 0 ? 0 : low - 1)};
}

// P(U <= k) with continuity correction.
double NormalTail(std::size_t k, double mean, double variance) {
  return NormalCdf((static_cast<double>(k) + 0.5 - mean) / std::sqrt(variance));
}

Cut DifferenceCut(std::size_t x_size, std::size_t y_size,
                  const std::vector<double>* cdf, double error) {
  const std::size_t total = x_size * y_size;
  if (cdf != nullptr) {
    return LargestCut(total, error, [&](std::size_t k) { return (*cdf)[k]; });
  }
  const double pairs = static_cast<double>(total);
  const double variance =
      pairs * (static_cast<double>(x_size + y_size) + 1.0) / 12.0;
  return LargestCut(total, error, [&](std::size_t k) {
    return NormalTail(k, pairs / 2.0, variance);
  });
}

ConfidenceBound BoundAt(const Cut& cut, double value) {
  ConfidenceBound bound;
  bound.confidence_level = 1.0 - cut.error;
  if (cut.count > 0) bound.value = value;
  return bound;
}

// The distribution of U for countable sizes; null for larger ones.
std::shared_ptr<const std::vector<double>> CountedCdf(std::size_t x_size,
                                                      std::size_t y_size) {
  if (!IsCountable(x_size, y_size)) return nullptr;
  return std::make_shared<const std::vector<double>>(
      MannWhitneyCdf(x_size, y_size));
}

}  // namespace

TwoSampleShift::TwoSampleShift(const Sample& x, const Sample& y)
    : TwoSampleShift(x, y, CountedCdf(x.size(), y.size())) {}

TwoSampleShift::TwoSampleShift(const Sample& x, const Sample& y,
                               std::shared_ptr<const std::vector<double>> cdf)
    : x_(x.sorted()), y_(y.sorted()), cdf_(std::move(cdf)) {
  if (cdf_ == nullptr) return;
  assert(cdf_->size() == x_.size() * y_.size() + 1);
  differences_.reserve(x_.size() * y_.size());
  for (const double value : x_) {
    for (const double other : y_) differences_.push_back(value - other);
  }
  std::sort(differences_.begin(), differences_.end());
}

double TwoSampleShift::Difference(std::size_t k) const {
  return differences_.empty() ? SelectDifference(x_, y_, k)
                              : differences_[k - 1];
}

double TwoSampleShift::estimate() const {
  return MedianBySelection(x_.size() * y_.size(),
                           [this](std::size_t k) { return Difference(k); });
}

ConfidenceBound TwoSampleShift::LowerBound(double error) const {
  const Cut cut = DifferenceCut(x_.size(), y_.size(), cdf_.get(), error);
  return BoundAt(cut, Difference(std::max<std::size_t>(cut.count, 1)));
}

ConfidenceBound TwoSampleShift::UpperBound(double error) const {
  const Cut cut = DifferenceCut(x_.size(), y_.size(), cdf_.get(), error);
  const std::size_t total = x_.size() * y_.size();
  return BoundAt(cut,
                 Difference(total + 1 - std::max<std::size_t>(cut.count, 1)));
}

double PseudoMedianOfSorted(std::span<const double> sorted) {
  assert(!sorted.empty());
  return MedianBySelection(MeanCount(sorted.size()), [&](std::size_t k) {
    return SelectMean(sorted, k);
  });
}

}  // namespace autotune
