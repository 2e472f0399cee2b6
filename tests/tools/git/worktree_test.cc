#include "tools/git/worktree.h"

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class WorktreeTest : public testing::Test {
 protected:
  WorktreeTest() : path_(repo_.Beside("work tree\n'x'")) {}

  std::string ReadIn(const std::string& directory, const std::string& path) {
    const auto text = repo_.files().ReadFile(JoinPath(directory, path));
    return text.ok() ? *text : text.status().ToString();
  }

  // A submodule "lib/sub" that holds a nested one at "in/ner".
  void AddSubmodules() {
    const std::string inner = MakeSource("inner", {});
    const std::string outer = MakeSource("outer", {{"in/ner", inner}});
    AddSubmodule(repo_.top(), outer, "lib/sub");
    repo_.Commit("with submodule");
    repo_.Git({"-c", "protocol.file.allow=always", "submodule", "-q", "update",
               "--init", "--recursive"});
  }

  std::string MakeSource(
      const std::string& name,
      const std::vector<std::pair<std::string, std::string>>& submodules) {
    const std::string path = repo_.Beside(name);
    repo_.Git({"init", "-q", "-b", "main", path});
    repo_.GitIn(path, {"config", "user.name", "x"});
    repo_.GitIn(path, {"config", "user.email", "x@y"});
    repo_.Write("../" + name + "/file", "in " + name + "\n");
    for (const auto& [at, source] : submodules) AddSubmodule(path, source, at);
    repo_.CommitIn(path, name);
    return path;
  }

  void AddSubmodule(const std::string& to, const std::string& source,
                    const std::string& at) {
    repo_.GitIn(to, {"-c", "protocol.file.allow=always", "submodule", "-q",
                     "add", source, at});
  }

  TestRepository repo_;
  std::string path_;
};

TEST_F(WorktreeTest, AllWorktreesAreListed) {
  const std::string head = repo_.Git({"rev-parse", "HEAD"});
  repo_.Git({"worktree", "add", "-q", "--detach", path_});
  repo_.Git({"worktree", "add", "-q", "-b", "gone", repo_.Beside("gone")});
  ASSERT_OK(repo_.files().RemoveAll(repo_.Beside("gone")));
  repo_.Git({"worktree", "add", "-q", "--lock", "-b", "l", repo_.Beside("l")});
  ASSERT_OK_AND_ASSIGN(const auto worktrees, ListWorktrees(repo_.Open()));
  ASSERT_THAT(worktrees, SizeIs(4));
  EXPECT_EQ(worktrees[0].path, repo_.top());
  EXPECT_EQ(worktrees[0].branch, "refs/heads/main");
  EXPECT_EQ(worktrees[0].head, head);
  EXPECT_FALSE(worktrees[0].missing);
  for (const Worktree& worktree : worktrees) {
    EXPECT_EQ(worktree.main, worktree.path == repo_.top());
    EXPECT_EQ(worktree.missing, worktree.branch == "refs/heads/gone");
    EXPECT_EQ(worktree.locked, worktree.branch == "refs/heads/l");
    EXPECT_EQ(worktree.branch.empty(), worktree.path == path_);
  }
}

TEST_F(WorktreeTest, AddedWorktreesHoldTheBranch) {
  repo_.MakeDirty();
  repo_.Git({"branch", "autotune-iter/t/001-x"});
  repo_.WriteHook("post-checkout", "exit 1");
  const auto before = repo_.UserState();
  ASSERT_OK(AddWorktree(repo_.Open(), path_, "autotune-iter/t/001-x"));
  EXPECT_EQ(ReadIn(path_, "user.txt"), "tracked\n");
  EXPECT_EQ(repo_.GitIn(path_, {"symbolic-ref", "HEAD"}),
            "refs/heads/autotune-iter/t/001-x");
  EXPECT_EQ(repo_.UserState(), before);
  ASSERT_OK(RemoveWorktree(repo_.Open(), path_));
  EXPECT_FALSE(repo_.files().Exists(path_));
  EXPECT_EQ(repo_.UserState(), before);
  EXPECT_THAT(*ListWorktrees(repo_.Open()), SizeIs(1));
}

TEST_F(WorktreeTest, RemovalTakesDirtAndIsRepeatable) {
  repo_.Git({"branch", "b"});
  ASSERT_OK(AddWorktree(repo_.Open(), path_, "b"));
  ASSERT_OK(repo_.files().WriteFile(path_ + "/dirt", "x"));
  EXPECT_OK(RemoveWorktree(repo_.Open(), path_));
  EXPECT_OK(RemoveWorktree(repo_.Open(), path_));
  EXPECT_OK(AddWorktree(repo_.Open(), path_, "b"));
}

TEST_F(WorktreeTest, HalfRemovedAndHalfMadeWorktreesGo) {
  repo_.Git({"branch", "b"});
  const Repository repository = repo_.Open();
  ASSERT_OK(AddWorktree(repository, path_, "b"));
  ASSERT_OK(repo_.files().RemoveAll(path_));
  EXPECT_OK(RemoveWorktree(repository, path_));
  ASSERT_OK(AddWorktree(repository, path_, "b"));
  ASSERT_OK(repo_.files().RemoveAll(path_ + "/.git"));
  EXPECT_OK(RemoveWorktree(repository, path_));
  ASSERT_OK(AddWorktree(repository, path_, "b"));
  repo_.Git({"worktree", "lock", "--reason", "initializing", path_});
  EXPECT_OK(RemoveWorktree(repository, path_));
  EXPECT_THAT(*ListWorktrees(repository), SizeIs(1));
}

TEST_F(WorktreeTest, OnlyTheNamedWorktreeIsPruned) {
  repo_.Git({"worktree", "add", "-q", "-b", "other", repo_.Beside("other")});
  ASSERT_OK(repo_.files().RemoveAll(repo_.Beside("other")));
  repo_.Git({"branch", "b"});
  ASSERT_OK(AddWorktree(repo_.Open(), path_, "b"));
  ASSERT_OK(RemoveWorktree(repo_.Open(), path_));
  EXPECT_THAT(*ListWorktrees(repo_.Open()), SizeIs(2));
}

TEST_F(WorktreeTest, OtherFoldersAreNeverRemoved) {
  ASSERT_OK(repo_.files().MakeDirectories(path_));
  EXPECT_THAT(RemoveWorktree(repo_.Open(), path_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       path_ + ": is no linked worktree of this repository; it "
                               "is left alone"));
  EXPECT_THAT(RemoveWorktree(repo_.Open(), repo_.top()),
              StatusIs(absl::StatusCode::kFailedPrecondition, _));
  repo_.Git({"worktree", "add", "-q", "-b", "b", repo_.Beside("b")});
  EXPECT_THAT(RemoveWorktree(repo_.OpenAt(repo_.Beside("b")), repo_.top()),
              StatusIs(absl::StatusCode::kFailedPrecondition, _));
  EXPECT_TRUE(repo_.Exists("README"));
}

TEST_F(WorktreeTest, SubmodulesAreFilledWithoutADownload) {
  AddSubmodules();
  ASSERT_OK(repo_.files().Rename(repo_.Beside("outer"), repo_.Beside("away1")));
  ASSERT_OK(repo_.files().Rename(repo_.Beside("inner"), repo_.Beside("away2")));
  repo_.Git({"branch", "b"});
  const auto before = repo_.UserState();
  ASSERT_OK(AddWorktree(repo_.Open(), path_, "b"));
  EXPECT_EQ(ReadIn(path_, "lib/sub/file"), "in outer\n");
  EXPECT_EQ(ReadIn(path_, "lib/sub/in/ner/file"), "in inner\n");
  EXPECT_EQ(repo_.GitIn(path_, {"status", "--porcelain"}), "");
  ASSERT_OK(RemoveWorktree(repo_.Open(), path_));
  EXPECT_FALSE(repo_.files().Exists(path_));
  EXPECT_EQ(repo_.UserState(), before);
}

TEST_F(WorktreeTest, ExportHoldsExactlyTheTree) {
  repo_.MakeDirty();
  repo_.Git({"commit", "-q", "-m", "staged", "staged.txt"});
  const std::string commit = repo_.CommitOn(
      "HEAD", {{"-odd \"\n", "1"}, {"secret.ignored", "tracked all the same"}});
  const auto before = repo_.UserState();
  ASSERT_OK(ExportTree(repo_.Open(), commit, path_));
  EXPECT_EQ(ReadIn(path_, "-odd \"\n"), "1");
  EXPECT_EQ(ReadIn(path_, "secret.ignored"), "tracked all the same");
  EXPECT_EQ(ReadIn(path_, "user.txt"), "tracked\n");
  EXPECT_FALSE(repo_.files().Exists(path_ + "/.git"));
  EXPECT_FALSE(repo_.files().Exists(path_ + "/build"));
  EXPECT_FALSE(repo_.files().Exists(path_ + "/untracked \"x\".txt"));
  EXPECT_EQ(repo_.UserState(), before);
  EXPECT_EQ(repo_.Fsck(), "");
}

TEST_F(WorktreeTest, ExportKeepsModesAndSymlinks) {
  repo_.Write("tool.sh", "#!/bin/sh\n");
  fs::permissions(repo_.top() + "/tool.sh", fs::perms::owner_all);
  fs::create_symlink("../outside", repo_.top() + "/link");
  repo_.Commit("modes");
  ASSERT_OK(ExportTree(repo_.Open(), "HEAD", path_));
  EXPECT_TRUE(repo_.files().Info(path_ + "/tool.sh")->executable);
  EXPECT_FALSE(repo_.files().Info(path_ + "/README")->executable);
  EXPECT_EQ(fs::read_symlink(path_ + "/link"), "../outside");
}

TEST_F(WorktreeTest, ExportReadsTheTreesOwnAttributes) {
  repo_.Write(".gitattributes", "*.txt eol=crlf\n");
  repo_.Write("a.txt", "1\n");
  const std::string commit = repo_.Commit("attributes");
  repo_.Write(".gitattributes", "*.txt -text\n");
  ASSERT_OK(ExportTree(repo_.Open(), commit, path_));
  EXPECT_EQ(ReadIn(path_, "a.txt"), "1\r\n");
}

TEST_F(WorktreeTest, ExportIsWholeInASparseCheckoutAndALinkedWorktree) {
  repo_.Git({"sparse-checkout", "set", "docs"});
  ASSERT_FALSE(repo_.Exists("src/a.cc"));
  ASSERT_OK(ExportTree(repo_.Open(), "HEAD", path_));
  EXPECT_EQ(ReadIn(path_, "src/a.cc"), "int a = 1;\n");
  repo_.Git({"worktree", "add", "-q", "-b", "b", repo_.Beside("b")});
  const Repository linked = repo_.OpenAt(repo_.Beside("b"));
  ASSERT_OK(ExportTree(linked, "main", repo_.Beside("e")));
  EXPECT_EQ(ReadIn(repo_.Beside("e"), "src/a.cc"), "int a = 1;\n");
}

TEST_F(WorktreeTest, ExportFillsSubmodules) {
  AddSubmodules();
  const auto before = repo_.UserState();
  const Repository repository = repo_.Open();
  ASSERT_OK(ExportTree(repository, "HEAD", path_));
  EXPECT_EQ(ReadIn(path_, "lib/sub/file"), "in outer\n");
  EXPECT_EQ(ReadIn(path_, "lib/sub/in/ner/file"), "in inner\n");
  EXPECT_FALSE(repo_.files().Exists(path_ + "/lib/sub/.git"));
  EXPECT_THAT(ExportWarnings(repository, "HEAD", path_),
              IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(repo_.UserState(), before);
}

TEST_F(WorktreeTest, WhatABuildMayLackIsSaid) {
  AddSubmodules();
  repo_.Write("big.bin",
              "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize "
              "12\n");
  repo_.Commit("pointer");
  const std::string clone = repo_.Beside("clone");
  repo_.Git({"clone", "-q", repo_.top(), clone});
  const Repository repository = repo_.OpenAt(clone);
  ASSERT_OK(ExportTree(repository, "HEAD", path_));
  EXPECT_THAT(
      ExportWarnings(repository, "HEAD", path_),
      IsOkAndHolds(ElementsAre(
          "big.bin: is a Git LFS pointer, not the file; run: git lfs install "
          "&& git lfs pull",
          "lib/sub: is an empty submodule here; run: git submodule update "
          "--init --recursive")));
}

TEST_F(WorktreeTest, ExportNeverWritesIntoAnExistingFolder) {
  ASSERT_OK(repo_.files().MakeDirectories(path_));
  EXPECT_THAT(
      ExportTree(repo_.Open(), "HEAD", path_),
      StatusIs(absl::StatusCode::kAlreadyExists,
               path_ + ": expected a new folder for the files of HEAD"));
}

}  // namespace
}  // namespace autotune
