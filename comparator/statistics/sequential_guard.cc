#include "comparator/statistics/sequential_guard.h"

#include <cassert>
#include <cmath>
#include <optional>

#include "comparator/statistics/betting.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/hodges_lehmann.h"

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
      unharmed_(1.0, options.log_margin, options.log_margin),
      harmed_(-1.0, -options.log_margin, options.log_margin) {}

void SequentialGuard::Add(double log_ratio, double spread) {
  if (settled()) return;
  const double scale = NextScale(history_, options_.log_margin, spread);
  unharmed_.Add(history_, scale, log_ratio);
  harmed_.Add(history_, scale, log_ratio);
  scales_.push_back(scale);
  history_.Add(log_ratio, spread);
}

bool SequentialGuard::proven_unharmed() const {
  return log_e_unharmed() >= -std::log(options_.alpha);
}

bool SequentialGuard::proven_harmed() const {
  return log_e_harmed() >= -std::log(options_.beta);
}

double SequentialGuard::centre() const {
  assert(rounds() > 0);
  return PseudoMedianOfSorted(history_.sorted());
}

Interval SequentialGuard::log_improvement() const {
  Interval interval;
  interval.confidence_level = 1.0 - options_.alpha - options_.beta;
  const std::optional<double> negated_lower = unharmed_.SmallestOffsetReaching(
      -std::log(options_.alpha), history_, scales_);
  if (negated_lower) interval.lower = -*negated_lower;
  interval.upper = harmed_.SmallestOffsetReaching(-std::log(options_.beta),
                                                  history_, scales_);
  return interval;
}

}  // namespace autotune
