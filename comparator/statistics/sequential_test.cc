#include "comparator/statistics/sequential_test.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>

#include "comparator/statistics/betting.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/metric.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

[[maybe_unused]] bool IsProbability(double value) {
  return value > 0.0 && value < 1.0;
}

const SequentialOptions& Checked(const SequentialOptions& options) {
  assert(std::isfinite(options.min_log_improvement) &&
         options.min_log_improvement > 0.0);
  assert(std::isfinite(options.floor) && options.floor >= 0.0);
  assert(IsProbability(options.alpha) && IsProbability(options.beta));
  return options;
}

}  // namespace

SequentialTest::SequentialTest(const SequentialOptions& options)
    : options_(Checked(options)),
      games_({{1.0, -options.floor},
              {-1.0, options.floor + options.min_log_improvement},
              {-1.0, 0.0}},
             options.min_log_improvement) {}

void SequentialTest::Add(double log_ratio, double spread, std::size_t replica) {
  if (options_.stop_when_decided && decision_ != Decision::kInconclusive) {
    return;
  }
  games_.Add(log_ratio, spread, replica);
  decision_ = CurrentDecision();
}

Decision SequentialTest::CurrentDecision() const {
  if (log_e_keep() >= log_keep_limit()) return Decision::kKeep;
  if (log_e_discard() >= log_discard_limit()) return Decision::kDiscard;
  return Decision::kInconclusive;
}

bool SequentialTest::proven_worse() const {
  return log_e_worse() >= log_keep_limit();
}

double SequentialTest::log_keep_limit() const {
  return -std::log(options_.alpha);
}

double SequentialTest::log_discard_limit() const {
  return -std::log(options_.beta);
}

double SequentialTest::centre() const {
  assert(rounds() > 0);
  return games_.centre();
}

Interval SequentialTest::log_improvement() const {
  Interval interval;
  interval.confidence_level = 1.0 - options_.alpha - options_.beta;
  const std::optional<double> negated_lower =
      games_.SmallestOffsetReaching(kKeep, log_keep_limit());
  if (negated_lower) interval.lower = -*negated_lower;
  interval.upper = games_.SmallestOffsetReaching(kDiscard, log_discard_limit());
  return interval;
}

RatioEstimate SequentialTest::estimate() const {
  return RatioFromLogImprovement(centre(), log_improvement(),
                                 Direction::kLowerIsBetter);
}

Verdict SequentialTest::verdict() const {
  if (log_e_keep() >= log_keep_limit()) return Verdict::kImproved;
  if (proven_worse()) return Verdict::kRegressed;
  if (log_e_discard() < log_discard_limit()) return Verdict::kInconclusive;
  const Interval y = log_improvement();
  const double margin = options_.min_log_improvement;
  const bool equivalent =
      y.lower && *y.lower > -margin && y.upper && *y.upper < margin;
  return equivalent ? Verdict::kEquivalent : Verdict::kNoGain;
}

}  // namespace autotune
