#include "tools/bench_compare/calibration_report.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace autotune {
namespace {

Evidence RunWith(Decision decision, const std::vector<double>& log_ratios) {
  Evidence evidence;
  evidence.decision = decision;
  evidence.measuring_seconds = 4.0;
  for (const double y : log_ratios) {
    RoundEvidence round;
    round.mode = MeasureMode::kTurns;
    round.ratios.targets = {y};
    evidence.rounds.push_back(round);
  }
  RoundEvidence check;
  check.use = RoundUse::kConfirmation;
  evidence.rounds.push_back(check);
  return evidence;
}

TEST(NoiseOfTest, IsTheSpreadAboutTheTruth) {
  const ModeNoise noise =
      NoiseOf({RunWith(Decision::kDiscard, {0.03, -0.03, 0.03}),
               RunWith(Decision::kDiscard, {0.05, -0.05, 0.01, -0.01})});
  EXPECT_EQ(noise.mode, MeasureMode::kTurns);
  EXPECT_EQ(noise.rounds, 7);
  EXPECT_NEAR(noise.noise, std::sqrt(0.0079 / 7), 1e-15);
  EXPECT_NEAR(noise.round_seconds, 8.0 / 9, 1e-15) << "checks take time too";
}

TEST(AddDecisionTest, AKeepIsAFalseAlarmAndUnderAGateARegression) {
  CalibrationReport report;
  AddDecision(RunWith(Decision::kKeep, {}), report);
  AddDecision(RunWith(Decision::kDiscard, {}), report);
  AddDecision(RunWith(Decision::kInconclusive, {}), report);
  Evidence gate = RunWith(Decision::kDiscard, {});
  gate.settings.kind = PolicyKind::kGate;
  AddDecision(gate, report);
  EXPECT_EQ(report.decisions, 4);
  EXPECT_EQ(report.false_alarms, 2);
  EXPECT_EQ(report.undecided, 1);
  EXPECT_EQ(report.seconds, 16.0);
}

CalibrationReport ReportOf(double noise) {
  CalibrationReport report;
  report.decisions = 20;
  report.false_alarms = 1;
  report.undecided = 2;
  report.seconds = 100.0;
  report.modes = {{MeasureMode::kTurns, 200, noise, 0.5},
                  {MeasureMode::kAlternate, 10, 0.04, 0.25}};
  Policy policy;
  policy.budget_seconds = 60.0;
  policy.max_rounds = 1000;
  AddLimits(policy, report);
  return report;
}

// 120 rounds: 0.02 sqrt(5.3 / (120 - 5.3)) = 0.0042992.
TEST(CalibrationTextTest, SaysWhatWasSeenAndWhatCanBeDecided) {
  EXPECT_EQ(
      CalibrationText(ReportOf(0.02)),
      R"(false alarms: 1 of 20 independent decisions, rate in [0.89 %, 23.61 %] at 95 %; at most 5.00 % is promised
undecided:    2
time:         5.0 s a decision
  turns     noise 2.00 % a round, 0.50 s a round (200 rounds)
  alternate noise 4.00 % a round, 0.25 s a round (10 rounds)
decidable within 60.0 s: an improvement of 0.43 %, a guard margin of 0.43 %
)");
}

TEST(CalibrationJsonTest, HoldsTheSameAsFractions) {
  const auto json = nlohmann::json::parse(CalibrationJson(ReportOf(0.02)));
  EXPECT_EQ(json["decisions"], 20);
  EXPECT_EQ(json["false_alarms"], 1);
  EXPECT_NEAR(json["false_alarm_rate"]["upper"].get<double>(), 0.2361311934467,
              1e-12);
  EXPECT_EQ(json["seconds_per_decision"], 5.0);
  EXPECT_EQ(json["modes"][1]["mode"], "alternate");
  EXPECT_NEAR(json["smallest_improvement"].get<double>(),
              -std::expm1(-0.02 * std::sqrt(5.3 / 114.7)), 1e-12);
}

TEST(CalibrationJsonTest, WhatNothingCanDecideIsNull) {
  CalibrationReport report = ReportOf(0.02);
  report.smallest_effect.reset();
  report.smallest_margin.reset();
  const auto json = nlohmann::json::parse(CalibrationJson(report));
  EXPECT_TRUE(json["smallest_improvement"].is_null());
  EXPECT_TRUE(json["smallest_guard_margin"].is_null());
}

}  // namespace
}  // namespace autotune
