#include "comparator/statistics/test_length.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace autotune {
namespace {

// Rounds of the sequential test at alpha 0.05: at least, and per squared ratio
// of noise to effect.
constexpr double kLeastRounds = 5.3;
constexpr double kRoundsPerSquare = 5.3;

double LevelFactor(double alpha) {
  return std::log(1.0 / alpha) / std::log(20.0);
}

}  // namespace

std::int64_t FewestRounds(double alpha) {
  return static_cast<std::int64_t>(std::ceil(-std::log2(alpha)));
}

std::optional<double> SmallestEffect(double rounds, double noise,
                                     double alpha) {
  const double spare = rounds / LevelFactor(alpha) - kLeastRounds;
  if (spare <= 0.0) return std::nullopt;
  return noise * std::sqrt(kRoundsPerSquare / spare);
}

}  // namespace autotune
