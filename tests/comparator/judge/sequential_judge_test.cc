#include "comparator/judge/sequential_judge.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comparator/outcome/outcome.h"
#include "comparator/policy/policy.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;

// A log-ratio around `centre` in round `i`: a little noise without a generator.
double Near(double centre, int i) { return centre + 0.001 * ((i * 7) % 5 - 2); }

// Plays `rounds` rounds with these centres, or fewer when finished before.
void Play(SequentialJudge& judge, int rounds,
          const std::vector<double>& target_centres,
          const std::vector<double>& guard_centres = {}) {
  for (int i = 0; i < rounds && !judge.finished(); ++i) {
    RoundRatios round;
    for (const double centre : target_centres) {
      round.targets.push_back(Near(centre, i));
    }
    for (const double centre : guard_centres) {
      round.guards.push_back(Near(centre, i + 3));
    }
    judge.Add(round);
  }
}

JudgeSettings Settings(std::vector<std::string> targets,
                       std::vector<JudgedGuard> guards = {}) {
  JudgeSettings settings;
  settings.targets = std::move(targets);
  settings.guards = std::move(guards);
  return settings;
}

TEST(SequentialJudgeTest, OneTargetIsDecidedByItsOwnTest) {
  SequentialJudge judge(Settings({"BM_A"}));
  EXPECT_EQ(judge.ruling().reason, "undecided after 0 rounds");
  EXPECT_EQ(judge.overall().estimate, std::nullopt);
  Play(judge, 40, {0.05});
  EXPECT_TRUE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "BM_A improved");
  EXPECT_EQ(judge.overall().name, "BM_A");
  EXPECT_EQ(judge.overall().verdict, Verdict::kImproved);
  EXPECT_EQ(judge.overall().reason, "");
  EXPECT_NEAR(judge.overall().estimate->ratio, std::exp(-0.05), 0.002);
  EXPECT_EQ(judge.overall().rounds, judge.rounds());
  EXPECT_GE(judge.overall().log_e_keep, judge.log_keep_limit());
  EXPECT_DOUBLE_EQ(judge.log_keep_limit(), std::log(20.0));
  EXPECT_DOUBLE_EQ(judge.log_discard_limit(), std::log(10.0));
  ASSERT_EQ(judge.targets().size(), 1u);
  EXPECT_EQ(judge.targets()[0].name, "BM_A");
}

TEST(SequentialJudgeTest, NoGainIsADiscardThatSaysWhatIsExcluded) {
  SequentialJudge judge(Settings({"BM_A"}));
  Play(judge, 40, {0.0});
  EXPECT_EQ(judge.decision(), Decision::kDiscard);
  EXPECT_EQ(judge.ruling().reason, "BM_A does not improve by 1 % or more");
  EXPECT_EQ(judge.overall().verdict, Verdict::kNoGain);
}

TEST(SequentialJudgeTest, UndecidedSaysAfterHowManyRounds) {
  SequentialJudge judge(Settings({"BM_A"}));
  Play(judge, 1, {0.05});
  EXPECT_FALSE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason, "undecided after 1 round");
  EXPECT_EQ(judge.overall().reason, "undecided after 1 round");
}

TEST(SequentialJudgeTest, HigherIsBetterTurnsTheRatioRound) {
  JudgeSettings settings = Settings({"BM_A"});
  settings.direction = Direction::kHigherIsBetter;
  SequentialJudge judge(settings);
  Play(judge, 40, {0.05});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_NEAR(judge.overall().estimate->ratio, std::exp(0.05), 0.002);
  EXPECT_GE(judge.overall().estimate->interval.lower.value(), 1.0);
}

TEST(SequentialJudgeTest, FinishedJudgesLookAtNoFurtherRound) {
  SequentialJudge judge(Settings({"BM_A"}));
  Play(judge, 40, {0.05});
  const std::size_t rounds = judge.rounds();
  judge.Add({.targets = {-1.0}, .guards = {}});
  EXPECT_EQ(judge.rounds(), rounds);
  EXPECT_EQ(judge.decision(), Decision::kKeep);
}

TEST(SequentialJudgeTest, AFixedNumberOfRoundsNeverFinishes) {
  JudgeSettings settings = Settings({"BM_A"});
  settings.stop_when_decided = false;
  SequentialJudge judge(settings);
  Play(judge, 30, {0.05});
  EXPECT_FALSE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.overall().rounds, 30u);
}

TEST(SequentialJudgeTest, SeveralTargetsAreJudgedByTheirGeometricMean) {
  SequentialJudge judge(Settings({"BM_A", "BM_B"}));
  Play(judge, 60, {0.08, -0.02});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "geometric mean of 2 benchmarks improved");
  EXPECT_EQ(judge.overall().name, "geomean");
  EXPECT_NEAR(judge.overall().estimate->ratio, std::exp(-0.03), 0.002);
  const std::vector<Comparison> targets = judge.targets();
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_NEAR(targets[0].estimate->ratio, std::exp(-0.08), 0.002);
  EXPECT_NEAR(targets[1].estimate->ratio, std::exp(0.02), 0.002);
}

TEST(SequentialJudgeTest, AKeepWaitsForEveryProveGuardWithTheTargetFrozen) {
  SequentialJudge judge(
      Settings({"BM_A"}, {{.name = "BM_G"}, {.name = "BM_H"}}));
  Play(judge, 8, {0.05}, {-0.0198, 0.0});
  ASSERT_EQ(judge.overall().verdict, Verdict::kImproved);
  const Comparison frozen = judge.overall();
  EXPECT_FALSE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason,
            "BM_A improved, but guard BM_G is not proven within 2 %");
  Play(judge, 40, {-1.0}, {0.0, 0.0});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "BM_A improved, 2 guards unharmed");
  EXPECT_EQ(judge.overall().rounds, frozen.rounds);
  EXPECT_EQ(judge.overall().log_e_keep, frozen.log_e_keep);
}

TEST(SequentialJudgeTest, AHarmedGuardDiscardsAtOnce) {
  SequentialJudge judge(Settings({"BM_A"}, {{.name = "BM_G\n"}}));
  Play(judge, 40, {0.0101}, {-0.2});
  EXPECT_TRUE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kDiscard);
  EXPECT_EQ(judge.ruling().reason, "guard BM_G\\n is worse by more than 2 %");
  const std::vector<Comparison> guards = judge.guards();
  ASSERT_EQ(guards.size(), 1u);
  EXPECT_EQ(guards[0].standing, MarginStanding::kBeyond);
  EXPECT_NEAR(guards[0].estimate->ratio, std::exp(0.2), 0.003);
  EXPECT_GE(guards[0].log_e_discard, std::log(10.0));
}

TEST(SequentialJudgeTest, EachOfSeveralGuardsMustReachItsShareToHarm) {
  // One guard needs e >= 10, four need e >= 40.
  std::vector<std::size_t> rounds;
  for (const std::size_t count : {1u, 4u}) {
    std::vector<JudgedGuard> guards(count, {.name = "BM_G"});
    std::vector<double> centres(count, 0.0);
    centres[0] = -0.2;
    SequentialJudge judge(Settings({"BM_A"}, guards));
    Play(judge, 40, {0.0101}, centres);
    EXPECT_EQ(judge.decision(), Decision::kDiscard);
    EXPECT_GE(judge.guards()[0].log_e_discard,
              std::log(10.0 * static_cast<double>(count)));
    rounds.push_back(judge.rounds());
  }
  EXPECT_LT(rounds[0], rounds[1]);
}

TEST(SequentialJudgeTest, AVetoGuardBlocksOnlyOnProvenHarm) {
  const std::vector<JudgedGuard> guards = {
      {.name = "peak_rss", .margin = 0.02, .mode = GuardMode::kVeto}};
  SequentialJudge undecided(Settings({"BM_A"}, guards));
  Play(undecided, 40, {0.05}, {-0.0198});
  EXPECT_EQ(undecided.decision(), Decision::kKeep);
  EXPECT_EQ(undecided.ruling().reason,
            "BM_A improved, no evidence of harm to 1 guard");
  SequentialJudge harmed(Settings({"BM_A"}, guards));
  Play(harmed, 40, {0.0101}, {-0.3});
  EXPECT_EQ(harmed.decision(), Decision::kDiscard);
  EXPECT_EQ(harmed.ruling().reason, "guard peak_rss is worse by more than 2 %");
}

TEST(SequentialJudgeTest, AnExactGuardIsComparedAsItIs) {
  const JudgedGuard exact = {
      .name = "binary_size", .margin = 0.02, .mode = GuardMode::kExact};
  SequentialJudge at_margin(Settings({"BM_A"}, {exact}));
  at_margin.Add({.targets = {0.05}, .guards = {-std::log1p(0.02)}});
  EXPECT_EQ(at_margin.guards()[0].standing, MarginStanding::kWithin);
  EXPECT_DOUBLE_EQ(at_margin.guards()[0].estimate->ratio, 1.02);
  SequentialJudge above(Settings({"BM_A"}, {exact}));
  above.Add({.targets = {0.05}, .guards = {-std::log1p(0.0201)}});
  EXPECT_EQ(above.decision(), Decision::kDiscard);
  EXPECT_EQ(above.ruling().reason,
            "guard binary_size is worse by more than 2 %");
  // Exact guards share no error probability with the others.
  SequentialJudge both(Settings({"BM_A"}, {exact, {.name = "BM_G"}}));
  for (int i = 0; i < 40 && !both.finished(); ++i) {
    both.Add({.targets = {0.0101}, .guards = {0.0, Near(-0.2, i)}});
  }
  SequentialJudge alone(Settings({"BM_A"}, {{.name = "BM_G"}}));
  for (int i = 0; i < 40 && !alone.finished(); ++i) {
    alone.Add({.targets = {0.0101}, .guards = {Near(-0.2, i)}});
  }
  EXPECT_EQ(both.rounds(), alone.rounds());
}

TEST(SequentialJudgeTest, AGainBeyondBeliefNeedsReview) {
  SequentialJudge judge(Settings({"BM_A"}, {{.name = "BM_G"}}));
  Play(judge, 40, {std::log(8.0)}, {0.0});
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_TRUE(judge.finished());
  EXPECT_EQ(judge.ruling().code, ReasonCode::kGainBeyondBelief);
  EXPECT_EQ(judge.ruling().reason,
            "needs review: BM_A is 8 times better; check that the work is "
            "still done");
  EXPECT_EQ(judge.overall().verdict, Verdict::kImproved);
}

TEST(SequentialJudgeTest, OneTargetBeyondBeliefHoldsBackTheMeanOfMany) {
  SequentialJudge judge(Settings({"BM_A", "BM_B", "BM_C"}));
  Play(judge, 40, {0.0, std::log(8.0), 0.0});
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason,
            "needs review: BM_B is 8 times better; check that the work is "
            "still done");
}

JudgeSettings EachOf(std::vector<std::string> targets) {
  JudgeSettings settings = Settings(std::move(targets));
  settings.rule = TargetRule::kEach;
  return settings;
}

TEST(SequentialJudgeTest, EachKeepsWhenOneImprovesAndTheOthersAreUnharmed) {
  SequentialJudge judge(EachOf({"BM_A", "BM_B", "BM_C"}));
  EXPECT_DOUBLE_EQ(judge.log_keep_limit(), std::log(60.0));
  Play(judge, 60, {0.0, 0.05, 0.0});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "BM_B improved");
  EXPECT_EQ(judge.overall().name, "BM_B");
  EXPECT_GE(judge.overall().log_e_keep, std::log(60.0));
}

TEST(SequentialJudgeTest, EachWaitsForTheOthers) {
  SequentialJudge judge(EachOf({"BM_A", "BM_B"}));
  Play(judge, 15, {0.05, -0.0198});
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason,
            "BM_A improved, but BM_B is not proven within 2 %");
}

TEST(SequentialJudgeTest, EachDiscardsWhenOneIsHarmed) {
  SequentialJudge judge(EachOf({"BM_A", "BM_B"}));
  Play(judge, 60, {0.012, -0.2});
  EXPECT_EQ(judge.decision(), Decision::kDiscard);
  EXPECT_EQ(judge.ruling().reason, "BM_B is worse by more than 2 %");
}

TEST(SequentialJudgeTest, EachDiscardsOnlyWhenNoTargetGains) {
  SequentialJudge judge(EachOf({"BM_A", "BM_B"}));
  Play(judge, 4, {0.0, 0.0});
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason, "BM_A and 1 more: undecided after 4 rounds");
  Play(judge, 60, {0.0, 0.0});
  EXPECT_EQ(judge.decision(), Decision::kDiscard);
  EXPECT_EQ(judge.ruling().reason, "none of 2 targets improves by 1 % or more");
  SequentialJudge one_open(EachOf({"BM_A", "BM_B"}));
  for (int i = 0; i < 8; ++i) {
    one_open.Add(
        {.targets = {Near(0.0, i), i % 2 == 0 ? 0.04 : -0.03}, .guards = {}});
  }
  EXPECT_EQ(one_open.targets()[0].verdict, Verdict::kNoGain);
  EXPECT_EQ(one_open.decision(), Decision::kInconclusive);
}

TEST(SequentialJudgeTest, EachHoldsBackAGainBeyondBelief) {
  SequentialJudge judge(EachOf({"BM_A", "BM_B"}));
  Play(judge, 60, {std::log(6.0), 0.0});
  EXPECT_EQ(judge.decision(), Decision::kInconclusive);
  EXPECT_EQ(judge.ruling().reason,
            "needs review: BM_A is 6 times better; check that the work is "
            "still done");
}

JudgeSettings GateOf(std::vector<std::string> targets) {
  JudgeSettings settings = Settings(std::move(targets));
  settings.kind = PolicyKind::kGate;
  return settings;
}

TEST(SequentialJudgeTest, AGatePassesWhenAllAreProvenNotWorse) {
  SequentialJudge judge(GateOf({"BM_A", "BM_B"}));
  EXPECT_EQ(judge.ruling().reason,
            "BM_A and 1 more are not proven within 2 % (alpha 0.05)");
  Play(judge, 60, {0.0, 0.2});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "2 benchmarks proven within the margins");
  EXPECT_EQ(judge.targets()[1].verdict, Verdict::kImproved);
  EXPECT_EQ(judge.overall().name, "geomean");
}

TEST(SequentialJudgeTest, AGateFailsWhenOneIsProvenWorse) {
  SequentialJudge judge(GateOf({"BM_A", "BM_B", "BM_C"}));
  Play(judge, 60, {0.0, -0.2, 0.0});
  EXPECT_TRUE(judge.finished());
  EXPECT_EQ(judge.decision(), Decision::kDiscard);
  EXPECT_EQ(judge.ruling().reason, "BM_B is worse by more than 2 %");
  EXPECT_EQ(judge.targets()[1].verdict, Verdict::kRegressed);
  // Adjusted: the evidence against one of three must be three times as large,
  // less what the others add to the average.
  EXPECT_GE(judge.targets()[1].log_e_discard, std::log(10.0));
}

TEST(SequentialJudgeTest, AGateJudgesEachByItsOwnMargin) {
  JudgeSettings settings = GateOf({"BM_A", "BM_B"});
  settings.target_margins = {0.02, 0.5};
  SequentialJudge judge(settings);
  Play(judge, 60, {0.0, -0.2});
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.targets()[1].verdict, Verdict::kEquivalent);
}

TEST(SequentialJudgeTest, AGateMayPassWithoutKnowingMore) {
  SequentialJudge judge(GateOf({"BM_A"}));
  for (int i = 0; i < 60 && !judge.finished(); ++i) {
    judge.Add({.targets = {i % 2 == 0 ? 0.035 : -0.012}, .guards = {}});
  }
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.overall().name, "BM_A");
  EXPECT_EQ(judge.overall().verdict, Verdict::kInconclusive);
  EXPECT_EQ(judge.overall().standing, MarginStanding::kWithin);
  EXPECT_EQ(judge.overall().reason, "");
}

TEST(SequentialJudgeTest, SettingsComeFromThePolicy) {
  Policy policy;
  policy.min_effect = 0.02;
  policy.alpha = 0.01;
  policy.beta = 0.2;
  policy.floor = 0.005;
  policy.review_ratio = 3.0;
  policy.default_margin = 0.04;
  policy.targets = TargetRule::kEach;
  policy.metric = "items_per_second";
  policy.margins = {{.benchmark_pattern = "^BM_Small", .margin = 0.07},
                    {.benchmark_pattern = "BM_", .margin = 0.03}};
  const JudgeSettings settings =
      MakeJudgeSettings(policy, {"BM_Small/1", "BM_Big", "Other"},
                        {{.name = "peak_rss", .margin = 0.1}});
  EXPECT_NEAR(settings.min_log_improvement, -std::log(0.98), 1e-15);
  EXPECT_EQ(settings.alpha, 0.01);
  EXPECT_EQ(settings.beta, 0.2);
  EXPECT_EQ(settings.floor, 0.005);
  EXPECT_EQ(settings.review_ratio, 3.0);
  EXPECT_EQ(settings.rule, TargetRule::kEach);
  EXPECT_EQ(settings.kind, PolicyKind::kTune);
  EXPECT_EQ(settings.direction, Direction::kHigherIsBetter);
  EXPECT_THAT(settings.target_margins, ElementsAre(0.07, 0.03, 0.04));
  ASSERT_EQ(settings.guards.size(), 1u);
  EXPECT_EQ(settings.guards[0].name, "peak_rss");
  EXPECT_TRUE(settings.stop_when_decided);
}

}  // namespace
}  // namespace autotune
