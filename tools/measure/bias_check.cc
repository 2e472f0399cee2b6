#include "tools/measure/bias_check.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/number_text.h"
#include "comparator/evidence/bias_trial.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// Where looking for a confirmation stops, so that a run that cannot be freed of
// the bias ends: chosen, not measured. tests/tools/measure/bias_grid_test.cc
// holds the error rates with these values.
constexpr std::size_t kPairsARound = 4;
constexpr std::size_t kFewPairs = 20;

std::string MillisecondsText(double seconds) {
  return absl::StrCat(ShortestText(std::round(1e4 * seconds) / 10.0), " ms");
}

}  // namespace

RoundSetup BiasRoundSetup(const RoundSetup& setup) {
  RoundSetup check = setup;
  check.turn = absl::Seconds(
      CheckTurnSeconds(setup.mode, absl::ToDoubleSeconds(setup.turn)));
  check.mode = MeasureMode::kTurns;
  check.size.repetitions = 1;
  return check;
}

std::size_t MostBiasPairs(std::size_t rounds) {
  return kPairsARound * rounds + kFewPairs;
}

std::string BiasText(const BiasRecord& record) {
  if (!record.estimate.has_value()) return "";
  const TurnBias& bias = *record.estimate;
  return absl::StrCat(
      "turns of ", MillisecondsText(record.turn_seconds), " favour the ",
      bias.bias >= 0.0 ? "contender" : "baseline", " by an estimated ",
      FixedText(100.0 * std::abs(bias.bias), 2), " % (error ",
      FixedText(100.0 * bias.error, 2), " %)");
}

std::string BiasObjection(const BiasRecord& record) {
  const std::string text = BiasText(record);
  return absl::StrCat("bias: ", text, text.empty() ? "" : ", and ",
                      record.pairs, " pairs of rounds in turns of ",
                      MillisecondsText(record.turn_seconds), " and ",
                      MillisecondsText(record.check_turn_seconds),
                      record.freed == Decision::kInconclusive
                          ? " do not show that the decision holds without it"
                          : " show the opposite without it");
}

}  // namespace autotune
