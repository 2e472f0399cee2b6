#include <cmath>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "comparator/fleet/fleet.h"
#include "comparator/outcome/outcome.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/fleet/fleet_builder.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;

Fleet Combined(const std::vector<Evidence>& runs, FleetPolicy policy = {}) {
  Fleet fleet = FleetOf(runs);
  fleet.policy = policy;
  EXPECT_OK(Combine(fleet));
  return fleet;
}

std::string ErrorOf(const std::vector<Evidence>& runs,
                    FleetPolicy policy = {}) {
  Fleet fleet = FleetOf(runs);
  fleet.policy = policy;
  const absl::Status status = Combine(fleet);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(CombineTest, ReplicasMultiplyTheirEValues) {
  const Evidence a = EndedRunOn("a", "one", Around(0.01, 4, 0.1));
  const Evidence b = EndedRunOn("b", "one", Around(0.006, 5, 0.2));
  Fleet fleet = FleetOf({a, b});
  ASSERT_OK(Combine(fleet));
  EXPECT_TRUE(fleet.replicas);
  // a has too few rounds to count: b alone.
  ASSERT_EQ(fleet.dropped.size(), 1U);
  EXPECT_EQ(fleet.dropped[0].name, "a");
  EXPECT_EQ(fleet.dropped[0].reason, "4 rounds count, a keep needs 5");
  EXPECT_NEAR(fleet.combined.overall.log_e_keep, b.overall.log_e_keep, 1e-9);
  EXPECT_EQ(fleet.combined.warnings.front(),
            "only host b decided: nothing is known of other machines");

  const Evidence c = EndedRunOn("c", "one", Around(0.005, 5, 0.3));
  fleet = Combined({b, c});
  EXPECT_NEAR(fleet.combined.overall.log_e_keep,
              b.overall.log_e_keep + c.overall.log_e_keep, 1e-9);
  EXPECT_NEAR(fleet.combined.overall.log_e_discard,
              b.overall.log_e_discard + c.overall.log_e_discard, 1e-9);
}

// It stopped because it lost: without it the other would decide alone.
TEST(CombineTest, AHostThatProvedSomethingInFewRoundsIsNotDropped) {
  const Evidence better = EndedRunOn("a", "one", Around(0.05, 8, 0.1));
  ASSERT_EQ(better.decision, Decision::kKeep);
  const Evidence worse = EndedRunOn("b", "another", Around(-0.2, 4, 0.2));
  ASSERT_EQ(worse.decision, Decision::kDiscard);
  Fleet fleet = FleetOf({better, worse});
  ASSERT_OK(Combine(fleet));
  EXPECT_THAT(fleet.dropped, testing::IsEmpty());
  EXPECT_NE(fleet.combined.decision, Decision::kKeep);
  EXPECT_EQ(fleet.combined.overall.rounds, 4U);
}

TEST(CombineTest, UnlikeHostsAreJudgedByTheirMeanAsLongAsTheShortest) {
  const std::vector<double> a = Around(0.06, 8, 0.1);
  const std::vector<double> b = Around(0.03, 6, 0.2);
  FleetPolicy policy;
  policy.weights = {{"a", 3.0}};
  const Fleet fleet =
      Combined({RunOn("a", "one", a), RunOn("b", "two", b)}, policy);
  EXPECT_FALSE(fleet.replicas);
  SequentialJudge judge(fleet.combined.settings);
  for (std::size_t i = 0; i < 6; ++i) {
    judge.Add({{(3.0 * a[i] + b[i]) / 4.0}, {}});
  }
  EXPECT_NEAR(fleet.combined.overall.log_e_keep, judge.overall().log_e_keep,
              1e-12);
  EXPECT_EQ(fleet.combined.decision, Decision::kKeep);
  EXPECT_EQ(fleet.combined.reason, "BM_A improved, 2 hosts unharmed");
}

TEST(CombineTest, AnyDifferenceInTheFingerprintMakesHostsUnlike) {
  for (const char* key :
       {"cpu_model", "microcode", "caches", "kernel", "governor"}) {
    Evidence a = RunOn("a", "one", Around(0.03, 8, 0.1));
    Evidence b = RunOn("b", "one", Around(0.03, 8, 0.2));
    EXPECT_TRUE(Combined({a, b}).replicas);
    b.machine[key] = "another";
    EXPECT_FALSE(Combined({a, b}).replicas) << key;
  }
}

TEST(CombineTest, OppositeSignsDifferByMachine) {
  const Fleet fleet = Combined({RunOn("a", "one", Around(0.05, 12, 0.1)),
                                RunOn("b", "two", Around(-0.03, 12, 0.2))});
  EXPECT_EQ(fleet.combined.code, ReasonCode::kDiffersByMachine);
  EXPECT_EQ(fleet.combined.decision, Decision::kInconclusive);
  EXPECT_EQ(fleet.combined.reason,
            "differs by machine: host a improved, host b regressed");
  ASSERT_EQ(fleet.combined.guards.size(), 2U);
  EXPECT_NEAR(std::log(fleet.combined.guards[0].estimate->ratio), -0.05, 0.01);
  EXPECT_NEAR(std::log(fleet.combined.guards[1].estimate->ratio), 0.03, 0.01);
  ASSERT_TRUE(fleet.heterogeneity.has_value());
  EXPECT_GT(fleet.heterogeneity->i_squared, 0.9);
}

TEST(CombineTest, AHarmedHostDiscards) {
  const Fleet fleet = Combined({RunOn("a", "one", Around(0.001, 30, 0.1)),
                                RunOn("b", "two", Around(-0.05, 12, 0.2))});
  EXPECT_EQ(fleet.combined.code, ReasonCode::kHarmed);
  EXPECT_EQ(fleet.combined.reason, "host b is worse by more than 1.01 %");
}

TEST(CombineTest, UnderEachEveryHostMustImprove) {
  FleetPolicy each;
  each.rule = HostRule::kEach;
  const Evidence better = RunOn("a", "one", Around(0.05, 12, 0.1));
  EXPECT_EQ(Combined({better, RunOn("b", "one", Around(0.04, 12, 0.2))}, each)
                .combined.reason,
            "all of 2 hosts improved");
  const Fleet open =
      Combined({better, RunOn("b", "one", Around(0.004, 6, 0.3))}, each);
  EXPECT_EQ(open.combined.reason, "host b: undecided after 6 rounds");
  const Fleet none =
      Combined({better, RunOn("b", "one", Around(0.0, 60, 0.4))}, each);
  EXPECT_EQ(none.combined.decision, Decision::kDiscard);
  EXPECT_EQ(none.combined.reason, "host b does not improve by 1 % or more");
}

TEST(CombineTest, AHostLostBeforeTheOthersHasNoPartInTheMean) {
  Fleet fleet = FleetOf({RunOn("a", "one", Around(0.05, 12, 0.1)),
                         RunOn("b", "two", Around(0.05, 12, 0.2)),
                         RunOn("c", "three", Around(-0.001, 6, 0.3))});
  fleet.hosts[2].lost = "no record";
  ASSERT_OK(Combine(fleet));
  ASSERT_EQ(fleet.dropped.size(), 1U);
  EXPECT_EQ(fleet.dropped[0].reason, "lost after 6 rounds: no record");
  EXPECT_EQ(fleet.combined.decision, Decision::kKeep);
  // What it proved still counts.
  fleet.hosts[2] = FleetHost();
  fleet.hosts[2].name = "c";
  fleet.hosts[2].lost = "no record";
  fleet.hosts[2].records.push_back(
      {"c", RunOn("c", "three", Around(-0.06, 9, 0.3))});
  ASSERT_OK(Combine(fleet));
  EXPECT_EQ(fleet.combined.code, ReasonCode::kDiffersByMachine);
}

TEST(CombineTest, AHostWithMoreVoidRoundsThanOthersIsDropped) {
  Evidence voided = RunOn("b", "two", Around(0.05, 13, 0.2));
  for (std::size_t i = 0; i < 7; ++i) {
    voided.rounds[i].use = RoundUse::kVoid;
    voided.rounds[i].ratios = {};
  }
  const Fleet fleet =
      Combined({RunOn("a", "one", Around(0.05, 12, 0.1)), voided});
  ASSERT_EQ(fleet.dropped.size(), 1U);
  EXPECT_EQ(fleet.dropped[0].reason, "7 of 13 rounds are void");
}

TEST(CombineTest, TheSameRoundsTwiceAreRefused) {
  const Evidence a = RunOn("a", "one", Around(0.05, 12, 0.1));
  Evidence copy = a;
  copy.machine["host"] = "b";
  EXPECT_EQ(ErrorOf({a, copy}),
            "b.json: holds rounds that a.json holds too: each run counts once");
}

TEST(CombineTest, RunsThatDoNotMakeOneDecisionAreRefused) {
  const Evidence a = RunOn("a", "one", Around(0.05, 12, 0.1));
  const Evidence b = RunOn("b", "one", Around(0.05, 12, 0.2));
  const std::string end =
      " than a.json: combine runs of one change by one "
      "policy";
  Evidence other = b;
  other.contender.sha256 = "ef";
  EXPECT_EQ(ErrorOf({a, other}), "b.json: ran another contender" + end);
  // Unlike machines may have builds of their own.
  other.machine["cpu_model"] = "two";
  EXPECT_FALSE(Combined({a, other}).replicas);
  other = b;
  other.metric.name = "real_time";
  EXPECT_EQ(ErrorOf({a, other}), "b.json: has another metric" + end);
  other = b;
  other.settings.floor = 0.001;
  EXPECT_EQ(ErrorOf({a, other}), "b.json: judges by other settings" + end);
  FleetPolicy policy;
  policy.weights = {{"ab", 2.0}};
  EXPECT_EQ(ErrorOf({a, b}, policy),
            "weight of \"ab\": expected one of the hosts a or b; did you mean "
            "a?");
}

TEST(CombineTest, AHostsOwnObjectionHoldsTheDecisionBack) {
  Evidence b = EndedRunOn("b", "two", Around(0.05, 12, 0.2));
  b.downgrade = "carry-over";
  static_cast<Ruling&>(b) = {Decision::kInconclusive, ReasonCode::kObjection,
                             "carry-over"};
  const Fleet fleet = Combined({RunOn("a", "one", Around(0.05, 12, 0.1)), b});
  EXPECT_EQ(fleet.combined.code, ReasonCode::kObjection);
  EXPECT_EQ(fleet.combined.reason, "host b: carry-over");
}

TEST(CombineTest, TurnsThatNothingCheckedDecideNothing) {
  Evidence b = RunOn("b", "two", Around(0.05, 12, 0.2));
  for (RoundEvidence& round : b.rounds) {
    round.mode = MeasureMode::kTurns;
    round.turn_seconds = 0.005;
  }
  const Fleet fleet = Combined({RunOn("a", "one", Around(0.05, 12, 0.1)), b});
  EXPECT_EQ(fleet.combined.reason,
            "host b: rounds in mode turns have a bias that only a run which "
            "comes to the same decision has checked: measure with --mode "
            "alternate");
}

TEST(FleetFileTest, ReadsBackAndVerifies) {
  Fleet fleet = Combined({EndedRunOn("a", "one", Around(0.05, 12, 0.1)),
                          RunOn("b", "two", Around(0.04, 9, 0.2))});
  fleet.failures = {"c: no record"};
  const std::string text = FleetToJson(fleet);
  EXPECT_TRUE(IsFleetText(text));
  ASSERT_OK_AND_ASSIGN(const Fleet read, ParseFleet(text, "f.json"));
  EXPECT_OK(VerifyFleet(read));
  EXPECT_EQ(read.failures, fleet.failures);
  EXPECT_EQ(read.hosts[1].records[0].source, "b.json");
  Fleet computed = read;
  ASSERT_OK(Combine(computed));
  EXPECT_EQ(FleetToJson(computed), text);
}

TEST(FleetFileTest, AForgedDecisionOrRoundIsFound) {
  const Fleet fleet = Combined({RunOn("a", "one", Around(0.05, 12, 0.1)),
                                RunOn("b", "two", Around(0.04, 9, 0.2))});
  Fleet forged = fleet;
  forged.combined.decision = Decision::kDiscard;
  EXPECT_EQ(VerifyFleet(forged).message(),
            "decision: the rounds give keep, the file says discard");
  forged = fleet;
  forged.combined.guards[1].log_e_keep += 1.0;
  EXPECT_THAT(std::string(VerifyFleet(forged).message()),
              HasSubstr("guards[1]: log_e_keep: the rounds give "));
  forged = fleet;
  forged.hosts[0].records[0].evidence.rounds[0].ratios.targets[0] = 1.0;
  EXPECT_THAT(std::string(VerifyFleet(forged).message()),
              HasSubstr("a.json: rounds[0]: ratios.targets[0]: "));
}

TEST(FleetFileTest, DamageIsNamed) {
  const std::string text =
      FleetToJson(Combined({RunOn("a", "one", Around(0.05, 12, 0.1))}));
  const auto error = [](const std::string& damaged) {
    return std::string(ParseFleet(damaged, "f.json").status().message());
  };
  EXPECT_EQ(error(text.substr(0, text.size() / 2)),
            "f.json: expected JSON, the text is damaged or cut off");
  EXPECT_EQ(error(absl::StrReplaceAll(text, {{"mean+veto", "mean"}})),
            "f.json: rule: expected one of mean+veto, each, got \"mean\"");
  EXPECT_EQ(error(absl::StrReplaceAll(text, {{"\"lost\"", "\"last\""}})),
            "f.json: hosts[0]: expected the key \"lost\", got none");
}

}  // namespace
}  // namespace autotune
