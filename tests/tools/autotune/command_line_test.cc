// What every verb has in common, and what one asks and sets: help, repeated and
// dry runs, tasks told apart, next, show, task set, doctor.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class CommandLineTest : public AutotuneFixture {};

TEST_F(CommandLineTest, UnknownWordsGetADidYouMean) {
  EXPECT_THAT(
      Run({"statsu"}).err,
      HasSubstr("unknown verb statsu\nautotune: hint: did you mean status?"));
  EXPECT_EQ(Run({"statsu"}).exit_code, 64);
  EXPECT_THAT(Run({"decide", "x", "--crahs=y"}).err,
              HasSubstr("unknown flag --crahs\nautotune: hint: did you mean "
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

TEST_F(CommandLineTest, RepeatedVerbsReturnTheirFirstResult) {
  InitTask();
  const std::string tip = Git({"rev-parse", kBranch});
  const Answer init = Run({"init", "knob", "--target", "^BM_Knob/"});
  EXPECT_EQ(init.exit_code, 0);
  EXPECT_THAT(init.out, HasSubstr("task 2026-01-02-knob"));
  EXPECT_EQ(Git({"rev-parse", kBranch}), tip);
  const Answer first = Run({"start", "x", "--hypothesis", "y"});
  EXPECT_EQ(Run({"start", "x"}).out, first.out);
  const Answer baseline = Run({"baseline"});
  EXPECT_EQ(baseline.exit_code, 0) << baseline.err;
  const std::string after = Git({"rev-parse", kBranch});
  EXPECT_EQ(Run({"baseline"}).out, baseline.out);
  EXPECT_EQ(Run({"log", "found"}).exit_code, 0);
  const std::string logged = Git({"rev-parse", kBranch});
  EXPECT_NE(logged, after);
  EXPECT_EQ(Run({"log", "found"}).exit_code, 0);
  EXPECT_EQ(Git({"rev-parse", kBranch}), logged);
}

TEST_F(CommandLineTest, DryRunsChangeNothing) {
  EXPECT_EQ(Run({"init", "knob", "--target", "^BM_Knob/", "--build", "true",
                 "--benchmark", "bench", "--dry-run"})
                .exit_code,
            0);
  EXPECT_EQ(Git({"for-each-ref", "refs/heads/autotune/"}), "");
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  const std::string refs = Git({"for-each-ref"});
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"start", "y", "--hypothesis", "z"},
        {"baseline"},
        {"decide", "less"},
        {"decide", "less", "--crash", "x"},
        {"log", "x"},
        {"task", "set", "policy.budget", "5s"},
        {"rework", "less"},
        {"adopt", "main", "--as", "z"},
        {"record", "less", "--claim", "keep"},
        {"resume"},
        {"harvest"},
        {"doctor", "--install"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--dry-run");
    Run(arguments);
    EXPECT_EQ(Git({"for-each-ref"}), refs) << verb[0];
  }
}

TEST_F(CommandLineTest, SeveralTasksAreToldApart) {
  InitTask();
  const Answer second =
      Run({"init", "other", "--target", "^BM_Other/", "--configure", "",
           "--build", absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"),
           "--no-tests", "a knob", "--benchmark", "bench", "--no-calibration"});
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

TEST_F(CommandLineTest, NextNamesTheAttemptToDecideThenANewOne) {
  InitTask();
  const std::string first = Run({"next"}).out;
  EXPECT_THAT(first, HasSubstr("next: autotune profile   # nothing says yet"));
  EXPECT_THAT(first,
              HasSubstr("autotune start APPROACH --hypothesis TEXT   # micro"));
  CommitAttempt("less", "src/knob.txt", "300\n");
  EXPECT_THAT(Run({"next"}).out, HasSubstr("autotune decide less"));
}

TEST_F(CommandLineTest, ShowPrintsTheTipsFiles) {
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

TEST_F(CommandLineTest, TaskSetKeepsCommentsAndRefusesNonsense) {
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

TEST_F(CommandLineTest, DoctorFindsWhatStopsVerbs) {
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

}  // namespace
}  // namespace autotune
