#include "tools/measure/interleaved_run.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/measure/measure_world.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

absl::StatusOr<Evidence> RunQuick(const RunPlan& plan) {
  MeasureWorld world;
  RecordingObserver observer;
  return RunInterleaved(plan, world.seams(), observer);
}

TEST(RunInterleavedTest, ABetterContenderIsKept) {
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunQuick(QuickPlan(Worker(300), Worker(200))));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  EXPECT_NEAR(evidence.overall.estimate->ratio, 2.0 / 3.0, 1e-12);
  EXPECT_EQ(evidence.turn_seconds, std::nullopt);
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RunInterleavedTest, AWorseContenderIsDiscarded) {
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunQuick(QuickPlan(Worker(200), Worker(300))));
  EXPECT_EQ(evidence.decision, Decision::kDiscard) << evidence.reason;
  EXPECT_NEAR(evidence.overall.estimate->ratio, 1.5, 1e-12);
  EXPECT_OK(VerifyEvidence(evidence));
}

// Ten times the work: no noise turns that round, however busy the machine.
TEST(RunInterleavedTest, CpuTimeIsJudgedInBothOneCpuModes) {
  for (const MeasureMode mode : {MeasureMode::kTurns, MeasureMode::kDuet}) {
    RunPlan plan = QuickPlan(Worker(1000), Worker(100));
    plan.policy.metric = "auto";
    plan.policy.direction.reset();
    plan.policy.review_ratio = 100.0;
    plan.policy.mode = mode;
    plan.visit_seconds = 0.06;
    ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
    EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
    EXPECT_LT(evidence.overall.estimate->ratio, 0.5);
    EXPECT_EQ(evidence.metric.name, "cpu_time");
    EXPECT_EQ(evidence.turn_seconds.value_or(0.0),
              mode == MeasureMode::kTurns ? 0.02 : 0.0);
    EXPECT_OK(VerifyEvidence(evidence));
  }
}

TEST(RunInterleavedTest, EqualProgramsAreDiscardedWithoutARound) {
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunQuick(QuickPlan(Worker(100), Worker(100))));
  EXPECT_TRUE(evidence.identical);
  EXPECT_EQ(evidence.decision, Decision::kDiscard);
  EXPECT_EQ(evidence.reason,
            "unchanged: the two programs are equal in all that a visit uses");
  EXPECT_THAT(evidence.rounds, IsEmpty());
  EXPECT_OK(VerifyEvidence(evidence));
  RunPlan gate = QuickPlan(Worker(100), Worker(100));
  gate.policy.kind = PolicyKind::kGate;
  ASSERT_OK_AND_ASSIGN(const Evidence passed, RunQuick(gate));
  EXPECT_EQ(passed.decision, Decision::kKeep) << "nothing is lost";
  EXPECT_OK(VerifyEvidence(passed));
}

TEST(RunInterleavedTest, FixedRoundsAreAllMeasuredWhateverTheyShow) {
  RunPlan plan = QuickPlan(Worker(300), Worker(100));
  plan.fixed_rounds = 8;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
  EXPECT_EQ(evidence.overall.rounds, 8U);
  EXPECT_EQ(evidence.decision, Decision::kKeep);
  EXPECT_OK(VerifyEvidence(evidence));
}

// Five times the set-up would be 70 repetitions of 15 ms a visit.
TEST(RunInterleavedTest, ASetUpThatTakesLongGetsShortVisits) {
  RunPlan plan = QuickPlan(Worker(200), Worker(100));
  plan.policy.mode = MeasureMode::kAuto;
  plan.baseline.environment["MEASURED_SETUP_MS"] = "300";
  plan.contender.environment["MEASURED_SETUP_MS"] = "300";
  MeasureWorld world;
  RecordingObserver observer;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(evidence.decision, Decision::kKeep);
  EXPECT_EQ(evidence.overall.rounds, 5U);
  EXPECT_LE(evidence.repetitions, 20);
  EXPECT_THAT(observer.notes, Contains(ContainsRegex(
                                  "^a round takes about [0-9.]+ s, a decision "
                                  "5 rounds or more: at least [0-9.]+ s$")));
}

// A plan of own copies of the program, whose contender another build replaces
// after the first round.
class ReplacedProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"old", "new"}) {
      ASSERT_OK(world_.files().CopyFile(MEASURED_PROGRAM,
                                        world_.folder().Join(name)));
    }
    plan_.baseline.program = world_.folder().Join("old");
    plan_.contender.program = contender();
    observer_.on_round = [this] {
      ASSERT_OK(world_.files().WriteFile(contender(), "#!/bin/false\n"));
    };
  }
  std::string contender() { return world_.folder().Join("new"); }

  MeasureWorld world_;
  RecordingObserver observer_;
  RunPlan plan_ = QuickPlan(Worker(200), Worker(100));
};

TEST_F(ReplacedProgramTest, CopiesStayTheProgramOfTheStart) {
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan_, world_.seams(), observer_));
  EXPECT_EQ(evidence.decision, Decision::kKeep);
  EXPECT_THAT(
      evidence.warnings,
      Contains(absl::StrCat(
          "contender: ", contender(),
          " or a library of it was replaced while it was measured: the "
          "decision is about the one that was there at the start, sha256 ",
          evidence.contender.sha256.substr(0, 12))));
}

TEST_F(ReplacedProgramTest, WhatRunsInPlaceCannotBeJudged) {
  plan_.in_place = true;
  plan_.policy.max_rounds = 1;
  EXPECT_THAT(RunInterleaved(plan_, world_.seams(), observer_),
              StatusIs(StatusCode::kAborted,
                       "contender: " + contender() +
                           " or a library of it was replaced while it was "
                           "measured: measure again when its build has ended"));
}

TEST(RunInterleavedTest, EveryPositionIsDrawnForBothSides) {
  RunPlan plan = QuickPlan(Worker(100), Worker(100));
  plan.measure_identical = true;
  plan.fixed_rounds = 7;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
  int first = 0;
  int copy = 0;
  for (const RoundEvidence& round : evidence.rounds) {
    first += round.baseline_first ? 1 : 0;
    copy += round.baseline_copy;
    EXPECT_EQ(round.baseline.file_copy, round.baseline_copy);
    EXPECT_EQ(round.contender.file_copy, 1 - round.baseline_copy);
    EXPECT_EQ(round.baseline.start_seconds < round.contender.start_seconds,
              round.baseline_first);
  }
  // Seeded coins: neither outcome is missing.
  EXPECT_GT(first, 0);
  EXPECT_LT(first, static_cast<int>(evidence.rounds.size()));
  EXPECT_GT(copy, 0);
  EXPECT_LT(copy, static_cast<int>(evidence.rounds.size()));
}

TEST(RunInterleavedTest, AnUndecidedRunCanBeContinuedAndNothingIsLost) {
  MeasureWorld world;
  RecordingObserver observer;
  RunPlan plan = QuickPlan(Worker(100), Worker(100));
  plan.measure_identical = true;
  plan.journal_path = world.folder().Join("evidence.json");
  plan.policy.max_rounds = 2;
  ASSERT_OK_AND_ASSIGN(const Evidence first,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(first.decision, Decision::kInconclusive);
  EXPECT_EQ(first.overall.rounds, 2U);

  EXPECT_THAT(
      RunInterleaved(plan, world.seams(), observer),
      StatusIs(StatusCode::kFailedPrecondition,
               absl::StrCat(plan.journal_path, ": holds ", first.rounds.size(),
                            " measured rounds: continue it with "
                            "--resume, or name another file")));

  plan.resume = true;
  plan.policy.budget_seconds = 77;
  ASSERT_OK_AND_ASSIGN(const Evidence second,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(second.overall.rounds, 4U);
  EXPECT_EQ(second.started, first.started);
  EXPECT_GT(second.measuring_seconds, first.measuring_seconds);
  EXPECT_EQ(second.rounds[0].ratios.targets, first.rounds[0].ratios.targets);
  EXPECT_OK(VerifyEvidence(second));

  ASSERT_OK_AND_ASSIGN(const std::string text,
                       world.files().ReadFile(plan.journal_path));
  ASSERT_OK_AND_ASSIGN(const Evidence journal, ParseEvidence(text, "j"));
  EXPECT_EQ(journal.rounds.size(), second.rounds.size());
}

TEST(RunInterleavedTest, ARunIsNotContinuedWithOtherProgramsOrRules) {
  MeasureWorld world;
  RecordingObserver observer;
  RunPlan plan = QuickPlan(Worker(100), Worker(100));
  plan.measure_identical = true;
  plan.journal_path = world.folder().Join("j");
  plan.policy.max_rounds = 1;
  ASSERT_OK(RunInterleaved(plan, world.seams(), observer));
  plan.resume = true;
  plan.policy.min_effect = 0.02;
  EXPECT_THAT(RunInterleaved(plan, world.seams(), observer),
              StatusIs(StatusCode::kFailedPrecondition,
                       plan.journal_path +
                           ": was measured with another policy: give it again "
                           "to continue, or another evidence file to begin "
                           "anew"));
  plan.policy.min_effect = 0.01;
  const std::string changed = world.folder().Join("measured_program");
  ASSERT_OK(world.files().CopyFile(MEASURED_PROGRAM, changed));
  ASSERT_OK(world.files().AppendFile(changed, "\n"));
  plan.contender.program = changed;
  EXPECT_THAT(RunInterleaved(plan, world.seams(), observer),
              StatusIs(StatusCode::kFailedPrecondition,
                       HasSubstr("was measured with another contender "
                                 "program")));
}

TEST(RunInterleavedTest, AnInterruptedRunLeavesAJournalThatGoesOn) {
  MeasureWorld world;
  RecordingObserver observer;
  observer.stop_after = 2;
  RunPlan plan = QuickPlan(Worker(300), Worker(100));
  plan.journal_path = world.folder().Join("j");
  EXPECT_THAT(RunInterleaved(plan, world.seams(), observer),
              StatusIs(StatusCode::kCancelled,
                       ContainsRegex("^interrupted after [12] rounds; what was "
                                     "measured can be continued$")));
  // What a kill in the middle of an append leaves behind.
  ASSERT_OK(world.files().AppendFile(plan.journal_path, "{\"index\":2,\"ba"));
  plan.resume = true;
  RecordingObserver patient;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan, world.seams(), patient));
  EXPECT_EQ(evidence.decision, Decision::kKeep);
  EXPECT_EQ(evidence.rounds.size(), patient.rounds.size() + 2);
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RunInterleavedTest, ACrashCannotBeJudged) {
  EXPECT_THAT(RunQuick(QuickPlan(Worker(100), Behaving("crash"))),
              StatusIs(StatusCode::kAborted,
                       AllOf(StartsWith("contender: killed by signal 11 (it "
                                        "said: "),
                             HasSubstr(MEASURED_PROGRAM
                                       " '--benchmark_filter=^BM_Work$' "))));
}

TEST(RunInterleavedTest, AHangIsKilledAndCannotBeJudged) {
  RunPlan plan = QuickPlan(Worker(100), Behaving("hang"));
  plan.visit_timeout = absl::Milliseconds(1500);
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kAborted,
                       StartsWith("contender: killed after 1.5s (it said: ")));
}

TEST(RunInterleavedTest, AnExitCodeCannotBeJudged) {
  EXPECT_THAT(RunQuick(QuickPlan(Behaving("exit3"), Worker(100))),
              StatusIs(StatusCode::kAborted,
                       StartsWith("baseline: exit code 3 (it said: ")));
}

TEST(RunInterleavedTest, AnErroredBenchmarkCannotBeJudgedThoughItExitsZero) {
  EXPECT_THAT(RunQuick(QuickPlan(Worker(100), Behaving("error"))),
              StatusIs(StatusCode::kAborted,
                       "contender: \"BM_Work\" failed: the data set is "
                       "missing"));
}

TEST(RunInterleavedTest, AProgramThatIsNoBenchmarkIsToldSo) {
  SideCommand foreign;
  foreign.program = FOREIGN_PROGRAM;
  EXPECT_THAT(
      RunQuick(QuickPlan(Worker(100), foreign)),
      StatusIs(StatusCode::kAborted,
               StartsWith("contender: wrote no results; it must be a Google "
                          "Benchmark that takes --benchmark_out (it said: "
                          "usage: foreign [FILE]): " FOREIGN_PROGRAM)));
}

TEST(RunInterleavedTest, AFilterThatMatchesNothingIsNamed) {
  RunPlan plan = QuickPlan(Worker(100), Worker(300));
  plan.target_filter = "BM_None";
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kInvalidArgument,
                       "filter \"BM_None\": no benchmark matches it"));
  plan.contender = Behaving("extra");
  plan.target_filter = "BM_WorkExtra";
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kAborted,
                       StartsWith("baseline: no benchmark matches "
                                  "\"BM_WorkExtra\": " MEASURED_PROGRAM)));
}

TEST(RunInterleavedTest, WhatWasAddedIsListedWhereThePolicySaysSo) {
  RunPlan plan = QuickPlan(Worker(100), Behaving("extra"));
  plan.target_filter = "^BM_Work";
  plan.policy.added = AddedRule::kList;
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
  EXPECT_THAT(evidence.only_in_contender, testing::ElementsAre("BM_WorkExtra"));
  EXPECT_THAT(evidence.settings.targets, testing::ElementsAre("BM_Work"));
  std::swap(plan.baseline, plan.contender);
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kAborted,
                       "contender: lacks the baseline's benchmark "
                       "\"BM_WorkExtra\": both sides must hold the same "
                       "benchmarks; narrow the filter"));
}

TEST(RunInterleavedTest, DifferentBenchmarksCannotBeCompared) {
  RunPlan plan = QuickPlan(Worker(100), Behaving("extra"));
  plan.target_filter = "^BM_Work";
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kAborted,
                       "baseline: lacks the contender's benchmark "
                       "\"BM_WorkExtra\": both sides must hold the same "
                       "benchmarks; narrow the filter"));
}

TEST(RunInterleavedTest, AMissingProgramIsNotFound) {
  SideCommand missing;
  missing.program = "/no/such/bench";
  EXPECT_THAT(RunQuick(QuickPlan(Worker(100), missing)),
              StatusIs(StatusCode::kNotFound,
                       StartsWith("contender: /no/such/bench: ")));
}

TEST(RunInterleavedTest, ABadPolicyIsRefusedBeforeAnythingRuns) {
  RunPlan plan = QuickPlan(Worker(100), Worker(300));
  plan.policy.min_effect = 0.0;
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kInvalidArgument, StartsWith("policy: ")));
  plan = QuickPlan(Worker(100), Worker(300));
  plan.alpha_override = 1.0;
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kInvalidArgument,
                       "alpha: expected a level in (0, 1), got 1"));
  plan = QuickPlan(Worker(100), Worker(300));
  plan.fixed_rounds = 0;
  EXPECT_THAT(RunQuick(plan), StatusIs(StatusCode::kInvalidArgument,
                                       "rounds: expected at least 1, got 0"));
}

TEST(RunInterleavedTest, TurnsCannotMeasureRealTime) {
  RunPlan plan = QuickPlan(Worker(100), Worker(300));
  plan.policy.metric = "auto";
  plan.policy.direction.reset();
  plan.policy.mode = MeasureMode::kTurns;
  plan.target_filter = "^BM_Wall/real_time$";
  EXPECT_THAT(RunQuick(plan),
              StatusIs(StatusCode::kInvalidArgument,
                       "mode turns: measures cpu_time only, got metric "
                       "real_time: use mode alternate"));
}

TEST(RunInterleavedTest, AHarmedGuardDiscardsABetterContender) {
  MeasureWorld world;
  RecordingObserver observer;
  RunPlan plan = QuickPlan(Worker(300), Worker(200));
  plan.contender.program = world.folder().Join("larger_program");
  ASSERT_OK(world.files().CopyFile(MEASURED_PROGRAM, plan.contender.program));
  ASSERT_OK_AND_ASSIGN(const FileInfo info,
                       world.files().Info(MEASURED_PROGRAM));
  ASSERT_OK(world.files().AppendFile(plan.contender.program,
                                     std::string(info.size, '\0')));
  Guard guard;
  guard.metric = "binary_size";
  guard.margin = 0.5;
  plan.policy.guards = {guard};
  ASSERT_OK_AND_ASSIGN(const Evidence evidence,
                       RunInterleaved(plan, world.seams(), observer));
  EXPECT_EQ(evidence.decision, Decision::kDiscard);
  EXPECT_EQ(evidence.reason, "guard binary_size is worse by more than 50 %");
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RunInterleavedTest, CountersOfTargetsAndOthersAreGuarded) {
  RunPlan plan = QuickPlan(Worker(300), Worker(200));
  Guard counter;
  counter.metric = "fixed";
  plan.guard_filter = "^BM_Steady$";
  plan.policy.guards = {counter};
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  ASSERT_THAT(evidence.guards, SizeIs(2));
  EXPECT_EQ(evidence.guards[0].name, "BM_Steady [fixed]");
  EXPECT_EQ(evidence.guards[1].name, "BM_Steady");
  for (const Comparison& guard : evidence.guards) {
    EXPECT_EQ(guard.standing, MarginStanding::kWithin) << guard.name;
  }
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RunInterleavedTest, ABenchmarkThatPublishesAggregatesOnlyIsJudgedByThem) {
  RunPlan plan = QuickPlan(Worker(300), Worker(200));
  plan.target_filter = "^BM_Published";
  ASSERT_OK_AND_ASSIGN(const Evidence evidence, RunQuick(plan));
  EXPECT_EQ(evidence.decision, Decision::kKeep) << evidence.reason;
  EXPECT_THAT(evidence.rounds[0].baseline.benchmarks[0].values,
              testing::ElementsAre(300.0));
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(RunInterleavedTest, AFullDiskIsReportedAndNothingMeasuredIsLost) {
  MeasureWorld world;
  RunPlan plan = QuickPlan(Worker(100), Worker(100));
  plan.measure_identical = true;
  plan.policy.max_rounds = 1;
  RecordingObserver observer;
  FaultyFileSystem counting(world.files());
  plan.journal_path = world.folder().Join("whole");
  ASSERT_OK(RunInterleaved(plan, world.seams(counting), observer));
  for (int n = 0; n + 1 < counting.writes(); n += 3) {
    FaultyFileSystem faulty(world.files(), n);
    plan.journal_path = world.folder().Join(absl::StrCat("journal", n));
    EXPECT_THAT(RunInterleaved(plan, world.seams(faulty), observer),
                StatusIs(StatusCode::kResourceExhausted, EndsWith("disk full")))
        << n;
    const auto text = world.files().ReadFile(plan.journal_path);
    if (text.ok()) {
      EXPECT_OK(ParseEvidence(*text, "j"));
    }
  }
}

}  // namespace
}  // namespace autotune
