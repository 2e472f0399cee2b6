#include "comparator/judge/guard_track.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "comparator/judge/sequential_judge.h"
#include "comparator/statistics/estimate.h"
#include "comparator/statistics/sequential_guard.h"

namespace autotune {
namespace {

// A loss this much above the margin may come from rounding alone.
constexpr double kRounding = 1e-12;

}  // namespace

GuardTrack::GuardTrack(const JudgedGuard& guard, double alpha, double beta)
    : guard_(guard),
      test_({.log_margin = std::log1p(guard.margin),
             .alpha = alpha,
             .beta = beta}) {}

void GuardTrack::Add(double log_ratio) {
  assert(std::isfinite(log_ratio));
  if (!exact()) {
    test_.Add(log_ratio);
    return;
  }
  worst_ = rounds_ == 0 ? log_ratio : std::min(worst_, log_ratio);
  ++rounds_;
}

bool GuardTrack::harmed() const {
  if (!exact()) return test_.proven_harmed();
  return worst_ < -std::log1p(guard_.margin) - kRounding;
}

bool GuardTrack::unharmed() const {
  if (!exact()) return test_.proven_unharmed();
  return rounds_ > 0 && !harmed();
}

bool GuardTrack::blocks_keep() const {
  return guard_.mode != GuardMode::kVeto && !unharmed();
}

GuardState GuardTrack::state() const {
  using Standing = GuardState::Standing;
  GuardState state;
  state.name = guard_.name;
  state.mode = guard_.mode;
  state.margin = guard_.margin;
  state.standing = harmed()     ? Standing::kHarmed
                   : unharmed() ? Standing::kUnharmed
                                : Standing::kUndecided;
  state.rounds = exact() ? rounds_ : test_.rounds();
  state.log_e_unharmed = test_.log_e_unharmed();
  state.log_e_harmed = test_.log_e_harmed();
  if (state.rounds == 0) return state;
  state.estimate =
      exact() ? RatioFromLogImprovement(worst_, {worst_, worst_, 1.0},
                                        guard_.direction)
              : RatioFromLogImprovement(test_.centre(), test_.log_improvement(),
                                        guard_.direction);
  return state;
}

}  // namespace autotune
