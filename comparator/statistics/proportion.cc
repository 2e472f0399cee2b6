#include "comparator/statistics/proportion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "boost/math/distributions/binomial.hpp"

namespace autotune {

Interval WilsonInterval(std::int64_t successes, std::int64_t trials) {
  assert(trials > 0 && successes >= 0 && successes <= trials);
  constexpr double kZ = 1.959963984540054;  // normal quantile at 0.975
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double squared = kZ * kZ / n;
  const double centre = (share + squared / 2.0) / (1.0 + squared);
  const double half = kZ / (1.0 + squared) *
                      std::sqrt((share * (1.0 - share) + squared / 4.0) / n);
  Interval interval;
  // At the edges the ends are exact but for rounding.
  interval.lower = successes == 0 ? 0.0 : std::max(0.0, centre - half);
  interval.upper = successes == trials ? 1.0 : std::min(1.0, centre + half);
  interval.confidence_level = 0.95;
  return interval;
}

double FairBinomialCdf(std::size_t heads, std::size_t tosses) {
  return boost::math::cdf(boost::math::binomial_distribution<double>(
                              static_cast<double>(tosses), 0.5),
                          static_cast<double>(heads));
}

}  // namespace autotune
