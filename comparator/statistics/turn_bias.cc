#include "comparator/statistics/turn_bias.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

// sqrt(pi / 2): the error of a median of normal noise over that of a mean.
constexpr double kMedianOverMean = 1.2533141373155001;
// The least power of 1 / turn that the bias is trusted to fall with. Ours to
// choose: smaller covers stranger programs and costs more rounds (0.7: 1.6
// times those of an unchecked test, 0.5: 2.1 times).
constexpr double kLeastPower = 0.7;

// The distances to the group's median, without the one that is the median
// itself and says nothing.
std::vector<double> Deviations(const std::vector<double>& values,
                               double median) {
  std::vector<double> own;
  for (const double value : values) own.push_back(std::abs(value - median));
  std::sort(own.begin(), own.end());
  if (own.size() % 2 == 1) own.erase(own.begin());
  return own;
}

}  // namespace

std::optional<TurnBias> EstimateTurnBias(
    const std::vector<double>& run_rounds, double turn_seconds,
    const std::vector<double>& check_rounds, double check_turn_seconds) {
  if (run_rounds.size() < 2 || check_rounds.size() < 2) return std::nullopt;
  const double run = Median(run_rounds);
  const double check = Median(check_rounds);
  const auto run_count = static_cast<double>(run_rounds.size());
  const auto check_count = static_cast<double>(check_rounds.size());
  const std::vector<double> check_deviations = Deviations(check_rounds, check);
  std::vector<double> pooled = Deviations(run_rounds, run);
  pooled.insert(pooled.end(), check_deviations.begin(), check_deviations.end());
  const double noise = kNormalConsistency * Median(std::move(pooled));
  const double check_noise =
      std::max(noise, kNormalConsistency * Median(check_deviations));
  const double factor = turn_seconds / check_turn_seconds - 1.0;
  TurnBias estimate;
  estimate.bias = (check - run) / factor;
  estimate.error = kMedianOverMean *
                   std::sqrt(noise * noise / run_count +
                             check_noise * check_noise / check_count) /
                   std::abs(factor);
  return estimate;
}

double FreedOfBias(double y, double turn_seconds, double check_y,
                   double check_turn_seconds) {
  const double growth =
      std::pow(turn_seconds / check_turn_seconds, kLeastPower) - 1.0;
  return y - (check_y - y) / growth;
}

}  // namespace autotune
