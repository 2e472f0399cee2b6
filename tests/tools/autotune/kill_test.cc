// kill -9 at every step, then the same command again: the same history, exactly
// one row, nothing left over.

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/number_text.h"
#include "comparator/evidence/evidence.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kKilled = 128 + SIGKILL;

class KillTest : public AutotuneFixture,
                 public testing::WithParamInterface<const char*> {
 protected:
  // Runs `arguments` with a kill at the parameter's step, then again.
  Answer RunTwice(const std::vector<std::string>& arguments) {
    const Answer killed =
        RunProgram(arguments, {{"AUTOTUNE_TEST_KILL_AT", GetParam()}});
    EXPECT_EQ(killed.exit_code, kKilled)
        << "step " << GetParam() << " was not reached: " << killed.err;
    return RunProgram(arguments);
  }

  std::vector<std::string> WorktreePaths() {
    std::vector<std::string> paths;
    for (absl::string_view line :
         absl::StrSplit(Git({"worktree", "list", "--porcelain"}), '\n')) {
      if (absl::StartsWith(line, "worktree "))
        paths.emplace_back(line.substr(9));
    }
    return paths;
  }
};

std::string StepName(const testing::TestParamInfo<const char*>& info) {
  std::string name;
  bool upper = true;
  for (const char* c = info.param; *c != '\0'; ++c) {
    if (*c == '-') {
      upper = true;
    } else {
      name.push_back(upper ? static_cast<char>(*c - 'a' + 'A') : *c);
      upper = false;
    }
  }
  return name;
}

class KillDecideTest : public KillTest {};

TEST_P(KillDecideTest, SecondRunGivesTheSameHistoryAndOneRow) {
  InitTask(GetParam() == std::string("holdouts-measured")
               ? std::vector<std::string>{"--holdout", "^BM_Hidden/",
                                          "--end-to-end", "^BM_Other/"}
               : std::vector<std::string>{});
  CommitAttempt("less", "src/knob.txt", "300\n");
  const std::string before = UserState();
  const Answer answer = RunTwice({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration less",
                                      "merge: autotune iteration less",
                                      "ledger: keep less"));
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(UserState(), before);
  EXPECT_THAT(WorktreePaths(), ElementsAre(repository()));
  ExpectSound();
  // And once more changes nothing.
  const std::string tip = Git({"rev-parse", kBranch});
  const Answer again = RunProgram({"decide", "less"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, answer.out);
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
}

INSTANTIATE_TEST_SUITE_P(Step, KillDecideTest,
                         testing::Values("tip-built", "attempt-built",
                                         "measuring-locked", "round-measured",
                                         "target-measured", "holdouts-measured",
                                         "integration-locked", "merge-built",
                                         "history-built", "record-ref-set",
                                         "branch-moved", "recorded",
                                         "worktree-removed"),
                         StepName);

class MidRoundTest : public AutotuneFixture {
 protected:
  // What the journal of the killed decision holds.
  Evidence ReadJournal() {
    std::string found;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(state())) {
      if (entry.path().extension() == ".jsonl") found = entry.path().string();
    }
    const auto text = files().ReadFile(found);
    EXPECT_OK(text);
    const auto evidence = ParseEvidence(text.value_or(""), found);
    EXPECT_OK(evidence);
    return evidence.value_or(Evidence());
  }
};

// What was measured before the kill is part of the decision, coins and all: no
// restart until it looks good.
TEST_F(MidRoundTest, MeasurementGoesOnWhereItWasKilled) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  for (std::size_t rounds = 1; rounds <= 2; ++rounds) {
    const Answer killed = RunProgram(
        {"decide", "less"}, {{"AUTOTUNE_TEST_KILL_AT", "round-measured"}});
    EXPECT_EQ(killed.exit_code, kKilled) << killed.err;
    EXPECT_EQ(ReadJournal().rounds.size(), rounds);
  }
  const Evidence before = ReadJournal();
  const Answer answer = RunProgram({"resume"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const auto after = ParseEvidence(TaskFile("less/evidence.json"), "evidence");
  ASSERT_OK(after);
  EXPECT_EQ(after->started, before.started);
  ASSERT_GT(after->rounds.size(), 2u);
  for (std::size_t i = 0; i < before.rounds.size(); ++i) {
    EXPECT_EQ(EvidenceRoundLine(after->rounds[i]),
              EvidenceRoundLine(before.rounds[i]));
  }
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// At moments that no step names, again and again, each run a little longer
// than the one before.
TEST_F(MidRoundTest, KilledAnywhereItEndsTheSame) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  const std::string before = UserState();
  int exit_code = kKilled;
  for (double seconds = 0.03; exit_code == kKilled || exit_code == 75;
       seconds *= 1.5) {
    ProcessSpec spec;
    spec.argv = {
        "timeout",        "--foreground", "-s",  "KILL", FixedText(seconds, 3),
        AUTOTUNE_PROGRAM, "decide",       "less"};
    spec.working_directory = repository();
    spec.environment = environment();
    const auto result = MakePosixProcessRunner()->Run(spec);
    ASSERT_OK(result);
    exit_code = result->exit_code;
  }
  EXPECT_EQ(exit_code, 0);
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration less",
                                      "merge: autotune iteration less",
                                      "ledger: keep less"));
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(UserState(), before);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

class KillDiscardTest : public KillTest {};

TEST_P(KillDiscardTest, RevertIsMadeOnce) {
  InitTask();
  CommitAttempt("same", "src/code.cc", "int Code() { return 2; }\n");
  const Answer answer = RunTwice({"decide", "same"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("no change"));
  EXPECT_THAT(
      Subjects(),
      ElementsAre(
          "task: start 2026-01-02-knob", "task: set policy.error_control",
          "plan: autotune iteration same", "merge: autotune iteration same",
          "Revert \"merge: autotune iteration same\"", "ledger: discard same"));
  EXPECT_EQ(Rows(), 1);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillDiscardTest,
                         testing::Values("merge-built", "history-built",
                                         "branch-moved"),
                         StepName);

class KillCrashTest : public KillTest {};

TEST_P(KillCrashTest, CrashIsRecordedOnce) {
  InitTask();
  CommitAttempt("broken", "src/knob.txt", "no number\n");
  const Answer answer = RunTwice({"decide", "broken", "--crash", "gave up"});
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Subjects().back(), "ledger: crash broken");
  EXPECT_EQ(Subjects().size(), 6u);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillCrashTest,
                         testing::Values("history-built", "record-ref-set",
                                         "branch-moved", "recorded"),
                         StepName);

class KillStartTest : public KillTest {};

TEST_P(KillStartTest, SecondRunOpensOneAttempt) {
  InitTask();
  const std::string before = UserState();
  const Answer answer =
      RunTwice({"start", "An Idea", "--hypothesis", "less work"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration an-idea"));
  EXPECT_EQ(GitLine({"for-each-ref", "--format=%(refname)",
                     "refs/heads/autotune-iter"}),
            "refs/heads/autotune-iter/2026-01-02-knob/001-an-idea");
  ASSERT_EQ(WorktreePaths().size(), 2u);
  EXPECT_EQ(GitIn(WorktreePaths()[1], {"status", "--porcelain"}), "");
  EXPECT_EQ(UserState(), before);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillStartTest,
                         testing::Values("task-commit-built",
                                         "task-commit-moved", "plan-committed",
                                         "attempt-branch-created",
                                         "worktree-cleared", "worktree-added"),
                         StepName);

class KillRevertTest : public KillTest {};

TEST_P(KillRevertTest, SecondRunRevertsOnce) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"record", "less", "--claim", "keep"}).exit_code, 0);
  const Answer answer = RunTwice({"revert", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  EXPECT_EQ(Rows(), 2);
  EXPECT_EQ(Subjects().size(), 7u);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillRevertTest,
                         testing::Values("revert-built", "revert-moved"),
                         StepName);

class KillReworkTest : public KillTest {};

TEST_P(KillReworkTest, SecondRunLeavesOneBranchOnTheTip) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"log", "moves the tip"}).exit_code, 0);
  const Answer answer = RunTwice({"rework", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const std::string branch =
      GitLine({"for-each-ref", "--format=%(refname:short)",
               "refs/heads/autotune-iter"});
  EXPECT_EQ(GitLine({"rev-parse", branch + "^"}),
            GitLine({"rev-parse", kBranch}));
  EXPECT_EQ(Git({"show", branch + ":src/knob.txt"}), "300\n");
  EXPECT_EQ(WorktreePaths().size(), 2u);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillReworkTest,
                         testing::Values("attempt-replayed",
                                         "reworked-branch-created",
                                         "old-attempt-kept"),
                         StepName);

class KillInitTest : public KillTest {};

TEST_P(KillInitTest, SecondRunMakesOneTask) {
  const std::string before = UserState();
  const Answer answer = RunTwice(
      {"init", "knob", "--target", "^BM_Knob/", "--configure", "", "--build",
       absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"), "--no-tests",
       "a knob", "--benchmark", "bench", "--no-calibration"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const std::string branches =
      GitLine({"for-each-ref", "--format=%(refname)", "refs/heads/autotune/"});
  EXPECT_THAT(branches,
              testing::MatchesRegex("refs/heads/autotune/[0-9-]+-knob"));
  EXPECT_EQ(UserState(), before);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Step, KillInitTest,
                         testing::Values("task-tried-out", "task-built",
                                         "task-created"),
                         StepName);

}  // namespace
}  // namespace autotune
