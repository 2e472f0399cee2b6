#include "comparator/statistics/betting.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "comparator/statistics/descriptive.h"

namespace autotune {
namespace {

// Tuned on simulated and on measured rounds, whose tails are heavy (see
// docs/statistics.md); validity does not depend on any of them.
constexpr double kScaleFactor = 1.7;
constexpr double kSmallestScaleInMargins = 0.2;
constexpr double kFirstBet = 0.7;
constexpr double kLargestBet = 0.93;
constexpr double kPriorRounds = 4.0;
constexpr double kPriorSecondMoment = 0.35;
constexpr double kBetFloorFactor = 0.8;
constexpr double kSmallestSecondMoment = 0.05;

// A bracket [low, high] around the point where an increasing function first
// reaches 0: negative at `low`, not negative at `high`.
struct Bracket {
  double low;
  double high;
  double at_low;
  double at_high;
};

double Tolerance(const Bracket& bracket) {
  constexpr double kRelative = 1e-14;
  return kRelative *
         std::max({1.0, std::abs(bracket.low), std::abs(bracket.high)});
}

// Where to evaluate next: the interpolated zero, pulled towards the middle and
// kept within `radius` of it, so that no shape takes more than one step beyond
// bisection's. Source: Oliveira & Takahashi (2020), ACM Trans. Math. Softw.
// 47(1), article 5 (the ITP method).
double NextPoint(const Bracket& bracket, double first_width, double radius) {
  constexpr double kPull = 0.2;
  const double width = bracket.high - bracket.low;
  const double middle = bracket.low + 0.5 * width;
  const double interpolated =
      (bracket.low * bracket.at_high - bracket.high * bracket.at_low) /
      (bracket.at_high - bracket.at_low);
  const double towards_middle = std::copysign(1.0, middle - interpolated);
  const double pull = kPull / first_width * width * width;
  const double pulled = pull <= std::abs(middle - interpolated)
                            ? interpolated + towards_middle * pull
                            : middle;
  return std::abs(pulled - middle) <= radius ? pulled
                                             : middle - towards_middle * radius;
}

// `point` when rounding left it between the ends, else their middle; the
// bracket is wider than the tolerance, so that one is.
double InsideOf(const Bracket& bracket, double point) {
  const bool inside = point > bracket.low && point < bracket.high;
  return inside ? point : bracket.low + 0.5 * (bracket.high - bracket.low);
}

// The `high` end of `bracket` after narrowing it to the tolerance.
template <typename Function>
double FirstNotNegative(const Function& function, Bracket bracket) {
  const double first_width = bracket.high - bracket.low;
  const double tolerance = Tolerance(bracket);
  double allowed_width = 2.0 * first_width;  // one step more than bisection
  while (bracket.high - bracket.low > tolerance) {
    const double radius =
        std::max(0.0, 0.5 * (allowed_width - (bracket.high - bracket.low)));
    allowed_width *= 0.5;
    const double point =
        InsideOf(bracket, NextPoint(bracket, first_width, radius));
    const double value = function(point);
    if (value >= 0.0) {
      bracket.high = point;
      bracket.at_high = value;
    } else {
      bracket.low = point;
      bracket.at_low = value;
    }
  }
  return bracket.high;
}

}  // namespace

void RoundHistory::Add(double log_ratio) {
  assert(std::isfinite(log_ratio));
  values_.push_back(log_ratio);
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), log_ratio),
                 log_ratio);
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

double NextScale(const RoundHistory& past, double margin) {
  assert(margin > 0.0);
  if (past.size() < 2) return kScaleFactor * margin;
  const double n = static_cast<double>(past.size());
  const double noise = kNormalConsistency * past.MedianDeviation();
  const double blended =
      std::sqrt((n * noise * noise + margin * margin) / (n + 1.0));
  return kScaleFactor * std::max(blended, kSmallestScaleInMargins * margin);
}

BettingProduct::BettingProduct(double sign, double offset, double margin)
    : sign_(sign), offset_(offset), margin_(margin) {
  assert((sign == 1.0 || sign == -1.0) && margin > 0.0);
}

// The bet that would have made the past grow most (to second order), shrunk as
// if a few rounds at the margin had been seen, but never so timid that the
// margin itself could not be shown.
double BettingProduct::NextBet(const RoundHistory& past, double scale) const {
  if (past.size() < 2) return kFirstBet;
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (const double log_ratio : past.values()) {
    const double score = std::tanh((offset_ + sign_ * log_ratio) / scale);
    sum += score;
    sum_of_squares += score * score;
  }
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

std::optional<double> BettingProduct::SmallestOffsetReaching(
    double log_limit, const RoundHistory& history,
    std::span<const double> scales) const {
  assert(bets_.size() == history.size() && bets_.size() == scales.size());
  if (bets_.empty()) return std::nullopt;
  // Beyond this distance every score is 1 to the last digit.
  const double furthest_round = std::max(std::abs(history.sorted().front()),
                                         std::abs(history.sorted().back()));
  const double span = std::abs(offset_) + furthest_round +
                      50.0 * *std::max_element(scales.begin(), scales.end());
  const auto excess = [&](double offset) {
    return LogWealthAt(offset, history, scales) - log_limit;
  };
  const double at_own_offset = log_wealth_ - log_limit;
  if (at_own_offset >= 0.0) {
    return FirstNotNegative(excess,
                            {-span, offset_, excess(-span), at_own_offset});
  }
  const double at_span = excess(span);
  if (at_span < 0.0) return std::nullopt;
  return FirstNotNegative(excess, {offset_, span, at_own_offset, at_span});
}

}  // namespace autotune
