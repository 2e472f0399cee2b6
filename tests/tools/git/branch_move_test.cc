#include "tools/git/branch_move.h"

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Short(const std::string& sha) { return sha.substr(0, 12); }

// The working branch "autotune/t" at `from`, its next commit `to`.
class MoveBranchTest : public testing::Test {
 protected:
  void SetUp() override {
    repo_.MakeDirty();
    from_ = repo_.Git({"rev-parse", "HEAD"});
    repo_.Git({"branch", "autotune/t"});
    to_ = repo_.CommitOn(from_, {{"docs/row", "1\n"}, {"src/a.cc", "2\n"}});
  }

  // Checks the branch out in the user's own work tree, dirt and all.
  void CheckOut() { repo_.Git({"checkout", "-q", "autotune/t"}); }

  void MakeNext(const std::map<std::string, std::string>& files) {
    to_ = repo_.CommitOn(from_, files);
  }

  absl::Status Move() {
    return MoveBranch(repo_.Open(), "autotune/t", from_, to_);
  }
  absl::Status MoveThrough(FileSystem& files) {
    const auto repository =
        Repository::Open(repo_.processes(), files, repo_.top());
    return MoveBranch(*repository, "autotune/t", from_, to_);
  }
  std::string At() { return repo_.Git({"rev-parse", "refs/heads/autotune/t"}); }
  std::vector<std::string> Overlap() {
    return *OverlappingFiles(repo_.Open(), "autotune/t", from_, to_);
  }

  // The way out that the error of a stale lock names.
  void RemoveLocks() {
    std::vector<std::filesystem::path> locks;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(repo_.top() + "/.git")) {
      if (entry.path().extension() == ".lock") locks.push_back(entry.path());
    }
    for (const auto& lock : locks) std::filesystem::remove(lock);
  }

  TestRepository repo_;
  std::string from_, to_;
};

TEST_F(MoveBranchTest, ABranchThatIsNotCheckedOutMovesAlone) {
  const auto before = repo_.UserState();
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
  EXPECT_EQ(repo_.UserState(), before);
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
}

TEST_F(MoveBranchTest, WhicheverWriteFailsTheBranchStaysAndASecondTryMovesIt) {
  CheckOut();
  int failed = 0;
  for (bool moved = false; !moved; ++failed) {
    FaultyFileSystem faulty(repo_.files(), failed);
    const absl::Status status = MoveThrough(faulty);
    moved = status.ok();
    if (!moved) {
      EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
      EXPECT_EQ(At(), from_);
      EXPECT_OK(Move());
    }
    EXPECT_EQ(At(), to_);
    from_ = to_;
    const std::string text = std::to_string(failed) + "\n";
    MakeNext({{"docs/row", text}, {"src/a.cc", "x" + text}});
  }
  EXPECT_GT(failed, 5);  // objects and their folders are waited for
  EXPECT_EQ(repo_.Fsck(), "");
}

TEST_F(MoveBranchTest, TheLoserOfARaceIsTold) {
  const std::string other = repo_.CommitOn(from_, {{"other", "1"}});
  repo_.Git({"update-ref", "refs/heads/autotune/t", other});
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kAborted,
                               "autotune/t: expected at " + Short(from_) +
                                   ", found at " + Short(other)));
  repo_.Git({"update-ref", "-d", "refs/heads/autotune/t"});
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kAborted,
                               "autotune/t: expected at " + Short(from_) +
                                   ", found at nothing"));
}

TEST_F(MoveBranchTest, OnlyDescendantsAreTaken) {
  to_ = repo_.Git({"rev-parse", "HEAD~1"});
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kInvalidArgument,
                               Short(to_) + ": expected a descendant of " +
                                   Short(from_)));
}

TEST_F(MoveBranchTest, NoHookRuns) {
  for (const char* hook :
       {"reference-transaction", "post-merge", "pre-merge-commit",
        "post-checkout", "post-index-change", "post-rewrite"}) {
    repo_.WriteHook(hook, "touch '" + repo_.Home() + "/ran'; exit 1");
  }
  repo_.Git(
      {"config", "core.fsmonitor", repo_.top() + "/.git/hooks/post-merge"});
  EXPECT_OK(Move());
  from_ = to_;
  MakeNext({{"src/a.cc", "3\n"}});
  repo_.Git({"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
             "checkout", "-q", "autotune/t"});
  EXPECT_OK(Move());
  EXPECT_EQ(repo_.Read("src/a.cc"), "3\n");
  EXPECT_FALSE(repo_.files().Exists(repo_.Home() + "/ran"));
}

TEST_F(MoveBranchTest, ACheckedOutBranchTakesItsFilesAlong) {
  CheckOut();
  auto before = repo_.UserState();
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
  EXPECT_EQ(repo_.Read("docs/row"), "1\n");
  EXPECT_EQ(repo_.Read("src/a.cc"), "2\n");
  const auto after = repo_.UserState();
  for (const char* name :
       {"file user.txt", "file tool.sh", "file staged.txt",
        "file untracked \"x\".txt", "file secret.ignored", "file build/out.o",
        ".git HEAD", ".git config", "stash", "refs"}) {
    EXPECT_EQ(after.at(name), before.at(name)) << name;
  }
  EXPECT_EQ(repo_.Git({"status", "--porcelain"}),
            "A  staged.txt\n M tool.sh\n M user.txt\n?? \"untracked "
            "\\\"x\\\".txt\"");
  EXPECT_EQ(repo_.Fsck(), "");
}

TEST_F(MoveBranchTest, SettingsThatBendAMergeAreOverridden) {
  CheckOut();
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{
           {"merge.autoStash", "true"},
           {"rebase.autoStash", "true"},
           {"merge.ff", "false"},
           {"pull.ff", "only"},
           {"merge.verifySignatures", "true"},
           {"merge.log", "true"},
           {"commit.gpgSign", "true"},
           {"gpg.program", "false"},
           {"branch.autotune/t.mergeOptions", "--squash --no-ff -s ours"},
           {"core.splitIndex", "true"},
           {"submodule.recurse", "true"}}) {
    repo_.Git({"config", key, value});
  }
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
  EXPECT_EQ(repo_.Read("user.txt"), "modified\n");
  EXPECT_EQ(repo_.Read("src/a.cc"), "2\n");
  EXPECT_EQ(repo_.Git({"stash", "list", "--format=%gd"}), "stash@{0}");
}

// Each way an uncommitted file can stand in the way, with the files named.
struct Obstacle {
  std::string name;
  std::map<std::string, std::string> next;  // what the next commit writes
  std::string file;                         // what is reported
};

std::ostream& operator<<(std::ostream& out, const Obstacle& obstacle) {
  return out << obstacle.name;
}

class ObstacleTest : public MoveBranchTest,
                     public testing::WithParamInterface<Obstacle> {};

TEST_P(ObstacleTest, IsNamedAndNothingMoves) {
  CheckOut();
  MakeNext(GetParam().next);
  const auto before = repo_.UserState();
  EXPECT_THAT(Overlap(), ElementsAre(GetParam().file));
  EXPECT_THAT(Move(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       repo_.top() +
                           ": uncommitted files stand where the "
                           "branch's next commit writes: " +
                           GetParam().file + "; commit, stash or move them"));
  EXPECT_EQ(At(), from_);
  EXPECT_EQ(repo_.UserState(), before);
}

std::string NameOf(const testing::TestParamInfo<Obstacle>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Files, ObstacleTest,
    testing::Values(
        Obstacle{"Modified", {{"user.txt", "new"}}, "user.txt"},
        Obstacle{"ModeChanged", {{"tool.sh", "new"}}, "tool.sh"},
        Obstacle{"Staged", {{"staged.txt", "new"}}, "staged.txt"},
        Obstacle{"Untracked",
                 {{"untracked \"x\".txt", "new"}},
                 "untracked \"x\".txt"},
        Obstacle{"Ignored", {{"secret.ignored", "new"}}, "secret.ignored"},
        Obstacle{"FileWhereAFolderGoes",
                 {{"secret.ignored/inner", "new"}},
                 "secret.ignored/inner"},
        Obstacle{"FolderWhereAFileGoes", {{"build", "new"}}, "build/out.o"}),
    NameOf);

TEST_F(MoveBranchTest, ManyObstaclesAreCounted) {
  CheckOut();
  std::map<std::string, std::string> next;
  for (int i = 10; i < 25; ++i) {
    const std::string path = "f" + std::to_string(i);
    repo_.Write(path, "mine");
    next[path] = "theirs";
  }
  MakeNext(next);
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("f18, f19 and 5 more; commit")));
}

TEST_F(MoveBranchTest, DirtElsewhereDoesNotOverlap) {
  EXPECT_THAT(Overlap(), IsEmpty());
  CheckOut();
  EXPECT_THAT(Overlap(), IsEmpty());
}

TEST_F(MoveBranchTest, ADeletedFileIsWrittenAgain) {
  CheckOut();
  repo_.Remove("src/a.cc");
  EXPECT_THAT(Overlap(), IsEmpty());
  EXPECT_OK(Move());
  EXPECT_EQ(repo_.Read("src/a.cc"), "2\n");
}

// What a fast-forward killed at each of its steps leaves: files first, then the
// index, then the ref.
TEST_F(MoveBranchTest, AnInterruptedMoveIsFinished) {
  CheckOut();
  MakeNext(
      {{"docs/row", "1\n"}, {"src/a.cc", "whole line\n"}, {"README", "r\n"}});
  repo_.Write("docs/row", "1\n");      // added whole
  repo_.Write("src/a.cc", "whole l");  // torn
  repo_.Remove("README");              // between removal and writing
  EXPECT_THAT(Overlap(), IsEmpty());
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
  EXPECT_EQ(repo_.Read("src/a.cc"), "whole line\n");
  EXPECT_EQ(repo_.Read("README"), "r\n");
  EXPECT_EQ(repo_.Git({"status", "--porcelain"}),
            "A  staged.txt\n M tool.sh\n M user.txt\n?? \"untracked "
            "\\\"x\\\".txt\"");
}

TEST_F(MoveBranchTest, AMoveInterruptedBeforeItsRefIsFinished) {
  CheckOut();
  repo_.Git({"read-tree", "-m", "-u", from_, to_});
  EXPECT_EQ(repo_.Read("src/a.cc"), "2\n");
  EXPECT_THAT(Overlap(), IsEmpty());
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
}

// Kills git from inside the checkout of one file, so that some files are new,
// one is gone and the others, the index and the ref are still old.
TEST_F(MoveBranchTest, AMoveKilledAmongItsFilesIsFinishedByTheNext) {
  std::map<std::string, std::string> files;
  for (int i = 10; i < 30; ++i) files["many/f" + std::to_string(i)] = "old\n";
  files[".gitattributes"] = "many/* filter=kill\n";
  from_ = repo_.CommitOn(from_, files);
  repo_.Git({"update-ref", "refs/heads/autotune/t", from_});
  CheckOut();
  for (const char* const victim : {"many/f10", "many/f20", "many/f29"}) {
    for (auto& [name, text] : files) {
      if (name.starts_with("many/")) text += std::string(victim) + "\n";
    }
    from_ = At();
    to_ = repo_.CommitOn(from_, files);
    repo_.Git({"config", "filter.kill.smudge",
               "test %f = " + std::string(victim) + " && kill -9 $PPID; cat"});
    EXPECT_FALSE(Move().ok());
    EXPECT_EQ(At(), from_);
    repo_.Git({"config", "--unset", "filter.kill.smudge"});
    EXPECT_EQ(Move().code(), absl::StatusCode::kUnavailable);
    RemoveLocks();
    EXPECT_THAT(Overlap(), IsEmpty());
    ASSERT_OK(Move()) << victim;
    EXPECT_EQ(At(), to_);
    EXPECT_EQ(repo_.Read("many/f29"), files["many/f29"]);
    EXPECT_EQ(repo_.Git({"status", "--porcelain", "--", "many"}), "");
    EXPECT_EQ(repo_.Read("user.txt"), "modified\n");
  }
  EXPECT_EQ(repo_.Fsck(), "");
}

TEST_F(MoveBranchTest, AStaleIndexLockIsNamed) {
  CheckOut();
  repo_.Write(".git/index.lock", "");
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("/.git/index.lock': File exists.")));
  EXPECT_EQ(At(), from_);
}

TEST_F(MoveBranchTest, ALinkedWorktreeIsMovedAlong) {
  const std::string path = repo_.Beside("linked");
  repo_.Git({"worktree", "add", "-q", path, "autotune/t"});
  const auto before = repo_.UserState();
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
  EXPECT_THAT(repo_.files().ReadFile(path + "/src/a.cc"), IsOkAndHolds("2\n"));
  EXPECT_EQ(repo_.UserState(), before);
}

TEST_F(MoveBranchTest, ABranchCheckedOutTwiceIsRefused) {
  const std::string first = repo_.Beside("first");
  const std::string second = repo_.Beside("second");
  repo_.Git({"worktree", "add", "-q", first, "autotune/t"});
  repo_.Git({"worktree", "add", "-q", "-f", second, "autotune/t"});
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               "autotune/t: is checked out twice, in " + first +
                                   " and " + second +
                                   "; switch one of them to another branch"));
  EXPECT_EQ(At(), from_);
}

TEST_F(MoveBranchTest, AWorktreeDeletedByHandIsNoCheckout) {
  const std::string path = repo_.Beside("gone");
  repo_.Git({"worktree", "add", "-q", path, "autotune/t"});
  ASSERT_OK(repo_.files().RemoveAll(path));
  EXPECT_OK(Move());
  EXPECT_EQ(At(), to_);
}

TEST_F(MoveBranchTest, AnAbsentLockedWorktreeIsRefused) {
  const std::string path = repo_.Beside("usb");
  repo_.Git({"worktree", "add", "-q", "--lock", path, "autotune/t"});
  ASSERT_OK(repo_.files().RemoveAll(path));
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               "autotune/t: is checked out in " + path +
                                   ", which is locked and not there; bring it "
                                   "back, or run: git worktree unlock"));
}

TEST_F(MoveBranchTest, AnOperationInProgressIsRefused) {
  CheckOut();
  repo_.Write(".git/MERGE_HEAD", to_ + "\n");
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("a merge is in progress")));
}

TEST_F(MoveBranchTest, ABranchUnderRebaseIsRefused) {
  repo_.Write(".git/rebase-merge/head-name", "refs/heads/autotune/t\n");
  EXPECT_THAT(Move(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               "autotune/t: a rebase that started from it is "
                               "in progress; finish or abandon it"));
}

TEST_F(MoveBranchTest, ASparseCheckoutStaysSparse) {
  repo_.Git({"stash", "push", "-q", "-u"});
  CheckOut();
  repo_.Git({"sparse-checkout", "set", "docs"});
  ASSERT_FALSE(repo_.Exists("src/a.cc"));
  EXPECT_OK(Move());
  EXPECT_TRUE(repo_.Exists("docs/row"));
  EXPECT_FALSE(repo_.Exists("src/a.cc"));
  EXPECT_EQ(repo_.Git({"status", "--porcelain"}), "");
}

}  // namespace
}  // namespace autotune
