#include "tools/git/tree_merge.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kTenLines[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

TEST(TreeMergeTest, BothSidesChangesAreInTheTree) {
  TestRepository repo;
  const std::string base = repo.CommitOn("HEAD", {{"f", kTenLines}});
  const std::string ours =
      repo.CommitOn(base, {{"f", "0\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  const std::string theirs =
      repo.CommitOn(base, {{"f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n11\n"}});
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(repository, ours, theirs));
  EXPECT_TRUE(merge.clean());
  EXPECT_EQ(merge.tree, merge.tree_with_markers);
  EXPECT_THAT(repository.ReadBlob(merge.tree, "f"),
              IsOkAndHolds("0\n2\n3\n4\n5\n6\n7\n8\n9\n11\n"));
}

TEST(TreeMergeTest, ConflictsAreListedWithAMarkedTree) {
  TestRepository repo;
  const std::string base =
      repo.CommitOn("HEAD", {{"a\nb", "1\n"}, {"c", "1\n"}, {"d", "1\n"}});
  const std::string ours = repo.CommitOn(base, {{"a\nb", "2\n"}, {"c", "2\n"}});
  const std::string theirs =
      repo.CommitOn(base, {{"c", "3\n"}, {"a\nb", "3\n"}});
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(repository, ours, theirs));
  EXPECT_FALSE(merge.clean());
  EXPECT_EQ(merge.tree, "");
  EXPECT_THAT(merge.conflicts, ElementsAre("a\nb", "c"));
  EXPECT_THAT(repository.ReadBlob(merge.tree_with_markers, "c"),
              IsOkAndHolds(HasSubstr("<<<<<<<")));
}

TEST(TreeMergeTest, RenamesAreFollowed) {
  TestRepository repo;
  const std::string base = repo.CommitOn("HEAD", {{"f", kTenLines}});
  repo.Git({"checkout", "-q", "--detach", base});
  repo.Git({"mv", "f", "g"});
  const std::string ours = repo.Commit("rename");
  const std::string theirs =
      repo.CommitOn(base, {{"f", std::string(kTenLines) + "11\n"}});
  repo.Git({"config", "merge.renames", "false"});
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(repository, ours, theirs));
  EXPECT_THAT(merge.conflicts, IsEmpty());
  EXPECT_THAT(repository.ReadBlob(merge.tree, "g"),
              IsOkAndHolds(std::string(kTenLines) + "11\n"));
}

// A driver may run any program, and "union" hides conflicts: neither may steer
// what is measured, wherever it is set up.
TEST(TreeMergeTest, MergeDriversAndAttributesAreNotLookedAt) {
  TestRepository repo;
  const std::string mark = repo.Beside("driver-ran");
  repo.Git({"config", "merge.evil.driver", "touch '" + mark + "'"});
  repo.Git({"config", "merge.default", "evil"});
  repo.Write("f", "1\n");
  repo.Write("g", "1\n");
  repo.Write(".gitattributes", "f merge=evil\n");
  repo.Write(".git/info/attributes", "g merge=union\nf merge=evil\n");
  repo.Write("../home/.config/git/attributes", "* merge=evil\n");
  const std::string base = repo.Commit("base");
  const std::string ours = repo.CommitOn(base, {{"f", "2\n"}, {"g", "2\n"}});
  const std::string theirs = repo.CommitOn(base, {{"f", "3\n"}, {"g", "3\n"}});
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(repo.Open(), ours, theirs));
  EXPECT_THAT(merge.conflicts, ElementsAre("f", "g"));
  EXPECT_FALSE(repo.files().Exists(mark));
}

TEST(TreeMergeTest, UnrelatedHistoriesAreRefused) {
  TestRepository repo;
  const std::string tree = repo.Git({"rev-parse", "HEAD^{tree}"});
  const std::string root = repo.Git({"commit-tree", tree, "-m", "other root"});
  EXPECT_THAT(MergeTrees(repo.Open(), "HEAD", root),
              StatusIs(absl::StatusCode::kFailedPrecondition, testing::_));
}

TEST(TreeMergeTest, OverAGivenBaseRevertsAndPicks) {
  TestRepository repo;
  const std::string base = repo.CommitOn("HEAD", {{"f", kTenLines}});
  const std::string change =
      repo.CommitOn(base, {{"f", "0\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  const std::string later =
      repo.CommitOn(change, {{"f", "0\n2\n3\n4\n5\n6\n7\n8\n9\n11\n"}});
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const TreeMerge reverted,
                       MergeTreesOver(repository, change, later, base));
  EXPECT_THAT(repository.ReadBlob(reverted.tree, "f"),
              IsOkAndHolds("1\n2\n3\n4\n5\n6\n7\n8\n9\n11\n"));
  ASSERT_OK_AND_ASSIGN(const TreeMerge picked,
                       MergeTreesOver(repository, change, base, later));
  EXPECT_THAT(repository.ReadBlob(picked.tree, "f"),
              IsOkAndHolds("1\n2\n3\n4\n5\n6\n7\n8\n9\n11\n"));
}

TEST(TreeMergeTest, WorksInShallowAndSha256Repositories) {
  TestRepository repo;
  repo.CommitOn("HEAD", {{"x", "1"}});
  const std::string base = repo.Commit("second");
  const std::string shallow = repo.Beside("shallow");
  repo.Git({"clone", "-q", "--depth=1", "file://" + repo.top(), shallow});
  const Repository clone = repo.OpenAt(shallow);
  EXPECT_OK(MergeTrees(clone, base, base));

  const std::string sha256 = repo.Beside("sha256");
  repo.Git({"init", "-q", "--object-format=sha256", sha256});
  repo.GitIn(sha256, {"config", "user.name", "x"});
  repo.GitIn(sha256, {"config", "user.email", "x@y"});
  repo.CommitIn(sha256, "first");
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(repo.OpenAt(sha256), "HEAD", "HEAD"));
  EXPECT_EQ(merge.tree.size(), 64U);
}

TEST(TreeMergeTest, PartialClonesFetchWhatTheyLack) {
  TestRepository repo;
  repo.Git({"config", "uploadpack.allowFilter", "true"});
  repo.Git({"config", "uploadpack.allowAnySHA1InWant", "true"});
  const std::string base = repo.CommitOn("HEAD", {{"f", kTenLines}});
  repo.Git({"branch", "ours",
            repo.CommitOn(base, {{"f", std::string("0\n") + kTenLines}})});
  repo.Git({"branch", "theirs",
            repo.CommitOn(base, {{"f", kTenLines + std::string("11\n")}})});
  const std::string partial = repo.Beside("partial");
  repo.Git({"clone", "-q", "--no-checkout", "--filter=blob:none",
            "file://" + repo.top(), partial});
  const Repository clone = repo.OpenAt(partial);
  ASSERT_OK_AND_ASSIGN(const auto ours, clone.ResolveCommit("origin/ours"));
  ASSERT_OK_AND_ASSIGN(const auto theirs, clone.ResolveCommit("origin/theirs"));
  ASSERT_OK_AND_ASSIGN(const TreeMerge merge,
                       MergeTrees(clone, *ours, *theirs));
  EXPECT_TRUE(merge.clean());
}

TEST(TreeMergeTest, NothingOfTheUsersIsTouched) {
  TestRepository repo;
  repo.MakeDirty();
  const std::string theirs = repo.CommitOn("HEAD", {{"new", "1"}});
  const std::string ours = repo.Git({"rev-parse", "HEAD"});
  const auto before = repo.UserState();
  ASSERT_OK(MergeTrees(repo.Open(), ours, theirs));
  ASSERT_OK(MergeTreesOver(repo.Open(), ours, ours, theirs));
  EXPECT_EQ(repo.UserState(), before);
  EXPECT_EQ(repo.Fsck(), "");
}

}  // namespace
}  // namespace autotune
