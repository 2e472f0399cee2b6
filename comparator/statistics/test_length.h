#ifndef AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_

#include <cstdint>
#include <optional>

namespace autotune {

// Rounds without which nothing can be kept, or passed, at `alpha`: each at most
// doubles an e-value, so ceil(log2(1 / alpha)); 5 at 0.05.
std::int64_t FewestRounds(double alpha);

// Smallest effect (of y) that the sequential test decides, on average, within
// `rounds` rounds of standard deviation `noise` at level `alpha`: the solution
// of  rounds = (5.3 + 5.3 (noise / effect)^2) ln(1 / alpha) / ln 20,  which was
// fitted to the test's simulated means (docs/statistics.md) and is good to
// about a fifth. Nothing when not even a huge effect is decided in so few.
std::optional<double> SmallestEffect(double rounds, double noise, double alpha);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_TEST_LENGTH_H_
