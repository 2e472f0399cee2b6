// Verbs other than init, start, decide, on real repositories.

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

class VerbsTest : public AutotuneFixture {
 protected:
  // An attempt that is kept without measuring.
  void Claim(const std::string& approach, const std::string& status) {
    const Answer answer = Run({"record", approach, "--claim", status});
    ASSERT_EQ(answer.exit_code, status == "keep" ? 0 : 1) << answer.err;
  }
};

TEST_F(VerbsTest, RevertTakesAKeepOutAndLeavesLaterOnes) {
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

TEST_F(VerbsTest, RevertRefusesWhatLaterChangesBuildOn) {
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

TEST_F(VerbsTest, ReviveBringsADiscardedChangeBackAsANewAttempt) {
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

TEST_F(VerbsTest, ReviveCombinesAttempts) {
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

TEST_F(VerbsTest, ReworkResolvesWhatTheTipMovedUnder) {
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

TEST_F(VerbsTest, ConflictIsSaidWithItsWaysOut) {
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

TEST_F(VerbsTest, AdoptTakesABranchMadeElsewhere) {
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

TEST_F(VerbsTest, AuditSeesForgedNumbersAndRewrittenRows) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  Git({"switch", "-q", kBranch});
  const std::string folder = "docs/autotune/2026-01-02-knob/";
  std::string row = Read(folder + "metric.toml");
  row.replace(row.find("\"keep\""), 6, "\"crash\"");
  Write(folder + "metric.toml", row);
  std::string evidence = Read(folder + "first/evidence.json");
  const std::size_t coin = evidence.find("\"value\":");
  ASSERT_NE(coin, std::string::npos);
  evidence.replace(coin, 8, "\"value\":1");
  Write(folder + "first/evidence.json", evidence);
  Git({"commit", "-q", "-a", "-m", "improve the numbers"});
  const Answer answer = Run({"audit"});
  EXPECT_EQ(answer.exit_code, 65);
  EXPECT_THAT(answer.out, HasSubstr("decided keep but its row says crash"));
  EXPECT_THAT(answer.out, HasSubstr("rewrote earlier rows"));
  EXPECT_THAT(answer.out, testing::ContainsRegex("findings\n.*first: "));
}

TEST_F(VerbsTest, AuditRepairMendsAUnionMerge) {
  InitTask();
  CommitAttempt("first", "src/a.cc", "a\n");
  Claim("first", "keep");
  CommitAttempt("second", "src/b.cc", "b\n");
  Claim("second", "keep");
  Git({"switch", "-q", kBranch});
  const std::string path = "docs/autotune/2026-01-02-knob/metric.toml";
  std::string text = Read(path);
  const std::size_t second = text.find("\n[[metric]]", 1);
  ASSERT_NE(second, std::string::npos);
  text.erase(second, 12);  // two tables become one with duplicate keys
  Write(path, text);
  Git({"commit", "-q", "-a", "-m", "union merge"});
  EXPECT_EQ(Run({"audit"}).exit_code, 65);
  Run({"audit", "--repair"});
  EXPECT_EQ(ParseMetricFile(TaskFile("metric.toml"), "m").rows.size(), 2u);
}

TEST_F(VerbsTest, HarvestMeasuresTheStartAgainstTheTip) {
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
TEST_F(VerbsTest, EveryTenthKeepIsFollowedByAHarvest) {
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

TEST_F(VerbsTest, ShowPrintsTheTipsFiles) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"log", "a finding"}).exit_code, 0);
  EXPECT_THAT(Run({"show", "log"}).out, HasSubstr("- a finding"));
  EXPECT_THAT(Run({"show", "task"}).out, HasSubstr("^BM_Knob/"));
  EXPECT_EQ(Run({"show", "ledger"}).exit_code, 0);
  EXPECT_THAT(Run({"show", "prompt", "less"}).out, HasSubstr("## Hypothesis"));
  EXPECT_THAT(Run({"show", "attempt", "less"}).out, HasSubstr("open 001 less"));
  const Answer unknown = Run({"show", "lgo"});
  EXPECT_EQ(unknown.exit_code, 64);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean log?"));
  EXPECT_EQ(Run({"show", "prompt"}).exit_code, 64);
  EXPECT_THAT(Run({"show", "attempt", "les"}).err,
              HasSubstr("did you mean less?"));
}

TEST_F(VerbsTest, TaskSetKeepsCommentsAndRefusesNonsense) {
  InitTask();
  const std::string before = TaskFile("task.toml");
  EXPECT_EQ(Run({"task", "set", "policy.budget", "77s"}).exit_code, 0);
  EXPECT_THAT(TaskFile("task.toml"), HasSubstr("budget = \"77s\""));
  EXPECT_THAT(TaskFile("task.toml"), HasSubstr("# "));
  const std::string tip = Git({"rev-parse", kBranch});
  EXPECT_EQ(Run({"task", "set", "policy.min_effect", "-1"}).exit_code, 65);
  const Answer typo = Run({"task", "set", "policy.budgt", "1s"});
  EXPECT_EQ(typo.exit_code, 65);
  EXPECT_THAT(typo.err, HasSubstr("did you mean budget?"));
  EXPECT_EQ(Run({"task", "set", "task.base", "x"}).exit_code, 65);
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
  EXPECT_EQ(Run({"task", "set", "scope.edit", "src/**", "lib/**"}).exit_code,
            0);
  EXPECT_THAT(TaskFile("task.toml"),
              HasSubstr("edit = [\"src/**\", \"lib/**\"]"));
}

TEST_F(VerbsTest, NextNamesTheAttemptToDecideThenANewOne) {
  InitTask();
  EXPECT_THAT(Run({"next"}).out,
              HasSubstr("autotune start APPROACH --hypothesis TEXT   # micro"));
  CommitAttempt("less", "src/knob.txt", "300\n");
  EXPECT_THAT(Run({"next"}).out, HasSubstr("autotune decide less"));
}

TEST_F(VerbsTest, DoctorFindsWhatStopsVerbs) {
  EXPECT_EQ(Run({"doctor"}).exit_code, 0);
  EXPECT_THAT(Run({"doctor"}).out, HasSubstr("autotune doctor --install"));
  EXPECT_EQ(Run({"doctor", "--install"}).exit_code, 0);
  EXPECT_EQ(GitLine({"config", "merge.autotune-metric.driver"}),
            "autotune merge-metric %O %A %B");
  Git({"branch", "autotune"});
  const Answer answer = Run({"doctor"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.out, HasSubstr("git branch -m autotune another-name"));
}

TEST_F(VerbsTest, MergeDriverJoinsWholeEntries) {
  Write("base", "");
  Write("ours",
        "[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"a\"\n\n");
  Write("theirs",
        "[[metric]]\n\"status\" = \"crash\"\n\"description\" = \"b\"\n\n");
  EXPECT_EQ(Run({"merge-metric", "base", "ours", "theirs"}).exit_code, 0);
  EXPECT_EQ(ParseMetricFile(Read("ours"), "ours").rows.size(), 2u);
}

// Two clones recorded an attempt each: the merge driver that init names and
// doctor sets up keeps both rows whole.
TEST_F(VerbsTest, ClonesLedgersMergeByWholeEntries) {
  InitTask();
  const std::string folder = "docs/autotune/2026-01-02-knob/";
  EXPECT_EQ(TaskFile(".gitattributes"), "metric.toml merge=autotune-metric\n");
  const std::string clone = state() + "-clone";
  Git({"clone", "-q", "-b", kBranch, repository(), clone});
  GitIn(clone, {"config", "user.name", "B"});
  GitIn(clone, {"config", "user.email", "b@example.org"});
  CommitAttempt("mine", "src/a.cc", "a\n");
  Claim("mine", "keep");
  ASSERT_EQ(RunIn(clone, {"start", "theirs", "--hypothesis", "less"}).exit_code,
            0);
  ASSERT_EQ(RunIn(clone, {"record", "theirs", "--claim", "discard"}).exit_code,
            1);
  ASSERT_EQ(Run({"doctor", "--install"}).exit_code, 0);
  const std::string tools =
      std::string(AUTOTUNE_PROGRAM)
          .substr(0, std::string(AUTOTUNE_PROGRAM).rfind('/'));
  Git({"switch", "-q", kBranch});
  ProcessSpec pull;
  pull.argv = {"git",
               "-c",
               "merge.autotune-metric.driver=\"" + tools +
                   "/autotune\" merge-metric %O %A %B",
               "pull",
               "-q",
               "--no-rebase",
               "--no-edit",
               clone,
               kBranch};
  pull.working_directory = repository();
  const auto pulled = MakePosixProcessRunner()->Run(pull);
  ASSERT_OK(pulled);
  // log.md of both sides is for a person; metric.toml is whole.
  const MetricFile merged =
      ParseMetricFile(Read(folder + "metric.toml"), "metric.toml");
  ASSERT_EQ(merged.rows.size(), 2u) << pulled->standard_error;
  EXPECT_THAT(merged.warnings, testing::IsEmpty());
  EXPECT_EQ(merged.rows[0].status, "keep");
  EXPECT_EQ(merged.rows[1].status, "discard");
}

// A ledger as other writers leave it: read, shown, appended to, never
// rewritten.
TEST_F(VerbsTest, LedgersOfOtherWritersAreKeptByteForByte) {
  InitTask();
  const std::string foreign =
      "\xEF\xBB\xBF# kept\r\ntitle = \"old\"\r\n[[result]]\r\niteration = "
      "\"a\"\r\ncommit = \"12345678\"\r\noutcome = \"Reverted\"\r\nnotes = "
      "\"x \\ud83d\\ude80\"\r\n[result.metrics]\r\nns = 1_000\r\n[[other]]\nz "
      "= "
      "1\n[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"torn\n"
      "[[metric]]\n\"commit\" = \"(pending)\"\n\"status\" = \"baseline\"\n"
      "\"description\" = \"the start\"\n\"ns\" = 5";
  Git({"switch", "-q", kBranch});
  Write("docs/autotune/2026-01-02-knob/metric.toml", foreign);
  Git({"commit", "-q", "-a", "-m", "an old ledger"});
  Git({"switch", "-q", "main"});
  const Answer status = Run({"status"});
  EXPECT_EQ(status.exit_code, 0);
  EXPECT_THAT(status.err, HasSubstr("metric.toml:14: "));
  EXPECT_EQ(Run({"show", "ledger"}).exit_code, 0);
  CommitAttempt("mine", "src/a.cc", "a\n");
  Claim("mine", "keep");
  const std::string now = TaskFile("metric.toml");
  EXPECT_EQ(now.substr(0, foreign.size() + 1), foreign + "\n");
  const MetricFile ledger = ParseMetricFile(now, "m");
  ASSERT_EQ(ledger.rows.size(), 4u);
  EXPECT_EQ(ledger.rows[0].status, "discard");
  EXPECT_TRUE(IsBaseline(ledger.rows[2]));
  EXPECT_EQ(ledger.rows[3].status, "keep");
  // Placeholders are no commits, and audit says which.
  const Answer audit = Run({"audit"});
  EXPECT_EQ(audit.exit_code, 65);
  EXPECT_THAT(audit.out, HasSubstr("commit (pending) is not here"));
}

TEST_F(VerbsTest, SeveralTasksAreToldApart) {
  InitTask();
  const Answer second =
      Run({"init", "other", "--target", "^BM_Other/", "--configure", "",
           "--build", absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"),
           "--test", "", "--benchmark", "bench", "--no-calibration"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const Answer which = Run({"status"});
  EXPECT_EQ(which.exit_code, 69);
  EXPECT_THAT(which.err, HasSubstr("2026-01-02-knob, 2026-01-02-other"));
  EXPECT_THAT(Run({"status", "--task", "other"}).out,
              HasSubstr("task 2026-01-02-other"));
  EXPECT_THAT(Run({"--task", "2026-01-02-knob", "status"}).out,
              HasSubstr("task 2026-01-02-knob"));
  EXPECT_EQ(Run({"status", "--task", "none"}).exit_code, 69);
  // Inside an attempt's worktree its task is meant.
  const Answer start =
      Run({"start", "x", "--hypothesis", "y", "--task", "other"});
  const std::size_t at = start.out.find("worktree: ") + 10;
  const std::string worktree =
      start.out.substr(at, start.out.find('\n', at) - at);
  EXPECT_THAT(RunIn(worktree, {"status"}).out,
              HasSubstr("task 2026-01-02-other"));
}

TEST_F(VerbsTest, UnknownWordsGetADidYouMean) {
  EXPECT_THAT(Run({"statsu"}).err,
              HasSubstr("unexpected word \"statsu\"; did you mean status?"));
  EXPECT_EQ(Run({"statsu"}).exit_code, 64);
  EXPECT_THAT(Run({"decide", "x", "--crahs=y"}).err,
              HasSubstr("decide: unknown option \"--crahs\"; did you mean "
                        "--crash?"));
  EXPECT_EQ(Run({"decide"}).exit_code, 64);
  EXPECT_EQ(Run({}).exit_code, 64);
  EXPECT_EQ(Run({"--help"}).exit_code, 0);
  EXPECT_EQ(Run({"decide", "--help"}).exit_code, 0);
  EXPECT_THAT(Run({"decide", "--help"}).out,
              HasSubstr("Example:\n  autotune decide lookup-table"));
  EXPECT_THAT(Run({"--version"}).out, testing::StartsWith("autotune "));
  EXPECT_THAT(Run({"statsu", "--json"}).out, HasSubstr("\"code\": 64"));
}

}  // namespace
}  // namespace autotune
