#ifndef AUTOTUNE_COMPARATOR_JUDGE_GUARD_TRACK_H_
#define AUTOTUNE_COMPARATOR_JUDGE_GUARD_TRACK_H_

#include <cstddef>

#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/sequential_guard.h"

namespace autotune {

// One guard of a run as its rounds come in, whatever its mode.
class GuardTrack {
 public:
  // `beta` is this guard's share of the false "harmed" probability.
  GuardTrack(const JudgedGuard& guard, double alpha, double beta);

  void Add(double log_ratio);

  bool unharmed() const;
  bool harmed() const;
  // A keep waits for it: a "prove" or "exact" guard not yet shown unharmed.
  bool blocks_keep() const;

  GuardState state() const;

 private:
  bool exact() const { return guard_.mode == GuardMode::kExact; }

  JudgedGuard guard_;
  SequentialGuard test_;    // idle when exact
  double worst_ = 0.0;      // exact: smallest y seen
  std::size_t rounds_ = 0;  // exact: rounds seen
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_JUDGE_GUARD_TRACK_H_
