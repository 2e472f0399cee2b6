#include "comparator/statistics/heterogeneity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "boost/math/special_functions/gamma.hpp"
#include "comparator/statistics/betting.h"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/hodges_lehmann.h"

namespace autotune {
namespace {

constexpr double kSmallestError = 1e-6;

struct Effect {
  double centre = 0.0;
  double weight = 0.0;  // 1 / error^2
};

Effect EffectOf(EffectRounds rounds) {
  RoundHistory history;
  for (const double y : rounds) history.Add(y);
  const double error = std::max(
      kSmallestError, kNormalConsistency * history.MedianDeviation() /
                          std::sqrt(static_cast<double>(rounds.size())));
  return {PseudoMedianOfSorted(history.sorted()), 1.0 / (error * error)};
}

}  // namespace

std::optional<Heterogeneity> MeasureHeterogeneity(
    std::span<const EffectRounds> machines) {
  std::vector<Effect> effects;
  for (const EffectRounds rounds : machines) {
    if (rounds.size() >= 2) effects.push_back(EffectOf(rounds));
  }
  if (effects.size() < 2) return std::nullopt;
  double weights = 0.0;
  double mean = 0.0;
  for (const Effect& effect : effects) {
    weights += effect.weight;
    mean += effect.weight * effect.centre;
  }
  mean /= weights;
  Heterogeneity found;
  for (const Effect& effect : effects) {
    const double distance = effect.centre - mean;
    found.q += effect.weight * distance * distance;
  }
  const double df = static_cast<double>(effects.size() - 1);
  if (found.q > df) found.i_squared = (found.q - df) / found.q;
  found.p_value = boost::math::gamma_q(0.5 * df, 0.5 * found.q);
  return found;
}

}  // namespace autotune
