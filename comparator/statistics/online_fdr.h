#ifndef AUTOTUNE_COMPARATOR_STATISTICS_ONLINE_FDR_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_ONLINE_FDR_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace autotune {

// What a task promises about the share of false keeps among its keeps.
struct OnlineFdrPlan {
  double fdr = 0.10;           // bound on the expected share, in (0, 1)
  double alpha = 0.05;         // no decision gets a laxer level, in (0, 1)
  std::int64_t horizon = 100;  // measured decisions planned, >= 1
};

// LOND level of a decision whose share of the budget is `share` (the shares of
// all decisions sum to at most 1), after `discoveries` earlier rejections:
//   fdr * share * (discoveries + 1).
// Source: Javanmard & Montanari (2018), Ann. Stat. 46(2), 526-554; for
// dependent p-values Zrnic, Ramdas & Jordan (2021), J. Mach. Learn. Res. 22.
double LondLevel(double fdr, double share, std::int64_t discoveries);

// Level of the next measured decision of a task: LOND with equal shares
// 1 / horizon, capped at alpha. `decided` counts the measured decisions so far,
// `kept` the keeps among them (crashes and programs equal to the tip count in
// neither). FailedPrecondition once the horizon is used up: a longer one must
// be declared, which lowers later levels. It is a second promise, made knowing
// how the first ended: over both, the share may reach the sum of both `fdr`.
// InvalidArgument for a plan or counts out of range.
absl::StatusOr<double> NextDecisionLevel(const OnlineFdrPlan& plan,
                                         std::int64_t decided,
                                         std::int64_t kept);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_ONLINE_FDR_H_
