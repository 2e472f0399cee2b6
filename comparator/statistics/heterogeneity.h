#ifndef AUTOTUNE_COMPARATOR_STATISTICS_HETEROGENEITY_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_HETEROGENEITY_H_

#include <optional>
#include <span>

namespace autotune {

// How unlike the effects of several machines are.
struct Heterogeneity {
  // Cochran's Q = sum of (effect - mean)^2 / error^2, the mean being weighted
  // by 1 / error^2. Dimensionless, at least 0; about the number of machines
  // less one when their effects are equal.
  double q = 0.0;
  // I^2 = max(0, (Q - df) / Q): the share of the spread between machines that
  // noise does not explain, in [0, 1).
  double i_squared = 0.0;
  // Probability of a Q this large with equal effects, by the chi-squared
  // distribution with df degrees of freedom; an approximation with few rounds.
  double p_value = 1.0;
};

// The log-improvements of one machine's rounds, in any order.
using EffectRounds = std::span<const double>;

// Of the machines with at least two rounds, df being one less than there are;
// nothing with fewer than two of them. The effect of a machine is the centre of
// its rounds (Hodges-Lehmann), its error their robust standard deviation
// (median absolute deviation) over the root of their number, at least 1e-6: a
// burst on one machine is no difference.
// Sources: Cochran (1954), Biometrics 10(1), 101-129; Higgins & Thompson
// (2002), Stat. Med. 21(11), 1539-1558.
std::optional<Heterogeneity> MeasureHeterogeneity(
    std::span<const EffectRounds> machines);

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_HETEROGENEITY_H_
