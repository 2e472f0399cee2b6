#include "tools/measure/bias_check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/number_text.h"
#include "comparator/evidence/cross_check.h"
#include "comparator/statistics/turn_bias.h"
#include "comparator/statistics/verdict.h"

namespace autotune {
namespace {

// The slices that the kernel gives two busy processes on one CPU.
constexpr double kDuetTurnSeconds = 0.004;
constexpr absl::Duration kDuetCheckTurn = absl::Milliseconds(20);
constexpr int kCheckTurnsATurn = 5;
constexpr std::size_t kFewestChecks = 2;
constexpr std::size_t kUsuallyMostChecks = 10;
constexpr std::size_t kMostChecks = 40;
// Beyond any loss that turns of 20 ms were seen to cause; it goes as 1 / turn.
constexpr double kBeyondAnyBias = 0.15;
constexpr double kItsTurnSeconds = 0.020;

// Share of alpha for a keep that settles a discard.
constexpr double kSecondChance = 0.1;

double TurnSeconds(const RoundSetup& setup) {
  return setup.mode == MeasureMode::kDuet ? kDuetTurnSeconds
                                          : absl::ToDoubleSeconds(setup.turn);
}

std::vector<double> Improvements(const Evidence& evidence, RoundUse use) {
  std::vector<double> improvements;
  for (const RoundEvidence& round : evidence.rounds) {
    if (round.use != use) continue;
    if (const auto y = RoundImprovement(evidence, round)) {
      improvements.push_back(*y);
    }
  }
  return improvements;
}

// What an earlier stage found, brought to the present turns.
std::optional<TurnBias> EarlierBias(const Evidence& evidence,
                                    const RoundSetup& setup) {
  const std::optional<BiasRecord>& found = evidence.bias;
  if (!found.has_value() || !(found->turn_seconds < TurnSeconds(setup))) {
    return std::nullopt;
  }
  return BiasAt(found->bias, found->turn_seconds, TurnSeconds(setup));
}

// The estimate of y behind the overall ratio.
double Centre(const Evidence& evidence) {
  const double log_ratio = std::log(evidence.overall.estimate.ratio);
  return evidence.metric.direction == Direction::kLowerIsBetter ? -log_ratio
                                                                : log_ratio;
}

// The noisier the rounds, the more of both kinds are needed.
std::size_t MostChecks(std::size_t rounds) {
  return std::clamp(rounds / 2, kUsuallyMostChecks, kMostChecks);
}

// What favours the contender endangers a keep, what hinders it a discard.
double Endangering(const TurnBias& bias, Decision decision) {
  return decision == Decision::kKeep ? bias.bias : -bias.bias;
}

void Judge(const TurnBias& bias, Decision decision, BiasFinding& finding) {
  finding.bias = bias;
  const double endangering = Endangering(bias, decision);
  finding.standing = JudgeBias(endangering, bias.error, finding.slack);
  finding.endangers =
      SettleUnsure(endangering, finding.slack) != BiasStanding::kClear;
}

}  // namespace

bool NeedsBiasCheck(const Evidence& evidence, const RoundSetup& setup) {
  if (!IsOneCpuMode(setup.mode) || evidence.metric.name != "cpu_time" ||
      evidence.settings.kind != PolicyKind::kTune ||
      evidence.decision == Decision::kInconclusive) {
    return false;
  }
  const bool harmed =
      std::any_of(evidence.guards.begin(), evidence.guards.end(),
                  [](const GuardState& guard) {
                    return guard.standing == GuardState::Standing::kHarmed;
                  });
  const double beyond_any =
      kBeyondAnyBias * std::max(1.0, kItsTurnSeconds / TurnSeconds(setup));
  return !harmed && std::abs(Centre(evidence)) < beyond_any;
}

RoundSetup BiasRoundSetup(const RoundSetup& setup) {
  RoundSetup check = setup;
  check.turn = setup.mode == MeasureMode::kDuet ? kDuetCheckTurn
                                                : setup.turn / kCheckTurnsATurn;
  check.mode = MeasureMode::kTurns;
  return check;
}

BiasFinding FindBias(const Evidence& evidence, const RoundSetup& setup) {
  BiasFinding finding;
  const JudgeSettings& settings = evidence.settings;
  const double centre = Centre(evidence);
  finding.slack = evidence.decision == Decision::kKeep
                      ? centre - settings.floor
                      : settings.floor + settings.min_log_improvement - centre;
  if (const auto earlier = EarlierBias(evidence, setup)) {
    Judge(*earlier, evidence.decision, finding);
    finding.enough_rounds = true;
    return finding;
  }
  const std::vector<double> checks =
      Improvements(evidence, RoundUse::kBiasCheck);
  const std::vector<double> rounds = Improvements(evidence, RoundUse::kCounts);
  const auto bias = EstimateTurnBias(rounds, TurnSeconds(setup), checks,
                                     TurnSeconds(BiasRoundSetup(setup)));
  finding.standing = BiasStanding::kUnsure;
  if (checks.size() < kFewestChecks || !bias.has_value()) return finding;
  Judge(*bias, evidence.decision, finding);
  finding.enough_rounds = finding.standing != BiasStanding::kUnsure ||
                          checks.size() >= MostChecks(rounds.size());
  return finding;
}

double SettlingAlpha(double alpha, Decision decision) {
  return decision == Decision::kKeep ? alpha : kSecondChance * alpha;
}

void RecordBias(const BiasFinding& finding, const RoundSetup& setup,
                Evidence& evidence) {
  if (!finding.bias.has_value()) return;
  evidence.bias = BiasRecord{TurnSeconds(setup), *finding.bias};
}

std::string BiasText(const TurnBias& bias, const RoundSetup& setup) {
  return absl::StrCat(
      "turns of ", FixedText(1e3 * TurnSeconds(setup), 0), " ms favour the ",
      bias.bias >= 0.0 ? "contender" : "baseline", " by an estimated ",
      FixedText(100.0 * std::abs(bias.bias), 2), " % (error ",
      FixedText(100.0 * bias.error, 2), " %)");
}

}  // namespace autotune
