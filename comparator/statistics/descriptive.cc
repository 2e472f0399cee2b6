#include "comparator/statistics/descriptive.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comparator/statistics/estimate.h"
#include "comparator/statistics/proportion.h"
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

double Mean(const Sample& sample) {
  const int exponent = CommonExponent(sample);
  return std::ldexp(MeanAtExponent(sample, exponent), exponent);
}

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

std::optional<double> CoefficientOfVariation(const Sample& sample) {
  const std::optional<double> deviation = StandardDeviation(sample);
  const double mean = Mean(sample);
  if (!deviation || !(mean > 0.0)) return std::nullopt;
  return *deviation / mean;
}

double MedianAbsoluteDeviation(const Sample& sample) {
  const double median = Median(sample);
  std::vector<double> distances;
  distances.reserve(sample.size());
  for (const double value : sample.values()) {
    distances.push_back(std::abs(value - median));
  }
  return kNormalConsistency * Median(std::move(distances));
}

Interval MedianInterval(const Sample& sample, double confidence_level) {
  assert(confidence_level > 0.0 && confidence_level < 1.0);
  const std::size_t n = sample.size();
  const double needed = confidence_level - 1e-12;  // rounding loses no level
  // Between the (k+1)-th smallest and the (k+1)-th largest value lies the
  // median, unless at most k values are on one side of it.
  const auto level = [n](std::size_t k) {
    return 1.0 - 2.0 * FairBinomialCdf(k, n);
  };
  if (n < 2 || level(0) < needed) {
    return {std::nullopt, std::nullopt, std::max(0.0, level(0))};
  }
  std::size_t k = 0;
  std::size_t too_many = n / 2;  // level 0 or below
  while (k + 1 < too_many) {
    const std::size_t middle = k + (too_many - k) / 2;
    (level(middle) >= needed ? k : too_many) = middle;
  }
  return {.lower = sample.sorted()[k],
          .upper = sample.sorted()[n - 1 - k],
          .confidence_level = level(k)};
}

}  // namespace autotune
