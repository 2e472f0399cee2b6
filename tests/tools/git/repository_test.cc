#include "tools/git/repository.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;
using testing::SizeIs;

// Sets a variable while it lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
};

TEST(RepositoryTest, OpensFromAnyFolderInside) {
  TestRepository repo;
  const Repository inner = repo.OpenAt(repo.top() + "/src");
  EXPECT_EQ(inner.top_level(), repo.top());
  EXPECT_EQ(inner.common_dir(), repo.top() + "/.git");
  EXPECT_EQ(inner.git_dir(), repo.top() + "/.git");
}

TEST(RepositoryTest, OpensALinkedWorktree) {
  TestRepository repo;
  const std::string path = repo.Beside("linked\n\xC3\xA9");
  repo.Git({"worktree", "add", "-q", "-b", "side", path});
  const Repository linked = repo.OpenAt(path);
  EXPECT_EQ(linked.top_level(), path);
  EXPECT_EQ(linked.common_dir(), repo.top() + "/.git");
  EXPECT_THAT(linked.git_dir(), HasSubstr("/.git/worktrees/"));
  EXPECT_THAT(linked.CurrentBranch(),
              IsOkAndHolds(Optional(std::string("side"))));
}

TEST(RepositoryTest, OutsideARepositoryIsRefused) {
  TestRepository repo;
  EXPECT_THAT(
      Repository::Open(repo.processes(), repo.files(), repo.Home()),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               repo.Home() + ": not a git repository (or any of the parent "
                             "directories): .git"));
}

TEST(RepositoryTest, BareRepositoriesAreRefused) {
  TestRepository repo;
  const std::string bare = repo.Beside("bare.git");
  repo.Git({"init", "-q", "--bare", bare});
  const std::string error =
      ": expected a work tree, got a bare repository or a .git folder; run "
      "this in a checkout (git worktree add PATH)";
  EXPECT_THAT(Repository::Open(repo.processes(), repo.files(), bare),
              StatusIs(absl::StatusCode::kFailedPrecondition, bare + error));
  const std::string git_dir = repo.top() + "/.git";
  EXPECT_THAT(Repository::Open(repo.processes(), repo.files(), git_dir),
              StatusIs(absl::StatusCode::kFailedPrecondition, git_dir + error));
}

TEST(RepositoryTest, AMissingGitIsNotFound) {
  TestRepository repo;
  const std::string path = std::getenv("PATH");
  setenv("PATH", repo.Home().c_str(), 1);
  const auto opened =
      Repository::Open(repo.processes(), repo.files(), repo.top());
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kNotFound);
}

TEST(RepositoryTest, AnOldGitIsRefused) {
  TestRepository repo;
  repo.Write("bin/git", "#!/bin/sh\necho git version 2.37.9\n");
  repo.Git({"add", "bin/git"});
  repo.Git({"update-index", "--chmod=+x", "bin/git"});
  repo.Git({"checkout-index", "-f", "bin/git"});
  const std::string path = std::getenv("PATH");
  setenv("PATH", (repo.top() + "/bin:" + path).c_str(), 1);
  const auto opened =
      Repository::Open(repo.processes(), repo.files(), repo.top());
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(opened, StatusIs(absl::StatusCode::kFailedPrecondition,
                               "git: expected version 2.38 or newer, got \"git "
                               "version 2.37.9\"; install a newer git"));
}

TEST(RepositoryTest, VariablesThatPointGitElsewhereAreRemoved) {
  TestRepository repo;
  TestRepository other;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const ScopedVariable git_dir("GIT_DIR", other.top() + "/.git");
  const ScopedVariable index("GIT_INDEX_FILE", "/nonexistent");
  const ScopedVariable tree("GIT_WORK_TREE", other.top());
  const ScopedVariable objects("GIT_OBJECT_DIRECTORY", "/nonexistent");
  const ScopedVariable trace("GIT_TRACE", "1");
  const Repository repository = repo.Open();
  EXPECT_EQ(repository.top_level(), repo.top());
  EXPECT_THAT(repository.ResolveCommit("HEAD"), IsOkAndHolds(Optional(head)));
  EXPECT_THAT(repository.Git({"status", "--porcelain"}), IsOkAndHolds(""));
}

TEST(RepositoryTest, WhoCommitsMayComeFromTheEnvironment) {
  TestRepository repo;
  const ScopedVariable name("GIT_AUTHOR_NAME", "Someone Else");
  EXPECT_THAT(repo.Open().Git({"var", "GIT_AUTHOR_IDENT"}),
              IsOkAndHolds(HasSubstr("Someone Else <test@example.com>")));
}

TEST(RepositoryTest, ErrorsNameTheCommandAndGitsFirstLine) {
  TestRepository repo;
  EXPECT_THAT(repo.Open().Git({"rev-parse", "--verify", "no such"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "git rev-parse --verify 'no such': Needed a single "
                       "revision"));
}

TEST(RepositoryTest, ALockThatIsHeldIsUnavailable) {
  TestRepository repo;
  repo.Write(".git/index.lock", "");
  const auto added = repo.Open().Git({"add", "-A"});
  EXPECT_EQ(added.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(added.status().message()),
              HasSubstr("another git process works here; wait for it, or "
                        "remove the file when there is none"));
}

TEST(RepositoryTest, ResolveCommitKnowsCommitsOnly) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  repo.Git({"tag", "-a", "-m", "m", "annotated"});
  const Repository repository = repo.Open();
  for (const char* revision :
       {"HEAD", "main", "annotated", "refs/heads/main"}) {
    EXPECT_THAT(repository.ResolveCommit(revision),
                IsOkAndHolds(Optional(head)))
        << revision;
  }
  for (const char* revision :
       {"", "none", "HEAD^", "HEAD:README", "--all", "-h", "^HEAD", "a..b",
        "HEAD^{tree}", "@{u}", "a b", "$(id)", "\n"}) {
    EXPECT_THAT(repository.ResolveCommit(revision), IsOkAndHolds(std::nullopt))
        << revision;
  }
}

TEST(RepositoryTest, ManyCommitsAreLookedUpAtOnce) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const std::string tree = repo.Git({"rev-parse", "HEAD^{tree}"});
  const Repository repository = repo.Open();
  EXPECT_THAT(repository.HasCommits({head, head.substr(0, 12), tree, "HEAD", "",
                                     "a\nb", std::string(40, '0'), "-h", head}),
              IsOkAndHolds(testing::ElementsAre(true, true, false, false, false,
                                                false, false, false, true)));
  EXPECT_THAT(repository.HasCommits({}), IsOkAndHolds(testing::IsEmpty()));
  const std::vector<std::string> many(50000, head);
  EXPECT_THAT(repository.HasCommits(many),
              IsOkAndHolds(std::vector<bool>(50000, true)));
}

TEST(RepositoryTest, UnbornAndDetachedHeads) {
  TestRepository repo(TestRepository::Start::kUnborn);
  const Repository repository = repo.Open();
  EXPECT_THAT(repository.ResolveCommit("HEAD"), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(repository.CurrentBranch(),
              IsOkAndHolds(Optional(std::string("main"))));
  repo.Commit("first");
  repo.Git({"checkout", "-q", "--detach"});
  EXPECT_THAT(repository.CurrentBranch(), IsOkAndHolds(std::nullopt));
}

// Names that break readers which quote, split at spaces or trust UTF-8.
const std::vector<std::string>& OddPaths() {
  static const std::vector<std::string> paths = {"-dash",
                                                 " lead and trail ",
                                                 "a\"b",
                                                 "a\nb",
                                                 "a\tb",
                                                 "back\\slash",
                                                 "caf\xC3\xA9",
                                                 "bad\xFF\xFE",
                                                 "$(x)",
                                                 "*",
                                                 "?",
                                                 "[a]",
                                                 "blob 5",
                                                 ":colon",
                                                 "!bang",
                                                 "dir x/-y/z\n",
                                                 "\xF0\x9F\x98\x80"};
  return paths;
}

TEST(RepositoryTest, OddPathsSurviveEveryReader) {
  TestRepository repo;
  const std::string before = repo.Git({"rev-parse", "HEAD"});
  std::map<std::string, std::string> files;
  for (const std::string& path : OddPaths()) files[path] = "of " + path;
  const std::string commit = repo.CommitOn(before, files);
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const auto changes,
                       repository.DiffTrees(before, commit));
  ASSERT_OK_AND_ASSIGN(const auto paths, repository.ListPaths(commit, ""));
  ASSERT_EQ(changes.size(), OddPaths().size());
  ASSERT_EQ(paths.size(), OddPaths().size() + 2);
  for (const std::string& path : OddPaths()) {
    EXPECT_THAT(paths, testing::Contains(path));
    EXPECT_THAT(changes, testing::Contains(testing::AllOf(
                             testing::Field(&TreeChange::path, path),
                             testing::Field(&TreeChange::status, 'A'))));
    EXPECT_THAT(repository.ReadBlob(commit, path), IsOkAndHolds("of " + path));
  }
  EXPECT_EQ(repo.Fsck(), "");
}

TEST(RepositoryTest, ReadBlobHasNoFoldersAndNoInventions) {
  TestRepository repo;
  const Repository repository = repo.Open();
  repo.Write("src/binary", std::string("\0\n\xFF\n", 4));
  repo.Commit("second");
  EXPECT_THAT(repository.ReadBlob("HEAD", "src/binary"),
              IsOkAndHolds(std::string("\0\n\xFF\n", 4)));
  for (const std::string path :
       {"src", "none", "", "README/x", " blob 2\nxx", "README\n"}) {
    EXPECT_THAT(
        repository.ReadBlob("HEAD", path),
        StatusIs(absl::StatusCode::kNotFound,
                 "HEAD:" + path + ": there is no such file in the repository"))
        << path;
  }
}

TEST(RepositoryTest, ListPathsBelowAPrefix) {
  TestRepository repo;
  repo.Write("src/b/c.cc", "");
  repo.Write("src2/d.cc", "");
  repo.Commit("second");
  EXPECT_THAT(repo.Open().ListPaths("HEAD", "src/"),
              IsOkAndHolds(ElementsAre("src/a.cc", "src/b/c.cc")));
  EXPECT_THAT(repo.Open().ListPaths("HEAD", "none/"), IsOkAndHolds(IsEmpty()));
}

TEST(RepositoryTest, DiffTreesShowsARenameAsTwoChanges) {
  TestRepository repo;
  repo.Git({"mv", "src/a.cc", "src/z.cc"});
  repo.Write("README", "other\n");
  repo.Git({"config", "diff.renames", "copies"});
  repo.Commit("second");
  ASSERT_OK_AND_ASSIGN(const auto changes,
                       repo.Open().DiffTrees("HEAD~1", "HEAD"));
  ASSERT_THAT(changes, SizeIs(3));
  EXPECT_EQ(changes[0].path, "README");
  EXPECT_EQ(changes[0].status, 'M');
  EXPECT_EQ(changes[0].old_mode, "100644");
  EXPECT_EQ(changes[0].new_object, repo.Git({"rev-parse", "HEAD:README"}));
  EXPECT_EQ(changes[1].status, 'D');
  EXPECT_EQ(changes[1].new_mode, "000000");
  EXPECT_EQ(changes[2].path, "src/z.cc");
  EXPECT_EQ(changes[2].status, 'A');
}

TEST(RepositoryTest, ListRefsBelowAPrefix) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  repo.Git({"branch", "autotune/b"});
  repo.Git({"branch", "autotune/a"});
  repo.Git({"branch", "autotune-iter/x"});
  EXPECT_THAT(repo.Open().ListRefs("refs/heads/autotune/"),
              IsOkAndHolds(ElementsAre(Pair("refs/heads/autotune/a", head),
                                       Pair("refs/heads/autotune/b", head))));
}

TEST(RepositoryTest, HistoryTellsWholeCommits) {
  TestRepository repo;
  const std::string first = repo.Git({"rev-parse", "HEAD"});
  const std::string second = repo.CommitOn(first, {{"x", "1"}},
                                           "subject\n\n"
                                           "body \xC3\xA9\nmore");
  ASSERT_OK_AND_ASSIGN(const auto history,
                       repo.Open().History({"--first-parent", second}));
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[0].commit, second);
  EXPECT_EQ(history[0].tree, repo.Git({"rev-parse", second + "^{tree}"}));
  EXPECT_THAT(history[0].parents, ElementsAre(first));
  EXPECT_EQ(history[0].author_name, "Test Person");
  EXPECT_EQ(history[0].author_email, "test@example.com");
  EXPECT_EQ(history[0].message, "subject\n\nbody \xC3\xA9\nmore\n");
  EXPECT_THAT(history[0].author_date, testing::StartsWith("@"));
  EXPECT_THAT(history[1].parents, IsEmpty());
}

TEST(RepositoryTest, IsAncestorIsReflexive) {
  TestRepository repo;
  const std::string first = repo.Git({"rev-parse", "HEAD"});
  const std::string second = repo.CommitOn(first, {{"x", "1"}});
  const Repository repository = repo.Open();
  EXPECT_THAT(repository.IsAncestor(first, second), IsOkAndHolds(true));
  EXPECT_THAT(repository.IsAncestor(first, first), IsOkAndHolds(true));
  EXPECT_THAT(repository.IsAncestor(second, first), IsOkAndHolds(false));
  EXPECT_FALSE(repository.IsAncestor("none", first).ok());
}

TEST(RepositoryTest, ConfigIsTheLastValueOrNothing) {
  TestRepository repo;
  repo.Git({"config", "user.nick", "line\nbreak"});
  const Repository repository = repo.Open();
  EXPECT_THAT(repository.Config("user.nick"),
              IsOkAndHolds(Optional(std::string("line\nbreak"))));
  EXPECT_THAT(repository.Config("user.none"), IsOkAndHolds(std::nullopt));
}

TEST(RepositoryTest, NoIdentityIsSaidWithTheCommandsThatSetOne) {
  TestRepository repo;
  EXPECT_OK(repo.Open().CheckIdentity());
  repo.Git({"config", "--unset", "user.email"});
  repo.Git({"config", "user.useConfigOnly", "true"});
  EXPECT_THAT(repo.Open().CheckIdentity(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "git does not know who you are; run: git config "
                       "--global user.name \"Your Name\" && git config "
                       "--global user.email you@example.com"));
}

TEST(RepositoryTest, ReadersChangeNothingOfTheUsers) {
  TestRepository repo;
  repo.MakeDirty();
  const auto before = repo.UserState();
  const Repository repository = repo.Open();
  ASSERT_OK(repository.Git({"status", "--porcelain"}));
  ASSERT_OK(repository.DiffTrees("HEAD~1", "HEAD"));
  ASSERT_OK(repository.ListPaths("HEAD", ""));
  ASSERT_OK(repository.ReadBlob("HEAD", "README"));
  ASSERT_OK(repository.History({"HEAD"}));
  EXPECT_EQ(repo.UserState(), before);
}

}  // namespace
}  // namespace autotune
