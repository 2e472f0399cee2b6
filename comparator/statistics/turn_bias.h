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

// The bias at turns of `turn` from rounds at two lengths: the likeliest figure,
// for readers. A side's loss goes as 1 / turn, so with B the bias at `turn`
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

// `y` of one round freed of the largest bias that `check_y`, a round in turns
// of another length, allows:
//   y - (check_y - y) / ((turn / check_turn)^0.7 - 1).
// Assumed is that the bias keeps its sign and falls at least as turn^-0.7: a
// loss at each switch goes as 1 / turn, one that a longer turn makes larger
// less steeply. With a bias of either sign the truth then lies, in the mean,
// between y and this figure or beyond it, away from the bias: a decision that
// both prove needs no estimate of the bias. In shorter turns by a tenth the
// spread is 1.27 times that of y (for rounds of equal noise).
double FreedOfBias(double y, double turn_seconds, double check_y,
                   double check_turn_seconds);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_TURN_BIAS_H_
