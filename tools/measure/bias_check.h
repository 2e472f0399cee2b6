#ifndef AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_
#define AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "comparator/evidence/evidence.h"
#include "comparator/statistics/turn_bias.h"
#include "tools/measure/round.h"

namespace autotune {

// How a decision made in a one-CPU mode stands against the mode's bias.
struct BiasFinding {
  std::optional<TurnBias> bias;  // at the run's own turns
  double slack = 0.0;  // distance of the estimate from where it would be wrong
  BiasStanding standing = BiasStanding::kClear;
  bool enough_rounds = false;  // no more would be asked for
  bool endangers = false;      // by its estimate alone, whatever its error
};

// Whether the bias of the decision at hand must be looked at: keep and discard
// on the targets of a tuning policy, by cpu_time in a one-CPU mode, unless the
// difference is beyond any bias that such turns cause.
bool NeedsBiasCheck(const Evidence& evidence, const RoundSetup& setup);

// The setup of a round that measures the bias: turns of another length. In
// turns a fifth of the run's, where the bias is five times as large; in a
// duet 20 ms, where it is a fifth.
RoundSetup BiasRoundSetup(const RoundSetup& setup);

// Judges from the rounds in `evidence` (whose decision and overall figure must
// be set): counted ones and those of RoundUse::kBiasCheck. A bias that an
// earlier stage at shorter turns left in Evidence::bias is taken over instead.
BiasFinding FindBias(const Evidence& evidence, const RoundSetup& setup);

// The level of a fresh test that settles `decision`, made at `alpha`. A keep
// must be proven twice, both times at alpha; after anything else a keep is a
// second chance and gets a tenth: with two steps to longer turns false keeps
// stay below 1.11 alpha.
double SettlingAlpha(double alpha, Decision decision);

// Leaves the estimate in Evidence::bias.
void RecordBias(const BiasFinding& finding, const RoundSetup& setup,
                Evidence& evidence);

// One line on the estimate and its sign.
std::string BiasText(const TurnBias& bias, const RoundSetup& setup);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_
