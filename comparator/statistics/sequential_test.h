#ifndef AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_TEST_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_TEST_H_

#include <cstddef>

#include "comparator/statistics/betting.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/verdict.h"

namespace autotune {

// What a sequential test is asked to prove.
struct SequentialOptions {
  double min_log_improvement = 0.01005033585350145;  // m = -ln(1 - 1 %) > 0
  double floor = 0.0;                                // f >= 0: keep must beat f
  double alpha = 0.05;                               // false keep, in (0, 1)
  double beta = 0.10;                                // false discard, in (0, 1)
  // False: all rounds are used, however early the limits are reached, and the
  // decision is the one after the last round (a fixed number of rounds).
  bool stop_when_decided = true;
};

// The keep/discard test by betting on the log-ratios of rounds. It may be asked
// after every round; both its errors hold at whatever round one stops.
//
// Why it is valid. A round runs both builds once. Which of them gets which
// file, folder, place in the order and padding is drawn by a fair coin that
// nothing else depends on. Suppose that the change does nothing, so that the
// two builds behave alike in the same position. Then the other outcome of the
// coin would have given the same two numbers with the labels exchanged: given
// everything else, whatever the machine was doing, y and -y were equally
// likely. Drift, bursts, heavy tails and dependence between rounds shape what
// the pair is, never which of its two members is called the contender.
//
// Play a game on it: choose a scale s and a stake c in [0, 1) from earlier
// rounds and from what exchanging the labels does not change of this one (how
// restless its two visits were), and multiply the wealth, 1 at the start, by
// 1 + c tanh(y / s). tanh is odd, so the factors for y and -y add up to 2:
// the expected factor, given the past, is 1. It is positive because |tanh| < 1
// and c < 1. If the contender is worse by a constant factor, y is moved down
// and, tanh being increasing, the expected factor is at most 1. Hence the
// wealth is a nonnegative supermartingale, and by Ville's inequality the
// probability that it *ever* reaches 1 / alpha is at most alpha. No
// distribution, independence, variance or number of rounds enters; a poor
// choice of s and c costs rounds, not validity.
//
// Three such games run on the same scale, each against its own hypothesis:
//   E_keep     z = y - f       "no improvement beyond the floor f"
//   E_discard  z = f + m - y   "improves by the floor and min_effect or more"
//   E_worse    z = -y          "not worse"
// E_keep reaching 1 / alpha is a keep; E_discard reaching 1 / beta a discard;
// E_worse reaching 1 / alpha lets a discard say "regressed". For "does nothing"
// the argument needs the coin alone; for f, m and the interval it takes the
// effect to be a constant factor. What is estimated is the centre of y, a
// typical visit, not the mean time. As stakes stay below 1, at least
// log2(1 / alpha) rounds are needed: 5 at 5 %.
//
// Sources: Ville (1939), Etude critique de la notion de collectif; de la Pena
// (1999), Ann. Probab. 27(1), 537-564 (symmetry); Waudby-Smith & Ramdas (2024),
// J. R. Stat. Soc. B 86(1), 1-27 (betting); Ramdas et al. (2023), Stat. Sci.
// 38(4), 576-601 (e-processes).
class SequentialTest {
 public:
  // Options out of the ranges above are our bug (asserted): check what users
  // write before.
  explicit SequentialTest(const SequentialOptions& options);

  // Adds y = ln(baseline / contender) of one round for a lower-is-better metric
  // (the inverse for higher-is-better): positive means the contender is better.
  // Must be finite; `spread` is as in RoundHistory. Once decided, further
  // rounds are not looked at (unless stop_when_decided is false). Rounds of
  // equal machines come each with the number of its own, see BettingGames.
  // O(rounds).
  void Add(double log_ratio, double spread = 0.0, std::size_t replica = 0);

  Decision decision() const { return decision_; }
  bool proven_worse() const;  // E_worse reached 1 / alpha: "regressed"

  // Natural logarithms of the three e-values; 0 before the first round.
  double log_e_keep() const { return games_.log_wealth(kKeep); }
  double log_e_discard() const { return games_.log_wealth(kDiscard); }
  double log_e_worse() const { return games_.log_wealth(kWorse); }

  // ln(1 / alpha) and ln(1 / beta): what the e-values must reach.
  double log_keep_limit() const;
  double log_discard_limit() const;

  // Rounds used; those after the decision do not count.
  std::size_t rounds() const { return games_.rounds(); }

  // Point estimate of y: the median of all means of two rounds (Hodges-Lehmann
  // pseudo-median). Among keeps it flatters, as stopping favours luck. At least
  // one round is required.
  double centre() const;

  // Interval for the centre of y (positive better), level 1 - alpha - beta at
  // any stopping time. Lower end: the largest floor that E_keep's own bets and
  // scales would have beaten at 1 / alpha; upper end likewise from E_discard at
  // 1 / beta. So lower >= f exactly when E_keep is over its limit, and upper <=
  // f + m exactly when E_discard is. An end not yet bounded is absent.
  Interval log_improvement() const;

  // The same as a ratio contender / baseline of a lower-is-better metric. At
  // least one round is required.
  RatioEstimate estimate() const;

  // improved (E_keep), regressed (E_worse), equivalent (-m < lower, upper < m),
  // no_gain (E_discard) or inconclusive, in this order.
  Verdict verdict() const;

 private:
  enum Game : std::size_t { kKeep, kDiscard, kWorse };

  Decision CurrentDecision() const;

  SequentialOptions options_;
  BettingGames games_;
  Decision decision_ = Decision::kInconclusive;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_TEST_H_
