// What the user is in the middle of: a merge, a rebase, a dirty checkout of the
// working branch. It stays as it is, and what stands in the way is said.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/user_git_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class GitOperationsTest : public UserGitFixture {};

// The user's files, index, stash, branch and HEAD are as they were, whatever
// state they are in.
TEST_F(GitOperationsTest, UsersWorkIsUntouched) {
  Write("src/code.cc", "stashed\n");
  Git({"stash"});
  Write("src/knob.txt", "dirty\n");
  Write("staged.txt", "staged\n");
  Git({"add", "staged.txt"});
  Write("staged.txt", "and dirty\n");
  Write("untracked.txt", "untracked\n");
  Write("ignored/file.txt", "ignored\n");
  Git({"rm", "-q", "--cached", "CMakeLists.txt"});
  const std::string before = UserState();
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  CommitAttempt("more", "src/knob.txt", "2700\n");
  CommitAttempt("broken", "src/knob.txt", "none\n");
  EXPECT_EQ(Run({"baseline"}).exit_code, 0);
  EXPECT_EQ(Run({"decide", "more"}).exit_code, 1);
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
  EXPECT_EQ(Run({"decide", "broken"}).exit_code, 69);  // conflicts by now
  EXPECT_EQ(Run({"decide", "broken", "--crash", "conflict"}).exit_code, 2);
  EXPECT_EQ(UserState(), before);
  EXPECT_EQ(Rows(), 4);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

TEST_F(GitOperationsTest, CheckedOutWorkingBranchMovesAlongWithDirtFilesKept) {
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

TEST_F(GitOperationsTest, FilesInTheWayAreSaidBeforeMeasuring) {
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

TEST_F(GitOperationsTest, OperationInProgressIsSaid) {
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

// Whatever is half done in the user's checkout stays half done.
TEST_F(GitOperationsTest, CherryPickRevertAndBisectInProgressAreSaid) {
  MustRun(repository(), InitSources());
  Write("src/knob.txt", "700\n");
  Git({"commit", "-q", "-a", "-m", "seven"});
  Write("src/knob.txt", "800\n");
  Git({"commit", "-q", "-a", "-m", "eight"});
  struct Operation {
    std::string name;
    std::vector<std::string> begin;
    std::vector<std::string> end;
  };
  const std::vector<Operation> operations = {
      {"cherry-pick",
       {"git", "cherry-pick", "main~1", "main~2"},
       {"cherry-pick", "--abort"}},
      {"revert", {"git", "revert", "main~1"}, {"revert", "--abort"}},
      {"bisect", {"git", "bisect", "start"}, {"bisect", "reset"}}};
  for (const Operation& operation : operations) {
    RunCommand(repository(), operation.begin);
    const std::string before = StateOf(repository());
    const std::string refs = Git({"for-each-ref"});
    const Answer answer = Run({"start", "x", "--hypothesis", "y"});
    EXPECT_EQ(answer.exit_code, 69) << operation.name;
    EXPECT_THAT(answer.err,
                HasSubstr("a " + operation.name + " is in progress"));
    EXPECT_EQ(StateOf(repository()), before) << operation.name;
    EXPECT_EQ(Git({"for-each-ref"}), refs) << operation.name;
    Git(operation.end);
  }
  EXPECT_EQ(Run({"start", "x", "--hypothesis", "y"}).exit_code, 0);
}

TEST_F(GitOperationsTest, RebaseOfTheWorkingBranchIsSaid) {
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

TEST_F(GitOperationsTest, RebaseInTheAttemptsWorktreeIsSaid) {
  InitTask();
  const std::string worktree = CommitAttempt("x", "src/code.cc", "x\n");
  EXPECT_EQ(RunShell(worktree, "git rebase -q --exec false HEAD~1").exit_code,
            1);
  for (const std::string& place : {repository(), worktree}) {
    const Answer answer = RunIn(place, {"decide", "x"});
    EXPECT_EQ(answer.exit_code, 69);
    EXPECT_THAT(answer.err, HasSubstr("rebase"));
  }
  EXPECT_EQ(Rows(), 0);
}

}  // namespace
}  // namespace autotune
