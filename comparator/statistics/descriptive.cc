#include "comparator/statistics/descriptive.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "comparator/statistics/sample.h"

namespace autotune {
namespace {

// Exponent e such that every value times 2^-e lies in (-1, 1): sums of such
// numbers cannot overflow, and scaling by powers of two is exact.
int CommonExponent(const Sample& sample) {
  int exponent = 0;
  std::frexp(std::max(std::abs(sample.sorted().front()),
                      std::abs(sample.sorted().back())),
             &exponent);
  return exponent;
}

double MeanAtExponent(const Sample& sample, int exponent) {
  double sum = 0.0;
  for (const double value : sample.values()) {
    sum += std::ldexp(value, -exponent);
  }
  return sum / static_cast<double>(sample.size());
}

}  // namespace

double MedianOfSorted(std::span<const double> sorted) {
  assert(!sorted.empty());
  const std::size_t upper = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[upper];
  return sorted[upper - 1] / 2.0 + sorted[upper] / 2.0;
}

double Median(const Sample& sample) { return MedianOfSorted(sample.sorted()); }

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return MedianOfSorted(values);
}

std::optional<double> StandardDeviation(const Sample& sample) {
  if (sample.size() < 2) return std::nullopt;
  const int exponent = CommonExponent(sample);
  const double mean = MeanAtExponent(sample, exponent);
  double sum = 0.0;
  for (const double value : sample.values()) {
    const double deviation = std::ldexp(value, -exponent) - mean;
    sum += deviation * deviation;
  }
  const double degrees = static_cast<double>(sample.size() - 1);
  return std::ldexp(std::sqrt(sum / degrees), exponent);
}

}  // namespace autotune
