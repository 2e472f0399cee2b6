// One decision from start to its row: what is built, tested, measured, merged
// and recorded.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class DecisionTest : public AutotuneFixture {
 protected:
  MetricFile Ledger() { return ParseMetricFile(TaskFile("metric.toml"), "m"); }
};

TEST_F(DecisionTest, FasterAttemptIsKept) {
  InitTask();
  CommitAttempt("less work", "src/knob.txt", "300\n");
  const Answer answer = Run({"decide", "less-work"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("keep less-work: -"));
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration less-work",
                                      "merge: autotune iteration less-work",
                                      "ledger: keep less-work"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Rows(), 1);
  ExpectSound();
}

TEST_F(DecisionTest, SlowerAttemptIsDiscardedAndReverted) {
  InitTask();
  CommitAttempt("more", "src/knob.txt", "2700\n");
  const Answer answer = Run({"decide", "more"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(
      Subjects(),
      ElementsAre(
          "task: start 2026-01-02-knob", "task: set policy.error_control",
          "plan: autotune iteration more", "merge: autotune iteration more",
          "Revert \"merge: autotune iteration more\"", "ledger: discard more"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  ASSERT_EQ(Ledger().rows.size(), 1u);
  EXPECT_EQ(Ledger().rows[0].status, AttemptStatus::kDiscard);
  EXPECT_THAT(Ledger().rows[0].description, HasSubstr("more: less work"));
  EXPECT_THAT(TaskFile("more/evidence.json"), HasSubstr("\"discard\""));
}

TEST_F(DecisionTest, RowHoldsEveryNumberMeasured) {
  InitTask({"--guard", "^BM_Other/", "--end-to-end", "^BM_Hidden/"});
  CommitAttempt("less", "src/knob.txt", "300\n");
  // The guard has equal work on both sides and may stay undecided; what counts
  // here is what is recorded.
  Run({"task", "set", "policy.budget", "1s"});
  Run({"decide", "less"});
  std::vector<std::string> names;
  const MetricFile ledger = Ledger();
  ASSERT_EQ(ledger.rows.size(), 1u);
  for (const auto& [name, value] : ledger.rows[0].metrics) {
    names.push_back(name);
  }
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {"BM_Knob/iterations:4/repeats:3/cpu_time_ns",
                          "BM_Other/iterations:4/repeats:3/cpu_time_ns",
                          "peak_rss_bytes", "ratio", "rounds", "seconds"}));
}

TEST_F(DecisionTest, FailedTestRecordsNothingAndCrashDoes) {
  InitTask();
  const std::string worktree =
      CommitAttempt("broken", "src/knob.txt", "no number\n");
  const std::string tip = Git({"rev-parse", kBranch});
  const Answer failed = Run({"decide", "broken"});
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_THAT(failed.err, HasSubstr("test of the attempt: `grep"));
  EXPECT_THAT(failed.err, HasSubstr("ended with 1"));
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
  EXPECT_TRUE(files().Exists(worktree));
  const Answer crash = Run({"decide", "broken", "--crash", "no way"});
  EXPECT_EQ(crash.exit_code, 2);
  EXPECT_THAT(crash.out, HasSubstr("crash broken: no way"));
  EXPECT_EQ(Ledger().rows[0].status, AttemptStatus::kCrash);
  EXPECT_THAT(Ledger().rows[0].metrics, IsEmpty());
  EXPECT_FALSE(files().Exists(worktree));
}

TEST_F(DecisionTest, FixedAttemptIsDecided) {
  InitTask();
  const std::string worktree =
      CommitAttempt("fixed", "src/knob.txt", "no number\n");
  EXPECT_EQ(Run({"check", "fixed"}).exit_code, 2);
  ASSERT_OK(files().WriteFile(worktree + "/src/knob.txt", "300\n"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "fix"});
  EXPECT_EQ(Run({"check", "fixed"}).exit_code, 0);
  EXPECT_EQ(Run({"decide", "fixed"}).exit_code, 0);
}

TEST_F(DecisionTest, BenchmarkThatAbortsOrErrsCannotBeJudged) {
  InitTask();
  for (const char* word : {"abort", "error"}) {
    CommitAttempt(word, "src/knob.txt", absl::StrCat("300 ", word, "\n"));
    EXPECT_EQ(Run({"decide", word}).exit_code, 2) << word;
  }
  EXPECT_EQ(Rows(), 0);
}

TEST_F(DecisionTest, BuildThatHangsIsKilledAfterItsTime) {
  InitTask();
  ASSERT_EQ(
      Run({"task", "set", "commands.build_timeout", "1s"}).exit_code +
          Run({"task", "set", "commands.build", "sleep", "100"}).exit_code,
      0)
      << TaskFile("task.toml");
  CommitAttempt("x", "src/knob.txt", "300\n");
  const Answer answer = Run({"decide", "x"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("build of the tip: `sleep 100` took longer "
                                    "than 1s"));
}

TEST_F(DecisionTest, MissingBenchmarkProgramIsSaid) {
  InitTask();
  ASSERT_EQ(Run({"task", "set", "commands.build", "true"}).exit_code, 0);
  CommitAttempt("x", "src/knob.txt", "300\n");
  const Answer answer = Run({"decide", "x"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("the benchmark program is missing"));
}

TEST_F(DecisionTest, NothingChangedIsADiscardWithoutMeasuring) {
  InitTask();
  StartAttempt("empty");
  CommitAttempt("notes", "docs/autotune/2026-01-02-knob/notes/idea.md", "x\n");
  CommitAttempt("code", "src/code.cc", "int Code()  { return 1; }\n");
  for (const char* approach : {"empty", "notes", "code"}) {
    const Answer answer = Run({"decide", approach});
    EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("no change"));
    EXPECT_THAT(answer.out, Not(HasSubstr("rounds")));
  }
  const MetricFile ledger = Ledger();
  for (const MetricRow& row : ledger.rows) {
    EXPECT_THAT(row.metrics, IsEmpty());
  }
  // Notes stay although the code is reverted.
  EXPECT_EQ(TaskFile("notes/idea.md"), "x\n");
}

TEST_F(DecisionTest, MergeWithTheCurrentTipIsMeasured) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  CommitAttempt("second", "src/code.cc", "int Code() { return 3; }\n");
  EXPECT_EQ(Run({"decide", "first"}).exit_code, 0);
  // By itself "second" has 900 units: slower than the tip by far. Merged, its
  // program is the tip's.
  const Answer answer = Run({"decide", "second"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.out, HasSubstr("the programs are identical"));
}

TEST_F(DecisionTest, WhatWasLeftUncommittedInsideTheScopeIsCommitted) {
  InitTask();
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  const std::string notes =
      absl::StrCat("docs/autotune/", kTask, "/less/notes.md");
  ASSERT_OK(files().MakeDirectories(worktree + "/.claude"));
  for (const std::string& path :
       {std::string("src/forgotten.cc"), notes,
        std::string(".claude/settings.json"), std::string("bench/bench.txt")}) {
    ASSERT_OK(files().WriteFile(JoinPath(worktree, path), "x\n"));
  }
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.err,
              HasSubstr("left out of less, for it may not bring them: "
                        "bench/bench.txt, .claude/settings.json\n"
                        "committed what less left uncommitted: " +
                        notes + ", src/forgotten.cc\n"));
  const std::string branch = kBranch;
  EXPECT_EQ(Git({"show", branch + ":src/forgotten.cc"}), "x\n");
  EXPECT_EQ(Git({"show", branch + ":" + notes}), "x\n");
  EXPECT_EQ(Git({"show", branch + ":bench/bench.txt"}), "sealed\n");
  EXPECT_EQ(Git({"ls-tree", "-r", "--name-only", branch, ".claude"}), "");
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

TEST_F(DecisionTest, HoldoutProvenWorseTurnsAKeepIntoADiscard) {
  InitTask({"--holdout", "^BM_Hidden/"});
  EXPECT_THAT(TaskFile("task.toml"), HasSubstr("BM_Hidden"));
  CommitAttempt("overfit", "src/knob.txt", "300 overfit\n");
  EXPECT_THAT(TaskFile("overfit/prompts.md"), Not(HasSubstr("BM_Hidden")));
  const Answer answer = Run({"decide", "overfit"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("holdout ^BM_Hidden/ is proven worse"));
  EXPECT_THAT(TaskFile("overfit/holdout-1.json"), HasSubstr("BM_Hidden"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

TEST_F(DecisionTest, EndToEndGoesIntoTheRow) {
  InitTask({"--end-to-end", "^BM_Hidden/"});
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "less"}).exit_code, 0);
  double ratio = 1.0;
  const MetricFile ledger = Ledger();
  for (const auto& [name, value] : ledger.rows[0].metrics) {
    if (name == "end_to_end_ratio") ratio = value;
  }
  EXPECT_LT(ratio, 0.8);
}

TEST_F(DecisionTest, GuardProvenHarmedDiscards) {
  InitTask({"--guard", "^BM_Other/"});
  CommitAttempt("harm", "src/knob.txt", "300 harm\n");
  const Answer answer = Run({"decide", "harm"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("guard"));
}

TEST_F(DecisionTest, JsonHasTheDecisionAndItsNumbers) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  const Answer answer = Run({"decide", "less", "--json", "--quiet"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, testing::StartsWith("{\n  \"schema_version\": 1,\n"
                                              "  \"ok\": true,\n"
                                              "  \"verb\": \"decide\",\n"
                                              "  \"exit_code\": 0,\n"
                                              "  \"decision\": \"keep\""));
  for (const char* key :
       {"\"ratio\": 0.", "\"ratio_high\": ", "\"rounds\": ", "\"seconds\": ",
        "\"status\": \"keep\"", "\"next\": [\n"}) {
    EXPECT_THAT(answer.out, HasSubstr(key));
  }
}

TEST_F(DecisionTest, LevelFollowsTheTasksMeasuredDecisions) {
  InitTask();
  ASSERT_EQ(Run({"task", "set", "policy.error_control", "fdr"}).exit_code, 0);
  ASSERT_EQ(Run({"task", "set", "policy.horizon", "2"}).exit_code, 0);
  EXPECT_THAT(Run({"status"}).out,
              HasSubstr("level 0.05; 0 of 2 measured decisions used"));
  CommitAttempt("less", "src/knob.txt", "300\n");
  CommitAttempt("same", "src/code.cc", "int Code() { return 2; }\n");
  ASSERT_EQ(Run({"decide", "less"}).exit_code, 0);
  ASSERT_EQ(Run({"decide", "same"}).exit_code, 1);  // does not count
  CommitAttempt("lesser", "src/knob.txt", "100\n");
  EXPECT_THAT(Run({"status"}).out, HasSubstr("1 of 2 measured decisions used"));
  ASSERT_EQ(Run({"decide", "lesser"}).exit_code, 0);
  CommitAttempt("least", "src/knob.txt", "33\n");
  const Answer answer = Run({"decide", "least"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("autotune task set policy.horizon 4"));
  EXPECT_THAT(answer.err, Not(HasSubstr("building")));
  const std::string next = Run({"next"}).out;
  EXPECT_LT(next.find("autotune harvest"), next.find("task set"));
  EXPECT_LT(next.find("autotune task set policy.horizon 4"),
            next.find("autotune decide least"));
}

}  // namespace
}  // namespace autotune
