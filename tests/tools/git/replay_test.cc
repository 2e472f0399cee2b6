#include "tools/git/replay.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"
#include "tools/git/integration.h"
#include "tools/git/tree_merge.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kTenLines[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() : base_(repo_.CommitOn("HEAD", {{"f", kTenLines}})) {}

  std::string Merge(const std::string& first, const std::string& second) {
    const auto merge = MergeTrees(repo_.Open(), first, second);
    return *CommitTree(repo_.Open(), merge->tree, {first, second}, "merge\n");
  }
  std::string ReadAt(const std::string& treeish, const std::string& path) {
    const auto text = repo_.Open().ReadBlob(treeish, path);
    return text.ok() ? *text : std::string(text.status().message());
  }

  TestRepository repo_;
  std::string base_;
};

TEST_F(ReplayTest, AnOldMergeIsRevertedUnderLaterWork) {
  const std::string attempt = repo_.CommitOn(
      base_, {{"f", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}, {"new", "x\n"}});
  const std::string merged =
      Merge(repo_.CommitOn(base_, {{"plan", "p"}}), attempt);
  const std::string tip =
      repo_.CommitOn(merged, {{"f", "one\n2\n3\n4\n5\n6\n7\n8\n9\nten\n"}});
  ASSERT_OK_AND_ASSIGN(
      const TreeMerge reverted,
      MergeTreesOver(repo_.Open(), merged, tip, merged + "^1"));
  ASSERT_TRUE(reverted.clean());
  EXPECT_EQ(ReadAt(reverted.tree, "f"), "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n");
  EXPECT_THAT(ReadAt(reverted.tree, "new"), HasSubstr("no such file"));
  EXPECT_EQ(ReadAt(reverted.tree, "plan"), "p");
}

TEST_F(ReplayTest, AMergeThatLaterWorkBuiltOnConflicts) {
  const std::string attempt =
      repo_.CommitOn(base_, {{"f", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  const std::string merged = Merge(base_, attempt);
  const std::string tip =
      repo_.CommitOn(merged, {{"f", "uno\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  ASSERT_OK_AND_ASSIGN(
      const TreeMerge reverted,
      MergeTreesOver(repo_.Open(), merged, tip, merged + "^1"));
  EXPECT_THAT(reverted.conflicts, ElementsAre("f"));
  EXPECT_EQ(reverted.tree, "");
}

TEST_F(ReplayTest, CommitsComeOneByOneWithTheirMessages) {
  const std::string one = repo_.CommitOn(base_, {{"a", "1"}}, "one\n\nbody");
  const std::string two = repo_.CommitOn(one, {{"b", "2"}}, "two");
  const std::string onto = repo_.CommitOn(base_, {{"c", "3"}});
  ASSERT_OK_AND_ASSIGN(const Replay replay,
                       ReplayCommits(repo_.Open(), base_, two, onto));
  EXPECT_TRUE(replay.clean());
  ASSERT_THAT(replay.made, SizeIs(2));
  EXPECT_EQ(replay.made.back(), replay.commit);
  ASSERT_OK_AND_ASSIGN(const auto history,
                       repo_.Open().History({replay.commit, "^" + onto}));
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[0].message, "two\n");
  EXPECT_EQ(history[1].message, "one\n\nbody\n");
  EXPECT_THAT(history[1].parents, ElementsAre(onto));
  for (const char* path : {"a", "b", "c"}) {
    EXPECT_THAT(ReadAt(replay.commit, path), testing::AnyOf("1", "2", "3"));
  }
}

TEST_F(ReplayTest, AMergeAndRevertedAttemptComesBack) {
  const std::string attempt = repo_.CommitOn(base_, {{"a", "1"}});
  const std::string merged = Merge(base_, attempt);
  ASSERT_OK_AND_ASSIGN(
      const TreeMerge reverted,
      MergeTreesOver(repo_.Open(), merged, merged, merged + "^1"));
  ASSERT_OK_AND_ASSIGN(const std::string tip,
                       CommitTree(repo_.Open(), reverted.tree, {merged}, "R"));
  ASSERT_OK_AND_ASSIGN(const Replay replay,
                       ReplayCommits(repo_.Open(), base_, attempt, tip));
  ASSERT_THAT(replay.made, SizeIs(1));
  EXPECT_EQ(ReadAt(replay.commit, "a"), "1");
}

TEST_F(ReplayTest, WhatAMergeInsidePulledInComesAlong) {
  const std::string work = repo_.CommitOn(base_, {{"a", "1"}});
  const std::string side = repo_.CommitOn(base_, {{"s", "2"}});
  const std::string attempt = Merge(work, side);
  const std::string onto = repo_.CommitOn(base_, {{"c", "3"}});
  ASSERT_OK_AND_ASSIGN(const Replay replay,
                       ReplayCommits(repo_.Open(), base_, attempt, onto));
  EXPECT_THAT(replay.made, SizeIs(2));
  EXPECT_EQ(ReadAt(replay.commit, "s"), "2");
}

TEST_F(ReplayTest, CommitsThatAreThereAlreadyAreLeftOut) {
  const std::string one = repo_.CommitOn(base_, {{"a", "1"}});
  const std::string two = repo_.CommitOn(one, {{"b", "2"}});
  const std::string onto = repo_.CommitOn(base_, {{"a", "1"}}, "the same");
  ASSERT_OK_AND_ASSIGN(const Replay replay,
                       ReplayCommits(repo_.Open(), base_, two, onto));
  EXPECT_THAT(replay.made, SizeIs(1));
}

TEST_F(ReplayTest, TheFirstConflictStopsTheSeries) {
  const std::string one = repo_.CommitOn(base_, {{"a", "1"}});
  const std::string two =
      repo_.CommitOn(one, {{"f", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  const std::string three = repo_.CommitOn(two, {{"z", "1"}});
  const std::string onto =
      repo_.CommitOn(base_, {{"f", "uno\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}});
  ASSERT_OK_AND_ASSIGN(const Replay replay,
                       ReplayCommits(repo_.Open(), base_, three, onto));
  EXPECT_FALSE(replay.clean());
  EXPECT_EQ(replay.stopped_at, two);
  EXPECT_THAT(replay.conflicts, ElementsAre("f"));
  EXPECT_THAT(replay.made, SizeIs(1));
  EXPECT_EQ(ReadAt(replay.commit, "a"), "1");
  EXPECT_THAT(ReadAt(replay.tree_with_markers, "f"), HasSubstr("=======\n"));
}

TEST_F(ReplayTest, NothingOfTheUsersIsTouched) {
  repo_.MakeDirty();
  const std::string head = repo_.Git({"rev-parse", "HEAD"});
  const std::string one = repo_.CommitOn(head, {{"user.txt", "1"}});
  const auto before = repo_.UserState();
  ASSERT_OK(ReplayCommits(repo_.Open(), head, one, head));
  ASSERT_OK(MergeTreesOver(repo_.Open(), one, one, one + "^1"));
  EXPECT_EQ(repo_.UserState(), before);
  EXPECT_EQ(repo_.Fsck(), "");
}

}  // namespace
}  // namespace autotune
