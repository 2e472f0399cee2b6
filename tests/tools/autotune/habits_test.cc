// Git as people have it, and the world as it fails.

#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"
#include "tools/system/file_lock.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class HabitsTest : public AutotuneFixture {
 protected:
  void WriteHook(const std::string& name, const std::string& script) {
    Write(".git/hooks/" + name, "#!/bin/sh\n" + script + "\n");
    ProcessSpec spec;
    spec.argv = {"chmod", "+x", repository() + "/.git/hooks/" + name};
    ASSERT_OK(MakePosixProcessRunner()->Run(spec));
  }
};

TEST_F(HabitsTest, HooksNeitherRunNorStopAnything) {
  const std::string witness = state() + "-hook";
  for (const char* hook :
       {"pre-commit", "commit-msg", "post-commit", "pre-merge-commit",
        "post-merge", "post-checkout", "reference-transaction",
        "prepare-commit-msg", "post-rewrite", "pre-auto-gc"}) {
    WriteHook(hook, absl::StrCat("touch \"", witness, "\"; exit 1"));
  }
  ProcessSpec own;
  own.argv = {"git", "commit", "-q", "--allow-empty", "-m", "x"};
  own.working_directory = repository();
  EXPECT_FALSE(MakePosixProcessRunner()->Run(own)->succeeded());
  ASSERT_TRUE(files().Exists(witness));
  ASSERT_OK(files().RemoveAll(witness));
  InitTask();
  // A commit in the worktree would run them too.
  const std::string worktree = StartAttempt("less");
  ASSERT_OK(files().WriteFile(worktree + "/src/knob.txt", "300\n"));
  GitIn(worktree,
        {"-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "less"});
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
  EXPECT_EQ(Run({"revert", "less"}).exit_code, 0);
  EXPECT_FALSE(files().Exists(witness));
  ExpectSound();
}

TEST_F(HabitsTest, SigningWithoutAKeyDoesNotStopAnything) {
  Git({"config", "commit.gpgsign", "true"});
  Git({"config", "user.signingkey", "NOKEY"});
  Git({"config", "gpg.program", "false"});
  InitTask();
  StartAttempt("x");
  EXPECT_EQ(Run({"decide", "x"}).exit_code, 1);
}

TEST_F(HabitsTest, MissingIdentityIsSaidBeforeAnythingIsWritten) {
  InitTask();
  Git({"config", "--unset", "user.name"});
  Git({"config", "--unset", "user.email"});
  Git({"config", "user.useConfigOnly", "true"});
  const std::string refs = Git({"for-each-ref"});
  std::vector<std::vector<std::string>> verbs = {
      {"start", "x", "--hypothesis", "y"}, {"log", "x"}, {"baseline"}};
  verbs.push_back(InitArguments("other"));
  for (const std::vector<std::string>& verb : verbs) {
    // A process of its own: its home holds no configuration of git.
    const Answer answer = RunProgram(verb, {{"GIT_CONFIG_NOSYSTEM", "1"}});
    EXPECT_EQ(answer.exit_code, 69) << verb[0];
    EXPECT_THAT(answer.err, HasSubstr("git config")) << verb[0];
  }
  EXPECT_EQ(Git({"for-each-ref"}), refs);
}

TEST_F(HabitsTest, CheckedOutWorkingBranchMovesAlongWithDirtFilesKept) {
  InitTask();
  Git({"switch", "-q", kBranch});
  Git({"config", "merge.autostash", "true"});
  Git({"config", "rebase.autostash", "true"});
  Git({"config", absl::StrCat("branch.", kBranch, ".mergeoptions"),
       "--squash"});
  Git({"config", "merge.ff", "false"});
  Write("src/code.cc", "dirty\n");
  Write("new.txt", "untracked\n");
  Write("staged.txt", "staged\n");
  Git({"add", "staged.txt"});
  CommitAttempt("less", "src/knob.txt", "300\n");
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
  EXPECT_EQ(Read("src/knob.txt"), "300\n");
  EXPECT_EQ(Read("src/code.cc"), "dirty\n");
  EXPECT_EQ(Read("new.txt"), "untracked\n");
  EXPECT_EQ(Git({"diff", "--cached", "--name-only"}), "staged.txt\n");
  EXPECT_EQ(Git({"stash", "list"}), "");
  EXPECT_EQ(GitLine({"symbolic-ref", "--short", "HEAD"}), kBranch);
}

TEST_F(HabitsTest, FilesInTheWayAreSaidBeforeMeasuring) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  Git({"switch", "-q", kBranch});
  Write("src/knob.txt", "mine\n");
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("in the way: src/knob.txt"));
  EXPECT_THAT(answer.err, testing::Not(HasSubstr("measuring")));
  EXPECT_EQ(Read("src/knob.txt"), "mine\n");
  EXPECT_EQ(Rows(), 0);
}

TEST_F(HabitsTest, OperationInProgressIsSaid) {
  InitTask();
  Git({"switch", "-q", kBranch});
  Git({"switch", "-q", "-c", "side", "main"});
  Write("src/knob.txt", "1\n");
  Git({"commit", "-q", "-a", "-m", "one"});
  Git({"switch", "-q", "main"});
  Write("src/knob.txt", "2\n");
  Git({"commit", "-q", "-a", "-m", "two"});
  ProcessSpec merge;
  merge.argv = {"git", "merge", "side"};
  merge.working_directory = repository();
  ASSERT_OK(MakePosixProcessRunner()->Run(merge));
  const std::string refs = Git({"for-each-ref"});
  const Answer answer = Run({"start", "x", "--hypothesis", "y"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("merge"));
  EXPECT_EQ(Git({"for-each-ref"}), refs);
  Git({"merge", "--abort"});
  EXPECT_EQ(Run({"start", "x", "--hypothesis", "y"}).exit_code, 0);
}

TEST_F(HabitsTest, RebaseOfTheWorkingBranchIsSaid) {
  InitTask();
  CommitAttempt("x", "src/code.cc", "int Code() { return 2; }\n");
  Git({"switch", "-q", kBranch});
  ProcessSpec rebase;
  rebase.argv = {"git", "rebase", "-q", "--exec", "false", "main"};
  rebase.working_directory = repository();
  ASSERT_OK(MakePosixProcessRunner()->Run(rebase));
  const std::string refs = Git({"for-each-ref"});
  const Answer answer = Run({"decide", "x", "--task", kTask});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("rebase"));
  EXPECT_EQ(Git({"for-each-ref"}), refs);
  Git({"rebase", "--abort"});
  EXPECT_EQ(Run({"decide", "x"}).exit_code, 1);
}

// A pointer is not the file: what is measured would not be what is shipped.
TEST_F(HabitsTest, LfsPointersAreSaid) {
  Write("src/data.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:"
        "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
        "size 12345\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "data"});
  const Answer answer = Run(InitArguments("knob"));
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("src/data.bin: is a Git LFS pointer"));
}

TEST_F(HabitsTest, DetachedHeadAndOddlyNamedBranchesWork) {
  Git({"branch", "-m", "main", "trunk's-\"best\"-caf\xC3\xA9"});
  Git({"checkout", "-q", "--detach"});
  const std::string before = Git({"rev-parse", "HEAD"});
  EXPECT_EQ(Run(InitArguments("knob")).exit_code, 0);
  CommitAttempt("x", "src/code.cc", "x\n");
  EXPECT_EQ(Run({"decide", "x"}).exit_code, 1);
  EXPECT_EQ(Git({"rev-parse", "HEAD"}), before);
}

TEST_F(HabitsTest, UnbornAndBareRepositoriesAreRefused) {
  const std::string empty = state() + "-empty";
  const std::string bare = state() + "-bare";
  Git({"init", "-q", empty});
  Git({"init", "-q", "--bare", bare});
  GitIn(empty, {"config", "user.name", "A"});
  GitIn(empty, {"config", "user.email", "a@b"});
  const Answer unborn = RunIn(empty, InitArguments("knob"));
  EXPECT_EQ(unborn.exit_code, 69);
  EXPECT_THAT(unborn.err, HasSubstr("no commit yet"));
  EXPECT_EQ(RunIn(bare, InitArguments("knob")).exit_code, 69);
  EXPECT_EQ(RunIn(bare, {"status"}).exit_code, 69);
  EXPECT_EQ(RunIn("/", {"status"}).exit_code, 69);
}

TEST_F(HabitsTest, BranchNamesInTheWayAreRefused) {
  for (const char* name :
       {"autotune", "autotune-iter", "autotune/2026-01-02-knob/below"}) {
    Git({"branch", name});
    const std::string refs = Git({"for-each-ref"});
    const Answer answer = Run(InitArguments("knob"));
    EXPECT_EQ(answer.exit_code, 69) << name;
    EXPECT_THAT(answer.err, HasSubstr(name));
    EXPECT_EQ(Git({"for-each-ref"}), refs);
    Git({"branch", "-D", name});
  }
}

TEST_F(HabitsTest, OddFileNamesSurvive) {
  const std::vector<std::string> names = {
      "src/with space.cc", "src/\"quoted\".cc", "src/caf\xC3\xA9.cc",
      "src/new\nline.cc",  "src/-dash.cc",      "src/$(touch x).cc"};
  for (const std::string& name : names) Write(name, "x\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "odd names"});
  InitTask();
  const std::string worktree = StartAttempt("odd");
  for (const std::string& name : names) {
    ASSERT_OK(files().WriteFile(JoinPath(worktree, name), "y\n"));
  }
  GitIn(worktree, {"commit", "-q", "-a", "-m", "odd"});
  EXPECT_EQ(Run({"decide", "odd"}).exit_code, 1);
  ExpectSound();
}

TEST_F(HabitsTest, SubmodulesAreFilledInWorktreesAndBuilds) {
  const std::string library = state() + "-library";
  Git({"init", "-q", "-b", "main", library});
  ASSERT_OK(files().WriteFile(library + "/lib.txt", "lib\n"));
  GitIn(library, {"add", "-A"});
  GitIn(library, {"-c", "user.name=a", "-c", "user.email=b", "commit", "-q",
                  "-m", "lib"});
  Git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
       library, "third_party/lib"});
  Git({"commit", "-q", "-m", "submodule"});
  InitTask();
  ASSERT_EQ(Run({"task", "set", "commands.test", "grep", "lib",
                 "third_party/lib/lib.txt"})
                .exit_code,
            0);
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  EXPECT_TRUE(files().Exists(worktree + "/third_party/lib/lib.txt"));
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_FALSE(files().Exists(worktree));
}

TEST_F(HabitsTest, ShallowSparseAndLinkedWorktreesWork) {
  Git({"commit", "-q", "--allow-empty", "-m", "second"});
  const std::string clone = state() + "-clone";
  Git({"clone", "-q", "--depth", "1", "file://" + repository(), clone});
  GitIn(clone, {"config", "user.name", "A"});
  GitIn(clone, {"config", "user.email", "a@b"});
  GitIn(clone, {"sparse-checkout", "set", "bench"});
  const std::string linked = state() + "-linked";
  GitIn(clone, {"worktree", "add", "-q", "-b", "mine", linked});
  EXPECT_EQ(RunIn(linked, InitArguments("knob")).exit_code, 0);
  const Answer start = RunIn(linked, {"start", "x", "--hypothesis", "y"});
  EXPECT_EQ(start.exit_code, 0) << start.err;
  EXPECT_EQ(RunIn(linked, {"decide", "x"}).exit_code, 1);
  EXPECT_EQ(RunIn(linked, {"audit"}).exit_code, 0);
}

TEST_F(HabitsTest, PushedAttemptIsStillItsOwn) {
  const std::string remote = state() + "-remote";
  Git({"init", "-q", "--bare", remote});
  Git({"remote", "add", "origin", remote});
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  Git({"push", "-q", "origin", kBranch,
       "autotune-iter/2026-01-02-knob/001-less"});
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
}

// The tip's code moves while the attempt is built: what would be measured
// against the old one is not used.
TEST_F(HabitsTest, CommitOnTheWorkingBranchMeanwhileStartsOver) {
  InitTask();
  const std::string script = state() + "-move";
  ASSERT_OK(files().WriteFile(
      script,
      absl::StrCat("[ -e \"", script, "-done\" ] && exit 0; touch \"", script,
                   "-done\"; cd \"", repository(),
                   "\" && echo 600 > src/other.txt && git add -A && git commit "
                   "-q -m meanwhile\n")));
  ASSERT_EQ(Run({"task", "set", "commands.test", "sh", script}).exit_code, 0);
  CommitAttempt("less", "src/knob.txt", "300\n");
  Git({"switch", "-q", kBranch});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("starting over on its new tip"));
  EXPECT_THAT(Subjects(), testing::Contains("meanwhile"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/other.txt")}), "600\n");
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
}

TEST_F(HabitsTest, AttemptsStartedAtOnceGetNumbersOfTheirOwn) {
  InitTask();
  std::vector<std::thread> threads;
  std::vector<Answer> answers(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, &answers] {
      answers[i] = RunProgram(
          {"start", absl::StrCat("idea ", i / 2), "--hypothesis", "x"});
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
  }
  EXPECT_EQ(answers[0].out, answers[1].out);
  EXPECT_EQ(answers[2].out, answers[3].out);
  EXPECT_EQ(Subjects().size(), 4u);
  const std::string branches =
      Git({"for-each-ref", "--format=%(refname)", "refs/heads/autotune-iter"});
  EXPECT_THAT(branches, testing::MatchesRegex(
                            "[^\n]*001-idea-[01]\n[^\n]*002-idea-[01]\n"));
  ExpectSound();
}

TEST_F(HabitsTest, OneOfTwoDecisionsOfAnAttemptIsBusyOrSeesTheOther) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  std::vector<int> codes(2, -1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([this, i, &codes] {
      codes[i] = RunProgram({"decide", "less"}).exit_code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(codes, testing::Contains(0));
  EXPECT_THAT(codes, testing::Each(testing::AnyOf(0, 75)));
  EXPECT_EQ(Rows(), 1);
}

// A lock dies with its holder (the kills at every step go on behind theirs);
// a living one is waited for or named.
TEST_F(HabitsTest, LockOfALivingProcessIsBusy) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  const auto lock = AcquireFileLock(
      repository() +
          "/.git/autotune/autotune-iter-2026-01-02-knob-001-less.lock",
      absl::ZeroDuration());
  ASSERT_OK(lock);
  const Answer answer = RunProgram({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 75);
  EXPECT_THAT(answer.err, HasSubstr(absl::StrCat(getpid())));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(HabitsTest, DecisionsOfDifferentAttemptsAtOnceBothEnterHistory) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  CommitAttempt("more", "src/knob.txt", "2700\n");
  CommitAttempt("same", "src/code.cc", "int Code() { return 2; }\n");
  std::vector<int> codes(3, -1);
  std::vector<std::thread> threads;
  const std::vector<std::string> names = {"same", "more", "same"};
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([this, i, &codes, &names] {
      codes[i] = RunProgram({"decide", names[i]}).exit_code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(codes[0], 1);
  EXPECT_EQ(codes[1], 1);
  EXPECT_EQ(Rows(), 2);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

// A disk that is full from the n-th write on: an error, nothing half done, and
// the same command afterwards.
TEST_F(HabitsTest, FullDiskLeavesNothingHalfDone) {
  InitTask();
  FaultyFileSystem counting(files());
  UseFiles(counting);
  CommitAttempt("a", "src/code.cc", "int Code() { return 2; }\n");
  ASSERT_EQ(Run({"decide", "a"}).exit_code, 1);
  const int writes = counting.writes();
  ASSERT_GT(writes, 5);
  int rows = 1;
  for (int n = 0; n < writes; n += writes / 5, ++rows) {
    const std::string approach = absl::StrCat("full ", n);
    FaultyFileSystem faulty(files(), n);
    UseFiles(faulty);
    const Answer start = Run({"start", approach, "--hypothesis", "x"});
    UseFiles(files());
    EXPECT_THAT(start.exit_code, testing::AnyOf(0, 69)) << start.err;
    const std::string worktree =
        CommitAttempt(approach, "src/code.cc",
                      absl::StrCat("int Code() { return ", n + 3, "; }\n"));
    UseFiles(faulty);
    const Answer decide = Run({"decide", approach});
    UseFiles(files());
    EXPECT_THAT(decide.exit_code, testing::AnyOf(1, 69)) << decide.err;
    EXPECT_EQ(Run({"decide", approach}).exit_code, 1);
    EXPECT_FALSE(files().Exists(worktree));
  }
  EXPECT_EQ(Rows(), rows);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

// Whatever text is given, the ledger stays valid and nothing is run or forged.
TEST_F(HabitsTest, NastyTextIsOnlyText) {
  InitTask();
  const std::vector<std::string> texts = {
      "quote \" and ' and \\, ''' \"\"\"",
      "line\n# heading\n[[metric]]\n\"status\" = \"keep\"",
      "\xF0\x9F\x9A\x80 emoji, bad \xFF\xFE utf-8 \xC3",
      std::string(10000, 'x'),
      "--leading-dashes",
      "$(touch pwned) `touch pwned`; touch pwned | cat",
      "\x1b[31mred\x07 {} [a,b]\nAutotune-Decision: keep"};
  int number = 0;
  for (const std::string& text : texts) {
    const std::string approach = absl::StrCat("idea ", ++number);
    EXPECT_EQ(Run({"start", approach, "--hypothesis", text}).exit_code, 0)
        << text;
    const Answer crash = Run({"decide", approach, "--crash", text});
    EXPECT_EQ(crash.exit_code, 2) << text << crash.err;
    EXPECT_EQ(Run({"log", "--", text}).exit_code, 0) << text;
    EXPECT_EQ(crash.out.find('\x1b'), std::string::npos);
  }
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  EXPECT_EQ(ledger.rows.size(), texts.size());
  EXPECT_THAT(ledger.warnings, testing::IsEmpty());
  for (const MetricRow& row : ledger.rows) EXPECT_EQ(row.status, "crash");
  EXPECT_FALSE(Exists("pwned"));
  for (const std::string& name : {std::string("!!!"), std::string(""),
                                  std::string("\xFF"), std::string("../..")}) {
    EXPECT_EQ(Run({"start", name, "--hypothesis", "x"}).exit_code, 65) << name;
  }
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"adopt", "--as", "x", "--", "--upload-pack=x"},
        {"adopt", "$(touch pwned)"},
        {"decide", "--", "-x"},
        {"revert", "a\nb"},
        {"show", "prompt", "../../../etc/passwd"},
        {"status", "--task", "--output=pwned"},
        {"rework", std::string(10000, 'y')}}) {
    EXPECT_THAT(Run(arguments).exit_code, testing::AnyOf(65, 69))
        << arguments[0];
  }
  EXPECT_FALSE(Exists("pwned"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  ExpectSound();
}

}  // namespace
}  // namespace autotune
