#include "comparator/statistics/bisection.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace autotune {
namespace {

// Weights that differ by more are as good as proven to the choice, which must
// stay free to come back.
constexpr double kMostLogOdds = 3.0;

}  // namespace

Bisection::Bisection(std::size_t size, double error)
    : error_left_(error),
      last_(size),
      excluded_(size + 1, false),
      log_odds_(size + 1, 0.0) {
  assert(size >= 1 && error > 0.0 && error < 1.0);
}

void Bisection::Exclude(std::size_t commit) {
  assert(commit >= 1 && commit + 1 < excluded_.size());
  excluded_[commit] = true;
}

void Bisection::Know(std::size_t commit, bool is_bad) {
  Exclude(commit);
  // What contradicts what is known already tells nothing.
  if (is_bad && commit >= first_) last_ = std::min(last_, commit);
  if (!is_bad && commit < last_) first_ = std::max(first_, commit + 1);
}

void Bisection::Set(const Step& step, double log_e_bad, double log_e_good) {
  error_left_ -= step.error;
  Exclude(step.commit);
  const double limit = -std::log(step.error);
  const bool bad = log_e_bad >= limit;
  if (bad != (log_e_good >= limit)) return Know(step.commit, bad);
  log_odds_[step.commit] =
      std::clamp(log_e_bad - log_e_good, -kMostLogOdds, kMostLogOdds);
}

std::vector<std::size_t> Bisection::Plausible() const {
  std::vector<std::size_t> plausible;
  for (std::size_t k = first_; k <= last_; ++k) plausible.push_back(k);
  return plausible;
}

std::optional<Bisection::Step> Bisection::Next() const {
  const std::size_t count = last_ - first_ + 1;
  std::vector<double> weights(count, 1.0);  // of first_, first_ + 1, ...
  double total = 0.0;
  double log_weight = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    // Where the change came later, one commit more is good.
    if (i > 0) log_weight -= log_odds_[first_ + i - 1];
    weights[i] = std::exp(log_weight);
    total += weights[i];
  }
  std::optional<Step> best;
  double best_distance = 1.0;
  double below = 0.0;  // weight of the first bad one being m or before
  for (std::size_t m = first_; m < last_; ++m) {
    below += weights[m - first_];
    const double distance = std::abs(below / total - 0.5);
    if (excluded_[m] || (best.has_value() && distance >= best_distance)) {
      continue;
    }
    best = Step{m, error_left_ /
                       (static_cast<double>(std::bit_width(count - 1)) + 1.0)};
    best_distance = distance;
  }
  return best;
}

}  // namespace autotune
