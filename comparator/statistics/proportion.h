#ifndef AUTOTUNE_COMPARATOR_STATISTICS_PROPORTION_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_PROPORTION_H_

#include <cstddef>
#include <cstdint>

#include "comparator/statistics/estimate.h"

namespace autotune {

// Wilson's 95 % interval of a probability that showed itself `successes` times
// in `trials` (> 0) independent trials: the p at which
//   |successes / trials - p| <= z sqrt(p (1 - p) / trials),  z = 1.959964.
// Both ends are set, within [0, 1].
// Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.
Interval WilsonInterval(std::int64_t successes, std::int64_t trials);

// P(B <= heads), B ~ binomial(tosses, 1/2), tosses > 0. By symmetry also the
// chance of at least tosses - heads.
double FairBinomialCdf(std::size_t heads, std::size_t tosses);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_PROPORTION_H_
