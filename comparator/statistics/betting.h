#ifndef AUTOTUNE_COMPARATOR_STATISTICS_BETTING_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_BETTING_H_

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace autotune {

// The parts that the sequential tests are made of: the log-ratios seen so far,
// the scale they suggest for the next one, and one wealth process. Everything
// here that a bet depends on comes from *earlier* rounds; see
// sequential_test.h for why that is all the validity needs.

// Log-ratios of the rounds so far, finite, in order and sorted, and what is
// known of their own noise.
class RoundHistory {
 public:
  // `spread` >= 0 is the error of `log_ratio` as far as the round's own visits
  // show it: sqrt(var_b / n_b + var_c / n_c), the variances of the logarithms
  // of each visit's repetitions. 0 when nothing is known of it. O(n).
  void Add(double log_ratio, double spread = 0.0);

  std::span<const double> values() const { return values_; }
  std::span<const double> sorted() const { return sorted_; }
  std::size_t size() const { return values_.size(); }

  // Median distance from the median, not rescaled. At least one round. O(n).
  double MedianDeviation() const;

  // Median of the spreads known so far and of `spread` (> 0). O(1).
  double TypicalSpread(double spread) const;

 private:
  std::vector<double> values_;
  std::vector<double> sorted_;
  std::vector<double> sorted_spreads_;  // those above 0
};

// Scale s > 0 of the score tanh(y / s) for the next round: 1.7 times the
// robust noise estimate of `past`, blended with `margin` (> 0, the effect that
// is looked for) as if one round had shown it, and never below 0.34 margins.
//
// With the next round's own `spread` (see RoundHistory::Add) it is blended with
// what the spreads promise instead, as if two rounds had shown 1.1 times their
// median, and a quarter of one the margin; and it is multiplied by the spread
// over that median, at least by 0.6: a round whose visits were restless counts
// less. Exchanging the sides of a round leaves its spread as it is, so the bet
// stays fair although its scale depends on the round.
double NextScale(const RoundHistory& past, double margin, double spread = 0.0);

// Wealth of a gambler who starts with 1 and before each round stakes a fraction
// of it on  z = offset + sign * y  being positive: it is multiplied by
// 1 + bet * tanh(z / scale). Where z is symmetric about 0 or below, the wealth
// is a nonnegative supermartingale: an e-process.
class BettingProduct {
 public:
  // `sign` is +1 or -1; `margin` > 0 is the effect that guides the bets while
  // there are few rounds.
  BettingProduct(double sign, double offset, double margin);

  // Plays one round: `past` are the rounds before it, `scale` its NextScale.
  void Add(const RoundHistory& past, double scale, double log_ratio);

  // Natural logarithm of the wealth; 0 before the first round.
  double log_wealth() const { return log_wealth_; }

  double offset() const { return offset_; }

  // What log_wealth() would be with the very same bets and scales but another
  // offset. `history` are the rounds played.
  double LogWealthAt(double offset, const RoundHistory& history,
                     std::span<const double> scales) const;

 private:
  double NextBet(const RoundHistory& past, double scale) const;

  double sign_;
  double offset_;
  double margin_;
  double log_wealth_ = 0.0;
  std::vector<double> bets_;
};

// Several hypotheses bet against on the same rounds, of one machine or of
// replicas: machines so equal that a change has one effect on all. Each replica
// plays on its own rounds and scales, and the wealths of a game are multiplied
// over the replicas. Their coins are independent, so the product is an
// e-process of the same hypothesis, at whatever round each of them stops.
class BettingGames {
 public:
  struct Game {
    double sign = 1.0;  // as in BettingProduct
    double offset = 0.0;
  };
  BettingGames(std::vector<Game> games, double margin)
      : games_(std::move(games)), margin_(margin) {}

  // Plays one round of all games: `log_ratio` must be finite, `spread` is as in
  // RoundHistory. O(rounds).
  void Add(double log_ratio, double spread, std::size_t replica);

  // Of the game with this index: the natural logarithm of its wealth.
  double log_wealth(std::size_t game) const;

  // Smallest offset at which the very same bets and scales would have brought
  // log_wealth(game) to `log_limit` (> 0): at most the game's own offset
  // exactly when log_wealth(game) >= log_limit. Nothing when no offset does.
  // Within 1e-14 (relative beyond 1). O(n) a step, about ten steps.
  std::optional<double> SmallestOffsetReaching(std::size_t game,
                                               double log_limit) const;

  std::size_t rounds() const;  // of all replicas

  // Hodges-Lehmann centre of the log-ratios of all replicas. At least one round
  // is required.
  double centre() const;

 private:
  struct Replica {
    RoundHistory history;
    std::vector<double> scales;
    std::vector<BettingProduct> products;  // one a game
  };

  std::vector<Game> games_;
  double margin_;
  std::vector<Replica> replicas_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_BETTING_H_
