#ifndef AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_
#define AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_

#include <cstddef>
#include <string>

#include "comparator/evidence/evidence.h"
#include "tools/measure/round.h"

namespace autotune {

// Share of alpha and of beta that each fresh test in longer turns gets: with
// two of them, 20 and 100 ms, both errors of all tests stay below 1.1 times the
// level asked for, whatever was doubted and why.
inline constexpr double kSettlingShare = 0.05;

// The setup of a round whose turns check those of `setup`; a single repetition,
// for its y weighs a quarter of one in the run's own turns.
RoundSetup BiasRoundSetup(const RoundSetup& setup);

// The most pairs that are made to confirm a decision that took `rounds`: an
// unbiased one needs 1.6 times as many.
std::size_t MostBiasPairs(std::size_t rounds);

// One line on the estimate and its sign; empty when there is none.
std::string BiasText(const BiasRecord& record);

// Why a decision does not stand, for Evidence::downgrade.
std::string BiasObjection(const BiasRecord& record);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_BIAS_CHECK_H_
