#include "comparator/statistics/sequential_guard.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>

#include "comparator/statistics/betting.h"
#include "comparator/statistics/estimate.h"

namespace autotune {
namespace {

[[maybe_unused]] bool IsProbability(double value) {
  return value > 0.0 && value < 1.0;
}

const GuardOptions& Checked(const GuardOptions& options) {
  assert(std::isfinite(options.log_margin) && options.log_margin > 0.0);
  assert(IsProbability(options.alpha) && IsProbability(options.beta));
  return options;
}

}  // namespace

SequentialGuard::SequentialGuard(const GuardOptions& options)
    : options_(Checked(options)),
      games_({{1.0, options.log_margin}, {-1.0, -options.log_margin}},
             options.log_margin) {}

void SequentialGuard::Add(double log_ratio, double spread,
                          std::size_t replica) {
  if (!settled()) games_.Add(log_ratio, spread, replica);
}

bool SequentialGuard::proven_unharmed() const {
  return log_e_unharmed() >= -std::log(options_.alpha);
}

bool SequentialGuard::proven_harmed() const {
  return log_e_harmed() >= -std::log(options_.beta);
}

double SequentialGuard::centre() const {
  assert(rounds() > 0);
  return games_.centre();
}

Interval SequentialGuard::log_improvement() const {
  Interval interval;
  interval.confidence_level = 1.0 - options_.alpha - options_.beta;
  const std::optional<double> negated_lower =
      games_.SmallestOffsetReaching(kUnharmed, -std::log(options_.alpha));
  if (negated_lower) interval.lower = -*negated_lower;
  interval.upper =
      games_.SmallestOffsetReaching(kHarmed, -std::log(options_.beta));
  return interval;
}

}  // namespace autotune
