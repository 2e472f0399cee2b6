#include "tools/git/integration.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

std::string Short(const std::string& sha) { return sha.substr(0, 12); }

TEST(WriteTreeTest, AddsReplacesAndRemoves) {
  TestRepository repo;
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const std::string tree,
                       WriteTree(repository, "HEAD",
                                 {{"docs/new \"x\"\n.md", "new\n"},
                                  {"src/a.cc", "int a = 2;\n"},
                                  {"README", std::nullopt},
                                  {"never there", std::nullopt},
                                  {"tool.sh", "#!/bin/sh\n", "100755"}}));
  EXPECT_THAT(
      repository.ListPaths(tree, ""),
      IsOkAndHolds(ElementsAre("docs/new \"x\"\n.md", "src/a.cc", "tool.sh")));
  EXPECT_THAT(repository.ReadBlob(tree, "src/a.cc"),
              IsOkAndHolds("int a = 2;\n"));
  EXPECT_THAT(repo.Git({"ls-tree", tree, "tool.sh"}), HasSubstr("100755"));
}

TEST(WriteTreeTest, ContentsAreStoredAsTheyAre) {
  TestRepository repo;
  repo.Write(".gitattributes", "* text eol=lf ident filter=x\n");
  repo.Git({"config", "filter.x.clean", "tr a-z A-Z"});
  repo.Git({"config", "core.autocrlf", "input"});
  const std::string bytes("a\r\nb\0\xFF$Id$", 9);
  ASSERT_OK_AND_ASSIGN(const std::string tree,
                       WriteTree(repo.Open(), "HEAD", {{"f", bytes}}));
  EXPECT_THAT(repo.Open().ReadBlob(tree, "f"), IsOkAndHolds(bytes));
}

TEST(WriteTreeTest, ForbiddenNamesAreRefused) {
  TestRepository repo;
  for (const std::string path :
       {".git/config", "a/../b", "/abs", "a//b", "a/.GIT/x"}) {
    const auto tree = WriteTree(repo.Open(), "HEAD", {{path, "x"}});
    EXPECT_EQ(tree.status().code(), absl::StatusCode::kFailedPrecondition)
        << path;
  }
}

TEST(WriteTreeTest, NoFileGivesWayToAFolderOrBack) {
  TestRepository repo;
  EXPECT_THAT(WriteTree(repo.Open(), "HEAD", {{"README/x", "x"}}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "README: stands where another file has to be written"));
  EXPECT_THAT(
      WriteTree(repo.Open(), "HEAD", {{"src", "x"}}),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "src/a.cc: stands where another file has to be written"));
  EXPECT_OK(WriteTree(repo.Open(), "HEAD",
                      {{"README", std::nullopt}, {"README/x", "x"}}));
}

TEST(WriteTreeTest, EntriesMayBeAnyObject) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const std::string blob = repo.Git({"rev-parse", "HEAD:README"});
  ASSERT_OK_AND_ASSIGN(const std::string tree,
                       WriteTreeEntries(repo.Open(), "HEAD",
                                        {{"sub", "160000", head},
                                         {"link", "120000", blob},
                                         {"README", "000000", ""}}));
  EXPECT_THAT(repo.Git({"ls-tree", "--name-only", tree}), "link\nsrc\nsub");
}

TEST(CommitTreeTest, HooksAndSigningPlayNoPart) {
  TestRepository repo;
  for (const char* hook : {"pre-commit", "commit-msg", "prepare-commit-msg",
                           "post-commit", "reference-transaction"}) {
    repo.WriteHook(hook, "exit 1");
  }
  repo.Git({"config", "commit.gpgSign", "true"});
  repo.Git({"config", "gpg.program", "false"});
  repo.Git({"config", "i18n.commitEncoding", "latin1"});
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const std::string tree = repo.Git({"rev-parse", "HEAD^{tree}"});
  ASSERT_OK_AND_ASSIGN(const std::string commit,
                       CommitTree(repo.Open(), tree, {head, head},
                                  "-m \"quoted\" caf\xC3\xA9 $(x)\n\n# kept"));
  const std::string text = repo.Git({"cat-file", "commit", commit});
  EXPECT_THAT(text,
              testing::EndsWith("-m \"quoted\" caf\xC3\xA9 $(x)\n\n# kept"));
  EXPECT_THAT(text, testing::Not(HasSubstr("encoding")));
  EXPECT_THAT(text, testing::Not(HasSubstr("gpgsig")));
  EXPECT_OK(CreateRef(repo.Open(), "refs/autotune/t/001", commit));
}

TEST(CommitTreeTest, TheAuthorOfAPickedCommitIsKept) {
  TestRepository repo;
  const std::string tree = repo.Git({"rev-parse", "HEAD^{tree}"});
  CommitInfo author;
  author.author_name = "Ann \xC3\x89";
  author.author_email = "ann@example.com";
  author.author_date = "@1700000000 +0130";
  ASSERT_OK_AND_ASSIGN(const std::string commit,
                       CommitTree(repo.Open(), tree, {}, "m", author));
  EXPECT_THAT(repo.Git({"cat-file", "commit", commit}),
              testing::AllOf(
                  HasSubstr("author Ann \xC3\x89 <ann@example.com> 1700000000 "
                            "+0130\n"),
                  HasSubstr("committer Test Person <test@example.com>")));
  ASSERT_OK_AND_ASSIGN(const auto history, repo.Open().History({commit}));
  EXPECT_EQ(history[0].author_date, author.author_date);
}

TEST(CommitTreeTest, WithoutAnIdentityNothingIsMade) {
  TestRepository repo;
  repo.Git({"config", "--unset", "user.name"});
  repo.Git({"config", "--unset", "user.email"});
  repo.Git({"config", "user.useConfigOnly", "true"});
  const std::string tree = repo.Git({"rev-parse", "HEAD^{tree}"});
  EXPECT_THAT(CommitTree(repo.Open(), tree, {}, "m"),
              StatusIs(absl::StatusCode::kFailedPrecondition, _));
}

// A working branch: main at `start`, T two plan commits later.
class AttemptBaseTest : public testing::Test {
 protected:
  AttemptBaseTest() {
    start_ = repo_.Git({"rev-parse", "HEAD"});
    plan_ = repo_.CommitOn(start_, {{"docs/plan1", "1"}});
    tip_ = repo_.CommitOn(plan_, {{"docs/plan2", "1"}});
  }

  std::string Merge(const std::string& first, const std::string& second) {
    const std::string tree = repo_.Git({"rev-parse", first + "^{tree}"});
    return repo_.Git(
        {"commit-tree", tree, "-p", first, "-p", second, "-m", "merge"});
  }

  absl::StatusOr<std::string> Base(
      const std::string& attempt,
      const std::vector<std::string>& foreign = {}) {
    return AttemptBase(repo_.Open(), tip_, attempt, foreign);
  }

  TestRepository repo_;
  std::string start_, plan_, tip_;
};

TEST_F(AttemptBaseTest, IsTheCommitItForkedFrom) {
  EXPECT_THAT(Base(repo_.CommitOn(tip_, {{"x", "1"}})), IsOkAndHolds(tip_));
  EXPECT_THAT(Base(repo_.CommitOn(plan_, {{"x", "1"}})), IsOkAndHolds(plan_));
  const std::string two =
      repo_.CommitOn(repo_.CommitOn(plan_, {{"x", "1"}}), {{"y", "1"}});
  EXPECT_THAT(Base(two, {"refs/heads/main", "refs/heads/none"}),
              IsOkAndHolds(plan_));
}

TEST_F(AttemptBaseTest, ThePulledTipBecomesTheBase) {
  const std::string work = repo_.CommitOn(plan_, {{"x", "1"}});
  EXPECT_THAT(Base(Merge(work, tip_)), IsOkAndHolds(tip_));
}

TEST_F(AttemptBaseTest, NoWorkIsRefused) {
  for (const std::string& attempt : {tip_, plan_}) {
    EXPECT_THAT(Base(attempt),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "attempt " + Short(attempt) +
                             ": it has no commit that the working branch "
                             "lacks; commit the work first"));
  }
}

TEST_F(AttemptBaseTest, AForeignRootIsRefused) {
  const std::string root =
      repo_.Git({"commit-tree", tip_ + "^{tree}", "-m", "root"});
  EXPECT_THAT(Base(root),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "attempt " + Short(root) +
                           ": it shares no history with the working branch; "
                           "start an attempt from the tip and cherry-pick the "
                           "work onto it"));
}

TEST_F(AttemptBaseTest, AForkFromAMergedAttemptIsRefused) {
  const std::string other = repo_.CommitOn(plan_, {{"o", "1"}});
  tip_ = Merge(tip_, other);
  const std::string attempt = repo_.CommitOn(other, {{"x", "1"}});
  EXPECT_THAT(Base(attempt),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "attempt " + Short(attempt) + ": it forked from " +
                           Short(other) +
                           ", which is no step of the working branch itself "
                           "(another attempt's commit?); cherry-pick its own "
                           "commits onto a fresh attempt"));
}

TEST_F(AttemptBaseTest, SeveralMergeBasesAreRefused) {
  const std::string other = repo_.CommitOn(plan_, {{"o", "1"}});
  const std::string old_tip = tip_;
  tip_ = Merge(tip_, other);
  const std::string attempt =
      Merge(repo_.CommitOn(old_tip, {{"x", "1"}}), other);
  EXPECT_THAT(Base(attempt),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "attempt " + Short(attempt) +
                           ": it has 2 merge bases with the working branch, "
                           "expected 1 (it merged across another attempt); "
                           "cherry-pick its own commits onto a fresh attempt"));
}

TEST_F(AttemptBaseTest, CommitsOfOtherRefsAreRefused) {
  const std::string other = repo_.CommitOn(tip_, {{"o", "1"}});
  repo_.Git({"update-ref", "refs/autotune/t/001", other});
  const std::string attempt = Merge(repo_.CommitOn(tip_, {{"x", "1"}}), other);
  EXPECT_THAT(Base(attempt), IsOkAndHolds(tip_));
  EXPECT_THAT(Base(attempt, {"refs/heads/main", "refs/autotune/t/001"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "attempt " + Short(attempt) +
                           ": 1 of its commits come from refs/autotune/t/001; "
                           "cherry-pick its own commits onto a fresh attempt"));
}

TEST_F(AttemptBaseTest, CommitsOfTheStartingBranchAreRefused) {
  const std::string upstream = repo_.CommitOn(start_, {{"up", "1"}});
  repo_.Git({"update-ref", "refs/heads/main", upstream});
  const std::string attempt =
      Merge(repo_.CommitOn(tip_, {{"x", "1"}}), upstream);
  EXPECT_THAT(Base(attempt, {"refs/heads/main"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("1 of its commits come from "
                                 "refs/heads/main")));
}

TEST(RefTest, CreateIsACompareAndSwap) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const Repository repository = repo.Open();
  EXPECT_OK(CreateRef(repository, "refs/heads/autotune/x", head));
  EXPECT_THAT(
      CreateRef(repository, "refs/heads/autotune/x", head),
      StatusIs(absl::StatusCode::kAlreadyExists,
               "refs/heads/autotune/x: is already there, at " + Short(head)));
}

TEST(RefTest, CreateSaysWhichNameIsInTheWay) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  repo.Git({"branch", "autotune"});
  const absl::Status status =
      CreateRef(repo.Open(), "refs/heads/autotune/x", head);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("'refs/heads/autotune' exists; cannot "
                                         "create 'refs/heads/autotune/x'")));
}

TEST(RefTest, DeleteOnlyFromWhereItWasSeen) {
  TestRepository repo;
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  const std::string other = repo.CommitOn(head, {{"x", "1"}});
  repo.WriteHook("reference-transaction", "exit 1");
  const Repository repository = repo.Open();
  ASSERT_OK(CreateRef(repository, "refs/autotune/t/1", head));
  EXPECT_THAT(DeleteRef(repository, "refs/autotune/t/1", other),
              StatusIs(absl::StatusCode::kAborted,
                       "refs/autotune/t/1: expected at " + Short(other) +
                           ", found at " + Short(head)));
  EXPECT_OK(DeleteRef(repository, "refs/autotune/t/1", head));
  EXPECT_OK(DeleteRef(repository, "refs/autotune/t/1", head));
  EXPECT_THAT(repository.ResolveCommit("refs/autotune/t/1"),
              IsOkAndHolds(std::nullopt));
}

TEST(IntegrationTest, PlumbingTouchesNothingOfTheUsers) {
  TestRepository repo;
  repo.MakeDirty();
  const auto before = repo.UserState();
  const Repository repository = repo.Open();
  ASSERT_OK_AND_ASSIGN(const std::string tree,
                       WriteTree(repository, "HEAD", {{"user.txt", "theirs"}}));
  const std::string head = repo.Git({"rev-parse", "HEAD"});
  ASSERT_OK_AND_ASSIGN(const std::string commit,
                       CommitTree(repository, tree, {head}, "m"));
  ASSERT_OK(CreateRef(repository, "refs/heads/autotune/x", commit));
  EXPECT_EQ(repo.UserState(), before);
  EXPECT_EQ(repo.Fsck(), "");
}

}  // namespace
}  // namespace autotune
