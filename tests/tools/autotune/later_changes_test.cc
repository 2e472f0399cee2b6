// What is done with attempts after their decision, or to make one of another's
// work: revert, revive, rework, adopt, harvest.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class LaterChangesTest : public AutotuneFixture {
 protected:
  // An attempt that is kept without measuring.
  void Claim(const std::string& approach, const std::string& status) {
    const Answer answer = Run({"record", approach, "--claim", status});
    ASSERT_EQ(answer.exit_code, status == "keep" ? 0 : 1) << answer.err;
  }
};

TEST_F(LaterChangesTest, RevertTakesAKeepOutAndLeavesLaterOnes) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  Claim("first", "keep");
  CommitAttempt("second", "src/second.cc", "second\n");
  Claim("second", "keep");
  const Answer answer = Run({"revert", "first", "--reason", "wrong on ARM"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/second.cc")}), "second\n");
  EXPECT_THAT(TaskFile("log.md"), HasSubstr("reverted: wrong on ARM"));
  const std::string tip = Git({"rev-parse", kBranch});
  EXPECT_EQ(Run({"revert", "first"}).out, answer.out);
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
  // It stays decided as it was.
  EXPECT_EQ(Run({"decide", "first"}).exit_code, 0);
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  ExpectSound();
}

TEST_F(LaterChangesTest, ALogThatIsGoneIsBegunAnewWithItsHeading) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  Claim("first", "keep");
  Git({"checkout", "-q", kBranch});
  Git({"rm", "-q", absl::StrCat("docs/autotune/", kTask, "/log.md")});
  Git({"commit", "-q", "-m", "no log"});
  Git({"checkout", "-q", "main"});
  const Answer answer = Run({"revert", "first", "--reason", "wrong on ARM"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(TaskFile("log.md"),
              testing::StartsWith(absl::StrCat("# Log for ", kTask, "\n")));
}

TEST_F(LaterChangesTest, RevertRefusesWhatLaterChangesBuildOn) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  Claim("first", "keep");
  CommitAttempt("second", "src/knob.txt", "100\n");
  Claim("second", "keep");
  const std::string tip = Git({"rev-parse", kBranch});
  const Answer answer = Run({"revert", "first"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("later changes build on first: "
                                    "src/knob.txt"));
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
  CommitAttempt("third", "src/third.cc", "x\n");
  Claim("third", "discard");
  EXPECT_EQ(Run({"revert", "third"}).exit_code, 69);
}

TEST_F(LaterChangesTest, ReviveBringsADiscardedChangeBackAsANewAttempt) {
  InitTask();
  const std::string folder = "docs/autotune/2026-01-02-knob/idea/";
  const std::string worktree = CommitAttempt("idea", "src/knob.txt", "300\n");
  ASSERT_OK(files().WriteFile(worktree + "/" + folder + "notes.md", "one\n"));
  GitIn(worktree, {"add", "-A"});
  GitIn(worktree, {"commit", "-q", "-m", "notes"});
  ASSERT_OK(files().WriteFile(worktree + "/" + folder + "notes.md", "two\n"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "more notes"});
  Claim("idea", "discard");
  const Answer answer = Run({"revive", "idea"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("attempt 002 idea-2 is open"));
  EXPECT_EQ(Run({"revive", "idea"}).out, answer.out);
  EXPECT_EQ(Run({"decide", "idea-2"}).exit_code, 0);
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(TaskFile("idea/notes.md"), "two\n");
}

TEST_F(LaterChangesTest, ReviveCombinesAttempts) {
  InitTask();
  CommitAttempt("a", "src/a.cc", "a\n");
  CommitAttempt("b", "src/knob.txt", "300\n");
  Claim("a", "discard");
  Claim("b", "discard");
  ASSERT_EQ(Run({"revive", "a", "b", "--as", "both"}).exit_code, 0);
  const std::string branch = "autotune-iter/2026-01-02-knob/003-both";
  EXPECT_EQ(Git({"show", branch + ":src/a.cc"}), "a\n");
  EXPECT_EQ(Git({"show", branch + ":src/knob.txt"}), "300\n");
  EXPECT_EQ(Run({"decide", "both"}).exit_code, 0);
}

TEST_F(LaterChangesTest, ReworkResolvesWhatTheTipMovedUnder) {
  InitTask();
  CommitAttempt("other", "src/other.cc", "x\n");
  const std::string worktree = CommitAttempt("mine", "src/knob.txt", "300\n");
  Claim("other", "keep");
  const Answer answer = Run({"rework", "mine"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_FALSE(files().Exists(worktree));
  EXPECT_EQ(GitLine({"for-each-ref", "--format=%(refname:short)",
                     "refs/heads/autotune-iter/2026-01-02-knob/*-mine"}),
            "autotune-iter/2026-01-02-knob/003-mine");
  EXPECT_EQ(Run({"decide", "mine"}).exit_code, 0);
  EXPECT_EQ(Rows(), 2);
}

TEST_F(LaterChangesTest, ConflictIsSaidWithItsWaysOut) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  CommitAttempt("second", "src/knob.txt", "310\n");
  Claim("first", "keep");
  const Answer conflict = Run({"decide", "second"});
  EXPECT_EQ(conflict.exit_code, 69);
  EXPECT_THAT(conflict.err,
              HasSubstr("second conflicts with the working branch: "
                        "src/knob.txt"));
  EXPECT_THAT(conflict.err, HasSubstr("autotune rework second"));
  const Answer rework = Run({"rework", "second"});
  EXPECT_EQ(rework.exit_code, 69);
  EXPECT_THAT(rework.err, HasSubstr("git cherry-pick"));
  const Answer crash = Run({"decide", "second", "--crash", "conflict"});
  EXPECT_EQ(crash.exit_code, 2) << crash.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

TEST_F(LaterChangesTest, AdoptTakesABranchMadeElsewhere) {
  InitTask();
  Git({"branch", "agent/faster-words", kBranch});
  Git({"worktree", "add", "-q", state() + "-agent", "agent/faster-words"});
  ASSERT_OK(files().WriteFile(state() + "-agent/src/knob.txt", "300\n"));
  GitIn(state() + "-agent", {"commit", "-q", "-a", "-m", "fewer words"});
  const Answer answer = Run({"adopt", "agent/faster-words"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("attempt 001 faster-words is open"));
  EXPECT_THAT(TaskFile("faster-words/prompts.md"), HasSubstr("fewer words"));
  EXPECT_EQ(Run({"decide", "faster-words"}).exit_code, 0);
  EXPECT_TRUE(files().Exists(state() + "-agent/src/knob.txt"));
  EXPECT_EQ(Run({"adopt", "no-such-branch"}).exit_code, 69);
  EXPECT_EQ(Run({"adopt", "main", "--as", "x"}).exit_code, 69);
  Git({"worktree", "remove", "--force", state() + "-agent"});
}

TEST_F(LaterChangesTest, HarvestMeasuresTheStartAgainstTheTip) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "less"}).exit_code, 0);
  const Answer answer = Run({"harvest", "--rounds", "6"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("start against tip: -"));
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  ASSERT_EQ(ledger.rows.size(), 2u);
  EXPECT_TRUE(IsBaseline(ledger.rows[1]));
  EXPECT_EQ(Run({"harvest"}).out, answer.out);
  EXPECT_EQ(Rows(), 2);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// Ten keeps after the last one, base against tip is measured afresh.
TEST_F(LaterChangesTest, EveryTenthKeepIsFollowedByAHarvest) {
  InitTask();
  Git({"switch", "-q", kBranch});
  std::string rows;
  for (int i = 0; i < 9; ++i) {
    absl::StrAppend(&rows,
                    "[[metric]]\n\"commit\" = \"\"\n\"status\" = "
                    "\"keep\"\n\"description\" = \"earlier\"\n"
                    "\"ratio\" = 0.99\n\"rounds\" = 20.0\n\n");
  }
  Write("docs/autotune/2026-01-02-knob/metric.toml", rows);
  Git({"commit", "-q", "-a", "-m", "nine keeps"});
  Git({"switch", "-q", "main"});
  const std::string worktree = CommitAttempt("tenth", "src/knob.txt", "300\n");
  // From where it is made, which is gone by the time of the harvest.
  const Answer answer = RunIn(worktree, {"decide", "tenth"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  ASSERT_EQ(ledger.rows.size(), 11u);
  EXPECT_EQ(ledger.rows[10].description,
            "baseline: the task's start against its tip after 10 keeps");
  const auto number = [&](const std::string& name) {
    for (const auto& [key, value] : ledger.rows[10].metrics) {
      if (key == name) return value;
    }
    return 0.0;
  };
  EXPECT_EQ(number("rounds"), 30.0);
  EXPECT_LT(number("ratio"), 0.5);
  EXPECT_LT(number("claimed_ratio"), 0.5);
  EXPECT_THAT(TaskFile("log.md"), HasSubstr("start against tip: "));
  // The next one is ten keeps away.
  CommitAttempt("eleventh", "src/knob.txt", "100\n");
  EXPECT_EQ(Run({"decide", "eleventh"}).exit_code, 0);
  EXPECT_EQ(Rows(), 12);
}

}  // namespace
}  // namespace autotune
