#ifndef AUTOTUNE_COMPARATOR_SEQUENTIAL_TEST_H_
#define AUTOTUNE_COMPARATOR_SEQUENTIAL_TEST_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "comparator/estimate.h"
#include "comparator/verdict.h"

namespace autotune {

// What a sequential test is asked to prove.
struct SequentialOptions {
  double min_log_improvement = 0.01005033585350145;  // m = -ln(1 - 1 %) > 0
  double floor = 0.0;                                // f >= 0: keep must beat f
  double alpha = 0.05;                               // false keep, in (0, 1)
  double beta = 0.10;                                // false discard, in (0, 1)
};

// The keep/discard test by betting over the log-ratios of rounds. (The validity
// argument belongs here.)
class SequentialTest {
 public:
  explicit SequentialTest(const SequentialOptions& options);

  // Adds y = ln(baseline / contender) of one round for a lower-is-better metric
  // (the inverse for higher-is-better): positive means the contender is better.
  // Must be finite. After a decision further rounds change nothing that was
  // decided.
  void Add(double log_ratio);

  Decision decision() const;
  bool proven_worse() const;  // E_worse reached 1/alpha: "regressed"
  double log_e_keep() const;
  double log_e_discard() const;
  double log_e_worse() const;
  std::size_t rounds() const;

  // Ratio contender / baseline (lower-is-better): exp of minus the
  // Hodges-Lehmann centre of y, with the interval that agrees with the
  // decision, at level 1 - alpha - beta. At least one round is required.
  RatioEstimate estimate() const;

  // The same interval for y itself (log-improvement, positive better).
  Interval log_improvement() const;

 private:
  SequentialOptions options_;
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_SEQUENTIAL_TEST_H_
