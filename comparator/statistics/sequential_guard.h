#ifndef AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_GUARD_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_GUARD_H_

#include <cstddef>

#include "comparator/statistics/betting.h"
#include "comparator/statistics/estimate.h"

namespace autotune {

// What a guard is asked to prove.
struct GuardOptions {
  double log_margin = 0.01980262729617973;  // ln(1 + g) > 0, g = 2 %
  double alpha = 0.05;  // false "unharmed": the keep's own level, in (0, 1)
  double beta = 0.10;   // false "harmed": this guard's share, in (0, 1)
};

// Two betting products on the log-ratios of something that must not get worse
// by more than g; valid for the reasons in sequential_test.h.
//   E_unharmed  z = y + ln(1 + g)      against "worse by g or more"
//   E_harmed    z = -(y + ln(1 + g))   against "worse by g at most"
// Once one of them reaches its limit the guard is settled and further rounds
// are not looked at.
class SequentialGuard {
 public:
  // Options out of range are our bug (asserted).
  explicit SequentialGuard(const GuardOptions& options);

  // Adds y of one round (positive: contender better), finite; `spread` is as in
  // RoundHistory; of equal machines with the number of its own, see
  // BettingGames. O(rounds).
  void Add(double log_ratio, double spread = 0.0, std::size_t replica = 0);

  bool proven_unharmed() const;  // E_unharmed reached 1 / alpha
  bool proven_harmed() const;    // E_harmed reached 1 / beta
  bool settled() const { return proven_unharmed() || proven_harmed(); }

  // Natural logarithms of the e-values; 0 before the first round.
  double log_e_unharmed() const { return games_.log_wealth(kUnharmed); }
  double log_e_harmed() const { return games_.log_wealth(kHarmed); }

  std::size_t rounds() const { return games_.rounds(); }

  // Hodges-Lehmann centre of y. At least one round is required.
  double centre() const;

  // Interval for the centre of y, level 1 - alpha - beta at any stopping time;
  // lower >= -ln(1 + g) exactly when proven unharmed, upper <= -ln(1 + g)
  // exactly when proven harmed.
  Interval log_improvement() const;

 private:
  enum Game : std::size_t { kUnharmed, kHarmed };

  GuardOptions options_;
  BettingGames games_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_SEQUENTIAL_GUARD_H_
