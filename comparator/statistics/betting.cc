#include "comparator/statistics/betting.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "boost/math/tools/toms748_solve.hpp"
#include "comparator/statistics/descriptive.h"
#include "comparator/statistics/hodges_lehmann.h"

namespace autotune {
namespace {

// Tuned on simulated and on measured rounds, whose tails are heavy (see
// docs/statistics.md); validity does not depend on any of them.
constexpr double kScaleFactor = 1.7;
constexpr double kSmallestScaleInMargins = 0.2;
// Of tests/benchmarks/rounds_saved.cc, on recorded and on simulated rounds.
constexpr double kSpreadRounds = 2.0;
constexpr double kNoiseASpread = 1.1;
constexpr double kMarginRoundsWithSpread = 0.25;
constexpr double kSmallestWeight = 0.6;
constexpr double kFirstBet = 0.7;
constexpr double kLargestBet = 0.93;
constexpr double kPriorRounds = 4.0;
constexpr double kPriorSecondMoment = 0.35;
constexpr double kBetFloorFactor = 0.8;
constexpr double kSmallestSecondMoment = 0.05;
// A past this far on one side, round for round, calls for the largest bet.
constexpr double kClearScore = 0.9;

// Where `function`, which increases, first reaches 0: `function(low)` =
// `at_low` < 0 <= `at_high` = `function(high)`. The bracket is narrowed to
// 1e-14 (relative beyond 1) and its upper end returned: there the function was
// seen to be not negative, so the interval built on it is never too short.
// Source: Alefeld, Potra & Shi (1995), ACM Trans. Math. Softw. 21(3), 327-344
// (algorithm 748).
template <typename Function>
double FirstNotNegative(const Function& function, double low, double high,
                        double at_low, double at_high) {
  constexpr double kTolerance = 1e-14;
  const auto narrow = [](double a, double b) {
    return b - a <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
  };
  std::uintmax_t most_steps = 200;  // bisection alone would need about 60
  return boost::math::tools::toms748_solve(function, low, high, at_low, at_high,
                                           narrow, most_steps)
      .second;
}

}  // namespace

void RoundHistory::Add(double log_ratio, double spread) {
  assert(std::isfinite(log_ratio) && std::isfinite(spread) && spread >= 0.0);
  const auto insert = [](std::vector<double>& sorted, double value) {
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), value), value);
  };
  values_.push_back(log_ratio);
  insert(sorted_, log_ratio);
  if (spread > 0.0) insert(sorted_spreads_, spread);
}

double RoundHistory::TypicalSpread(double spread) const {
  assert(spread > 0.0);
  // The middle of the sorted spreads with one more: `spread` itself, unless it
  // lies beyond the neighbours of the middle.
  const std::vector<double>& known = sorted_spreads_;
  if (known.empty()) return spread;
  const std::size_t n = known.size();
  if (n % 2 == 0) return std::clamp(spread, known[n / 2 - 1], known[n / 2]);
  const double middle = known[n / 2];
  const double below = n > 1 ? known[n / 2 - 1] : spread;
  const double above = n > 1 ? known[n / 2 + 1] : spread;
  const double other =
      spread < middle ? std::max(spread, below) : std::min(spread, above);
  return 0.5 * (middle + other);
}

double RoundHistory::MedianDeviation() const {
  assert(!sorted_.empty());
  // The distances grow to both sides of the median: merge the two runs until
  // the middle of them.
  const double median = MedianOfSorted(sorted_);
  const std::size_t n = sorted_.size();
  std::size_t right = n / 2;
  std::size_t left = right;  // next on the left is left - 1
  double previous = 0.0;
  double current = 0.0;
  for (std::size_t taken = 0; taken <= n / 2; ++taken) {
    previous = current;
    const bool take_left =
        right == n ||
        (left > 0 && median - sorted_[left - 1] < sorted_[right] - median);
    current = take_left ? median - sorted_[--left] : sorted_[right++] - median;
  }
  return n % 2 == 1 ? current : 0.5 * (previous + current);
}

double NextScale(const RoundHistory& past, double margin, double spread) {
  assert(margin > 0.0);
  const double n = past.size() < 2 ? 0.0 : static_cast<double>(past.size());
  const double noise =
      n > 0.0 ? kNormalConsistency * past.MedianDeviation() : 0.0;
  const double seen = n * noise * noise;
  const auto scale_of = [&](double variance) {
    return kScaleFactor *
           std::max(std::sqrt(variance), kSmallestScaleInMargins * margin);
  };
  if (!(spread > 0.0)) return scale_of((seen + margin * margin) / (n + 1.0));
  const double typical = past.TypicalSpread(spread);
  const double promised = kNoiseASpread * typical;
  return std::max(kSmallestWeight, spread / typical) *
         scale_of((seen + kSpreadRounds * promised * promised +
                   kMarginRoundsWithSpread * margin * margin) /
                  (n + kSpreadRounds + kMarginRoundsWithSpread));
}

BettingProduct::BettingProduct(double sign, double offset, double margin)
    : sign_(sign), offset_(offset), margin_(margin) {
  assert((sign == 1.0 || sign == -1.0) && margin > 0.0);
}

// The bet that would have made the past grow most (to second order), shrunk as
// if a few rounds at the margin had been seen, but never so timid that the
// margin itself could not be shown. Where every round was far beyond the scale
// there is nothing to shrink: that decides a large change in the five rounds
// that are the least.
double BettingProduct::NextBet(const RoundHistory& past, double scale) const {
  if (past.size() < 2) return kFirstBet;
  double sum = 0.0;
  double sum_of_squares = 0.0;
  double least = 1.0;
  for (const double log_ratio : past.values()) {
    const double score = std::tanh((offset_ + sign_ * log_ratio) / scale);
    least = std::min(least, score);
    sum += score;
    sum_of_squares += score * score;
  }
  if (least >= kClearScore) return kLargestBet;
  const double hoped = std::tanh(margin_ / scale);
  const double growth = (sum + kPriorRounds * hoped) /
                        (sum_of_squares + kPriorRounds * kPriorSecondMoment);
  const double second_moment =
      sum_of_squares / static_cast<double>(past.size());
  const double floor =
      kBetFloorFactor * hoped / std::max(second_moment, kSmallestSecondMoment);
  return std::clamp(std::max(growth, floor), 0.0, kLargestBet);
}

void BettingProduct::Add(const RoundHistory& past, double scale,
                         double log_ratio) {
  const double bet = NextBet(past, scale);
  bets_.push_back(bet);
  log_wealth_ +=
      std::log1p(bet * std::tanh((offset_ + sign_ * log_ratio) / scale));
}

double BettingProduct::LogWealthAt(double offset, const RoundHistory& history,
                                   std::span<const double> scales) const {
  double log_wealth = 0.0;
  for (std::size_t i = 0; i < bets_.size(); ++i) {
    const double z = offset + sign_ * history.values()[i];
    log_wealth += std::log1p(bets_[i] * std::tanh(z / scales[i]));
  }
  return log_wealth;
}

void BettingGames::Add(double log_ratio, double spread, std::size_t replica) {
  while (replicas_.size() <= replica) {
    Replica& next = replicas_.emplace_back();
    for (const Game& game : games_) {
      next.products.emplace_back(game.sign, game.offset, margin_);
    }
  }
  Replica& own = replicas_[replica];
  const double scale = NextScale(own.history, margin_, spread);
  for (BettingProduct& product : own.products) {
    product.Add(own.history, scale, log_ratio);
  }
  own.scales.push_back(scale);
  own.history.Add(log_ratio, spread);
}

double BettingGames::log_wealth(std::size_t game) const {
  double sum = 0.0;
  for (const Replica& replica : replicas_) {
    sum += replica.products[game].log_wealth();
  }
  return sum;
}

std::optional<double> BettingGames::SmallestOffsetReaching(
    std::size_t game, double log_limit) const {
  if (rounds() == 0) return std::nullopt;
  // Beyond this distance every score is 1 to the last digit.
  const double own_offset = games_[game].offset;
  double furthest_round = 0.0;
  double largest_scale = 0.0;
  for (const Replica& replica : replicas_) {
    for (std::size_t i = 0; i < replica.scales.size(); ++i) {
      furthest_round =
          std::max(furthest_round, std::abs(replica.history.values()[i]));
      largest_scale = std::max(largest_scale, replica.scales[i]);
    }
  }
  const double span =
      std::abs(own_offset) + furthest_round + 50.0 * largest_scale;
  const auto excess = [&](double offset) {
    double sum = -log_limit;
    for (const Replica& replica : replicas_) {
      sum += replica.products[game].LogWealthAt(offset, replica.history,
                                                replica.scales);
    }
    return sum;
  };
  const double at_own_offset = log_wealth(game) - log_limit;
  if (at_own_offset >= 0.0) {
    return FirstNotNegative(excess, -span, own_offset, excess(-span),
                            at_own_offset);
  }
  const double at_span = excess(span);
  if (at_span < 0.0) return std::nullopt;
  return FirstNotNegative(excess, own_offset, span, at_own_offset, at_span);
}

std::size_t BettingGames::rounds() const {
  std::size_t sum = 0;
  for (const Replica& replica : replicas_) sum += replica.history.size();
  return sum;
}

double BettingGames::centre() const {
  std::vector<double> all;
  for (const Replica& replica : replicas_) {
    const std::span<const double> values = replica.history.values();
    all.insert(all.end(), values.begin(), values.end());
  }
  std::sort(all.begin(), all.end());
  return PseudoMedianOfSorted(all);
}

}  // namespace autotune
