// Where the user stands: in worktrees that go, among several tasks, elsewhere.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CurrentFolderTest : public AutotuneFixture {
 protected:
  // The commands of the answer's "next:" lines.
  static std::vector<std::string> NextCommands(const Answer& answer) {
    std::vector<std::string> commands;
    for (absl::string_view line : absl::StrSplit(answer.out, '\n')) {
      if (!absl::ConsumePrefix(&line, "next: ")) continue;
      commands.emplace_back(line.substr(0, line.find("   # ")));
    }
    return commands;
  }
  // The repository's path as a person types it.
  std::string QuotedRepository() { return CommandText({repository()}); }
  void InitSecondTask() {
    const Answer answer = Run(
        {"init", "other", "--target", "^BM_Other/", "--configure", "",
         "--build", absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"),
         "--no-tests", "a knob", "--benchmark", "bench", "--no-calibration"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
  }
};

TEST_F(CurrentFolderTest, DecideInTheAttemptsWorktreeEndsAsElsewhere) {
  InitTask();
  const std::string before = UserState();
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  const Answer answer = RunIn(worktree + "/src", {"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.err, Not(HasSubstr("not everything")));
  EXPECT_THAT(answer.out,
              HasSubstr(absl::StrCat("next: cd ", QuotedRepository(),
                                     "   # the folder you stand in went with "
                                     "the attempt\n"
                                     "next: autotune start ")));
  EXPECT_FALSE(files().Exists(worktree));
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration less",
                                      "merge: autotune iteration less",
                                      "ledger: keep less"));
  EXPECT_EQ(Git({"worktree", "list"}).find("attempt-001"), std::string::npos);
  EXPECT_EQ(UserState(), before);
  EXPECT_EQ(Run({"resume"}).out, "nothing was left half done\n");
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

TEST_F(CurrentFolderTest, EveryEndingInTheWorktreeKeepsItsExitCode) {
  InitTask();
  struct Ending {
    const char* approach;
    const char* path;
    std::vector<std::string> arguments;
    int exit_code;
  };
  for (const Ending& ending : std::vector<Ending>{
           {"same", "src/code.cc", {"decide", "same"}, 1},
           {"stuck", "src/code.cc", {"decide", "stuck", "--crash", "x"}, 2},
           {"out", "bench/bench.txt", {"decide", "out"}, 4},
           {"said", "src/said.cc", {"record", "said", "--claim", "keep"}, 0}}) {
    const std::string worktree =
        CommitAttempt(ending.approach, ending.path, "int Code();\n");
    std::vector<std::string> arguments = ending.arguments;
    arguments.push_back("--json");
    const Answer answer = RunIn(worktree, arguments);
    EXPECT_EQ(answer.exit_code, ending.exit_code) << answer.out << answer.err;
    EXPECT_THAT(answer.out,
                HasSubstr(absl::StrCat("\"folder_removed\": true,\n  "
                                       "\"go_on_in\": \"",
                                       repository(), "\"")));
    EXPECT_THAT(answer.err, Not(HasSubstr("not everything")));
    EXPECT_FALSE(files().Exists(worktree));
  }
  EXPECT_EQ(Rows(), 4);
}

// A shell that stands in the worktree, and pastes what it reads.
TEST_F(CurrentFolderTest, ShellInTheWorktreeGoesOnAsItIsTold) {
  InitTask();
  const std::string worktree = CommitAttempt("same", "src/code.cc", "x\n");
  InitSecondTask();
  const Answer answer = RunShell(
      worktree,
      "said=$(autotune decide same); echo \"decided $?\"; "
      "autotune status; echo \"status $?\"; "
      "next() { echo \"$said\" | sed -n 's/^next: \\(.*\\)   # .*/\\1/p'; }; "
      "eval \"$(next | head -1)\" && pwd && eval \"$(next | tail -1)\"; "
      "echo \"started $?\"");
  EXPECT_THAT(answer.out,
              AllOf(StartsWith("decided 1\nstatus 69\n" + repository() + "\n"),
                    HasSubstr("attempt 002 approach is open\n"),
                    testing::EndsWith("started 0\n")));
  EXPECT_THAT(answer.err,
              HasSubstr("error: the current folder is gone, as after an "
                        "attempt's worktree was removed\n"
                        "autotune: hint: cd to the repository, or name it "
                        "with -C DIR\n"));
}

TEST_F(CurrentFolderTest, ResumeAndReworkInTheWorktreeSayWhereToGo) {
  InitTask();
  const std::string other = CommitAttempt("other", "src/other.cc", "x\n");
  const std::string mine = CommitAttempt("mine", "src/code.cc", "y\n");
  // Killed between the record and the removal of the worktree.
  EXPECT_EQ(RunProgram({"record", "other", "--claim", "keep"},
                       {{"AUTOTUNE_TEST_KILL_AT", "branch-moved"}})
                .exit_code,
            128 + 9);
  const Answer resumed = RunIn(other, {"resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(NextCommands(resumed),
              testing::Contains("cd " + QuotedRepository()));
  EXPECT_FALSE(files().Exists(other));
  const Answer reworked = RunIn(mine, {"rework", "mine"});
  EXPECT_EQ(reworked.exit_code, 0) << reworked.err;
  EXPECT_FALSE(files().Exists(mine));
  ASSERT_THAT(NextCommands(reworked),
              ElementsAre(StartsWith("cd "), "autotune check mine",
                          "autotune decide mine"));
  const std::string fresh =
      RunShell("/", NextCommands(reworked)[0] + " && printf %s \"$PWD\"").out;
  EXPECT_TRUE(files().Exists(fresh + "/src/other.cc")) << fresh;
  EXPECT_EQ(RunIn(fresh, {"decide", "mine"}).exit_code, 1);
}

TEST_F(CurrentFolderTest, RevertAndReviveWorkInAWorktree) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"record", "less", "--claim", "keep"}).exit_code, 0);
  const std::string worktree = StartAttempt("open");
  EXPECT_EQ(RunIn(worktree, {"revert", "less"}).exit_code, 0);
  EXPECT_EQ(RunIn(worktree, {"revive", "less"}).exit_code, 0);
  EXPECT_TRUE(files().Exists(worktree));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
}

// What `next` says works where it was said, whatever the task.
TEST_F(CurrentFolderTest, NextCommandsNameTheTaskWhereTheBranchDoesNot) {
  InitTask();
  EXPECT_THAT(NextCommands(Run({"status"})), ElementsAre("autotune next"));
  InitSecondTask();
  const std::string named = "autotune --task 2026-01-02-knob ";
  const Answer start =
      Run({"start", "same", "--hypothesis", "x", "--task", "knob"});
  EXPECT_THAT(NextCommands(start),
              ElementsAre(named + "check same", named + "decide same"));
  EXPECT_THAT(Run({"status", "--json", "--task", "knob"}).out,
              HasSubstr("\"command\": \"" + named + "decide same\""));
  // Pasted where they were printed.
  EXPECT_EQ(RunShell(repository(), NextCommands(start)[0]).exit_code, 69);
  const Answer decide = RunShell(repository(), NextCommands(start)[1]);
  EXPECT_EQ(decide.exit_code, 1) << decide.err;
  ASSERT_THAT(NextCommands(decide), ElementsAre(StartsWith(named + "start ")));
  EXPECT_EQ(RunShell(repository(), NextCommands(decide)[0]).exit_code, 0);
  EXPECT_THAT(NextCommands(Run({"next", "--task", "other"})),
              ElementsAre("autotune --task 2026-01-02-other profile",
                          "autotune --task 2026-01-02-other start APPROACH "
                          "--hypothesis TEXT"));
  // Hints too.
  EXPECT_THAT(Run({"decide", "x", "--task", "knob"}).err,
              HasSubstr("hint: " + named + "status lists the attempts; " +
                        named + "start APPROACH makes one"));
}

TEST_F(CurrentFolderTest, NextCommandsNameNoTaskWhereTheBranchTells) {
  InitTask();
  InitSecondTask();
  Git({"switch", "-q", kBranch});
  const std::string worktree = StartAttempt("x");
  for (const std::string& place : {repository(), worktree}) {
    EXPECT_THAT(NextCommands(RunIn(place, {"status"})),
                ElementsAre("autotune decide x"));
  }
  EXPECT_THAT(NextCommands(Run({"status", "--task", "other"})),
              ElementsAre(StartsWith("autotune --task 2026-01-02-other ")));
  // Seen from elsewhere, -C leads there.
  EXPECT_THAT(NextCommands(RunIn("/", {"-C", repository(), "status"})),
              ElementsAre("autotune -C " + QuotedRepository() + " decide x"));
}

// Hints too, of verbs that find no task and of those that need none.
TEST_F(CurrentFolderTest, HintsLeadToTheRepositoryThatWasNamed) {
  const std::string there = "autotune -C " + QuotedRepository() + " ";
  const Answer none = RunIn("/", {"-C", repository(), "status"});
  EXPECT_THAT(none.err, HasSubstr("hint: " + there + "init TASK starts one\n"));
  EXPECT_THAT(RunIn("/", {"-C", repository(), "doctor"}).out,
              HasSubstr("\n        " + there + "doctor --install\n"));
  InitTask();
  EXPECT_THAT(RunIn("/", {"-C", repository(), "decide", "x"}).err,
              HasSubstr("hint: " + there + "status lists the attempts; " +
                        there + "start APPROACH makes one\n"));
}

}  // namespace
}  // namespace autotune
