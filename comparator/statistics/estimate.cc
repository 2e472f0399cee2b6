#include "comparator/statistics/estimate.h"

#include <cassert>
#include <cmath>
#include <optional>

#include "comparator/statistics/metric.h"

namespace autotune {
namespace {

// e^x kept inside (0, infinity), so that hostile inputs cannot make a ratio
// that has no text.
double FiniteExp(double x) {
  constexpr double kLargest = 709.0;
  return std::exp(std::fmin(std::fmax(x, -kLargest), kLargest));
}

// ln(larger / smaller) >= 0, where the quotient itself may overflow.
double LogQuotient(double larger, double smaller) {
  const double quotient = larger / smaller;
  return std::isfinite(quotient) ? std::log(quotient)
                                 : std::log(larger) - std::log(smaller);
}

std::optional<double> ScaledExp(double sign, const std::optional<double>& end) {
  if (!end) return std::nullopt;
  return FiniteExp(sign * *end);
}

}  // namespace

double LogImprovement(double baseline, double contender, Direction direction) {
  assert(baseline > 0.0 && contender > 0.0);
  const double gain = baseline >= contender ? LogQuotient(baseline, contender)
                                            : -LogQuotient(contender, baseline);
  return direction == Direction::kLowerIsBetter ? gain : -gain;
}

RatioEstimate RatioFromLogImprovement(double log_improvement,
                                      const Interval& interval,
                                      Direction direction) {
  RatioEstimate estimate;
  estimate.interval.confidence_level = interval.confidence_level;
  if (direction == Direction::kHigherIsBetter) {
    estimate.ratio = FiniteExp(log_improvement);
    estimate.interval.lower = ScaledExp(1.0, interval.lower);
    estimate.interval.upper = ScaledExp(1.0, interval.upper);
  } else {
    estimate.ratio = FiniteExp(-log_improvement);
    estimate.interval.lower = ScaledExp(-1.0, interval.upper);
    estimate.interval.upper = ScaledExp(-1.0, interval.lower);
  }
  return estimate;
}

}  // namespace autotune
