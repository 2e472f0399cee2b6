#include "comparator/turn_bias.h"

#include <cmath>
#include <optional>
#include <vector>

#include "comparator/descriptive.h"

namespace autotune {
namespace {

// sqrt(pi / 2): the error of a median of normal noise over that of a mean.
constexpr double kMedianOverMean = 1.2533141373155001;
constexpr double kErrors = 2.0;
constexpr double kLargeShare = 0.5;

double SumOfSquares(const std::vector<double>& values, double centre) {
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
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
  const double variance =
      (SumOfSquares(run_rounds, run) + SumOfSquares(check_rounds, check)) /
      (run_count + check_count - 2.0);
  const double factor = turn_seconds / check_turn_seconds - 1.0;
  TurnBias estimate;
  estimate.bias = (check - run) / factor;
  estimate.error = kMedianOverMean *
                   std::sqrt(variance * (1.0 / run_count + 1.0 / check_count)) /
                   std::abs(factor);
  return estimate;
}

TurnBias BiasAt(const TurnBias& bias, double turn_seconds,
                double other_turn_seconds) {
  const double scale = turn_seconds / other_turn_seconds;
  return {bias.bias * scale, bias.error * scale};
}

BiasStanding JudgeBias(double endangering_bias, double error, double slack) {
  if (endangering_bias + kErrors * error < slack) return BiasStanding::kClear;
  if (endangering_bias >= kErrors * error &&
      endangering_bias >= kLargeShare * slack) {
    return BiasStanding::kBiased;
  }
  return BiasStanding::kUnsure;
}

BiasStanding SettleUnsure(double endangering_bias, double slack) {
  return endangering_bias < kLargeShare * slack ? BiasStanding::kClear
                                                : BiasStanding::kUnsure;
}

}  // namespace autotune
