// Every shape of repository, checkout, path and name that people have: a task
// from beginning to end in each, or a refusal that touched nothing.

#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/user_git_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class GitRepositoriesTest : public UserGitFixture {};

TEST_F(GitRepositoriesTest, UnbornAndBareRepositoriesAreRefused) {
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

TEST_F(GitRepositoriesTest, DetachedHeadAndOddlyNamedBranchesWork) {
  Git({"branch", "-m", "main", "trunk's-\"best\"-caf\xC3\xA9"});
  Git({"checkout", "-q", "--detach"});
  const std::string before = Git({"rev-parse", "HEAD"});
  EXPECT_EQ(Run(InitArguments("knob")).exit_code, 0);
  CommitAttempt("x", "src/code.cc", "x\n");
  EXPECT_EQ(Run({"decide", "x"}).exit_code, 1);
  EXPECT_EQ(Git({"rev-parse", "HEAD"}), before);
}

TEST_F(GitRepositoriesTest, BranchNamesInTheWayAreRefused) {
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

TEST_F(GitRepositoriesTest, OddFileNamesSurvive) {
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

TEST_F(GitRepositoriesTest, PathsOfTheRepositoryMayHoldAnything) {
  const std::string odd =
      absl::StrCat(state(), "-it's \"odd\" \\ $(touch x) caf\xC3\xA9 ; #%");
  Git({"clone", "-q", repository(), odd});
  SetIdentity(odd);
  Cycle(odd);
  Cycle(repository());
}

TEST_F(GitRepositoriesTest,
       NewlineInTheRepositorysPathWorksOrIsRefusedBeforehand) {
  const std::string odd = absl::StrCat(state(), "-two\nlines");
  Git({"clone", "-q", repository(), odd});
  SetIdentity(odd);
  const std::string before = StateOf(odd);
  const Answer answer = RunIn(odd, InitSources());
  if (answer.exit_code == 0) {
    MustRun(odd, {"start", "x", "--hypothesis", "y"});
    MustRun(odd, {"decide", "x"}, 1);
    MustRun(odd, {"audit"});
  } else {
    EXPECT_EQ(answer.exit_code, 69) << answer.err;
    EXPECT_EQ(GitIn(odd, {"for-each-ref", "refs/heads/autotune"}), "");
  }
  EXPECT_EQ(StateOf(odd), before);
}

TEST_F(GitRepositoriesTest, SymlinkToTheRepositoryWorks) {
  const std::string link = state() + "-link";
  ASSERT_EQ(RunCommand("/", {"ln", "-s", repository(), link}), 0);
  Cycle(link);
}

TEST_F(GitRepositoriesTest, FolderInsideTheCheckoutWorks) {
  const std::string before = StateOf(repository());
  MustRun(JoinPath(repository(), "src"), InitSources());
  MustRun(JoinPath(repository(), "bench"), {"start", "x", "--hypothesis", "y"});
  MustRun(JoinPath(repository(), "src"), {"decide", "x"}, 1);
  EXPECT_EQ(StateOf(repository()), before);
}

TEST_F(GitRepositoriesTest, GitFolderElsewhereWorks) {
  const std::string git_dir = state() + "-git";
  const std::string tree = state() + "-checkout";
  Git({"clone", "-q", "--separate-git-dir", git_dir, repository(), tree});
  SetIdentity(tree);
  GitIn(tree, {"config", "core.worktree", tree});
  Cycle(tree);
}

TEST_F(GitRepositoriesTest, WorktreeOfAWorktreeWorks) {
  const std::string first = state() + "-first";
  const std::string second = JoinPath(first, "second");
  Git({"worktree", "add", "-q", "-b", "one", first});
  GitIn(first, {"worktree", "add", "-q", "-b", "two", second});
  Cycle(second);
}

TEST_F(GitRepositoriesTest, BareRepositoryWithWorktreesWorks) {
  const std::string bare = state() + "-bare.git";
  const std::string tree = state() + "-tree";
  Git({"clone", "-q", "--bare", repository(), bare});
  SetIdentity(bare);
  GitIn(bare, {"worktree", "add", "-q", tree, "main"});
  Cycle(tree);
}

TEST_F(GitRepositoriesTest, SettingsOfEachWorktreeAndCoreWorktreeWork) {
  const std::string linked = state() + "-linked";
  Git({"config", "extensions.worktreeConfig", "true"});
  Git({"worktree", "add", "-q", "-b", "mine", linked});
  GitIn(linked, {"config", "--worktree", "core.sparseCheckout", "true"});
  GitIn(linked, {"sparse-checkout", "set", "src"});
  Cycle(linked);
}

TEST_F(GitRepositoriesTest, ShallowSparseAndLinkedWorktreesWork) {
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

TEST_F(GitRepositoriesTest, SubmodulesAreFilledInWorktreesAndBuilds) {
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

TEST_F(GitRepositoriesTest, PushedAttemptIsStillItsOwn) {
  const std::string remote = state() + "-remote";
  Git({"init", "-q", "--bare", remote});
  Git({"remote", "add", "origin", remote});
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  Git({"push", "-q", "origin", kBranch,
       "autotune-iter/2026-01-02-knob/001-less"});
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
}

TEST_F(GitRepositoriesTest, RepositoryOfAnotherOwnerIsRefusedWithGitsAdvice) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const std::string theirs = state() + "-theirs";
  Git({"clone", "-q", repository(), theirs});
  ASSERT_EQ(RunCommand("/", {"chown", "-R", "65534:65534", theirs}), 0);
  const Answer answer = RunIn(theirs, InitSources());
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("dubious ownership"));
}

// A replacement is seen by one clone only; what a commit's SHA says is what
// counts.
TEST_F(GitRepositoriesTest, ReplacedObjectsAreNotLookedThrough) {
  Git({"pack-refs", "--all"});
  Git({"repack", "-q", "-a", "-d"});
  Git({"commit", "-q", "--allow-empty", "-m", "second"});
  const std::string head = GitLine({"rev-parse", "HEAD"});
  const std::string fake = GitLine(
      {"commit-tree", GitLine({"rev-parse", "HEAD:bench"}), "-m", "fake"});
  Git({"replace", head, fake});
  Cycle(repository());
}

}  // namespace
}  // namespace autotune
