#ifndef AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_

#include <optional>

namespace autotune {

// Rounds the sequential test needs, on average, for an effect of `effect` when
// rounds have standard deviation `noise` (both of y) and the level is `alpha`:
// (5.3 + 5.3 (noise / effect)^2) ln(1 / alpha) / ln 20. Fitted to the test's
// simulated means; good to about a fifth.
double ExpectedRounds(double effect, double noise, double alpha);

// The inverse in `effect`; nothing when not even a huge effect is decided in so
// few rounds.
std::optional<double> SmallestEffect(double rounds, double noise, double alpha);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_
