#ifndef AUTOTUNE_COMPARATOR_STATISTICS_TURN_BIAS_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_TURN_BIAS_H_

#include <optional>
#include <vector>

namespace autotune {

// How far refilling caches and predictors after each turn moves y
// (log-improvement, positive: contender better) in the run's own turns, and the
// standard error of that estimate. Positive: the turns favour the contender.
struct TurnBias {
  double bias = 0.0;
  double error = 0.0;
};

// The bias at turns of `turn` from rounds at two lengths. A side's loss goes as
// 1 / turn, so with B the bias at `turn`
//   y(turn) = truth + B,   y(check_turn) = truth + B * turn / check_turn,
//   B = (median y(check_turn) - median y(turn)) / (turn / check_turn - 1).
// Its error: medians of n rounds have 1.2533 sd / sqrt(n); sd is 1.4826 times
// the median distance to the own group's median, pooled (for the check rounds
// their own if that is more): a few rounds that another program spoiled hardly
// move a median. Seconds; `check_turn` must
// differ from `turn`. Nothing with fewer than 2 rounds in either group.
std::optional<TurnBias> EstimateTurnBias(
    const std::vector<double>& run_rounds, double turn_seconds,
    const std::vector<double>& check_rounds, double check_turn_seconds);

// The same bias at turns of another length.
TurnBias BiasAt(const TurnBias& bias, double turn_seconds,
                double other_turn_seconds);

// What the bias means for a decision whose estimate lies `slack` (> 0) from the
// value at which it would be wrong, the bias counted in the direction that
// endangers it.
enum class BiasStanding {
  kClear,   // even two errors more would not reach the slack
  kBiased,  // the bias proven beyond two errors takes half of the slack or more
  kUnsure,  // more rounds needed; without any, half of the slack decides
};
BiasStanding JudgeBias(double endangering_bias, double error, double slack);

// The last word when no more rounds can be had: kClear below half of the slack.
BiasStanding SettleUnsure(double endangering_bias, double slack);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_TURN_BIAS_H_
