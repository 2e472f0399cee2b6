#include "comparator/statistics/multiple_testing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace autotune {
namespace {

// Indices of `values` from the smallest to the largest, equal ones in order.
std::vector<std::size_t> AscendingOrder(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

double AtMostOne(double value) { return std::min(value, 1.0); }

// ln(e^a + e^b) without overflow; either may be -infinity.
double LogSum(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

}  // namespace

std::vector<double> AdjustHolm(std::span<const double> p_values) {
  const std::vector<std::size_t> order = AscendingOrder(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double factor = static_cast<double>(order.size() - i);
    largest = std::max(largest, AtMostOne(factor * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::vector<double> AdjustBenjaminiHochberg(std::span<const double> p_values) {
  const std::vector<std::size_t> order = AscendingOrder(p_values);
  const double n = static_cast<double>(order.size());
  std::vector<double> adjusted(p_values.size());
  double smallest = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t index = order[rank - 1];
    smallest =
        std::min(smallest, n / static_cast<double>(rank) * p_values[index]);
    adjusted[index] = smallest;
  }
  return adjusted;
}

// Hypothesis k is rejected when every average of its e-value with others'
// reaches 1 / alpha; the worst companions are the smallest e-values. Adding one
// more of them lowers the average exactly while it is below the average so far,
// so the walk may stop at the first that is not.
std::vector<double> AdjustLogEValues(std::span<const double> log_e_values) {
  const std::vector<std::size_t> order = AscendingOrder(log_e_values);
  std::vector<double> adjusted(log_e_values.size());
  // ln of the sum of the i smallest e-values.
  std::vector<double> log_sums = {-std::numeric_limits<double>::infinity()};
  for (const std::size_t index : order) {
    assert(!std::isnan(log_e_values[index]));
    log_sums.push_back(LogSum(log_sums.back(), log_e_values[index]));
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double own = log_e_values[order[k]];
    double smallest = own;
    for (std::size_t i = 1; i <= k; ++i) {
      const double average =
          LogSum(own, log_sums[i]) - std::log(static_cast<double>(i + 1));
      if (average > smallest) break;
      smallest = average;
    }
    adjusted[order[k]] = smallest;
  }
  return adjusted;
}

}  // namespace autotune
