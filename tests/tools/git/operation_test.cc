#include "tools/git/operation.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

using testing::Optional;

// Branch "side" and "main" change the same line.
class OperationTest : public testing::Test {
 protected:
  OperationTest() {
    repo_.Write("f", "base\n");
    repo_.Commit("base");
    repo_.Git({"checkout", "-q", "-b", "side"});
    repo_.Write("f", "side\n");
    repo_.Commit("side");
    repo_.Git({"checkout", "-q", "main"});
    repo_.Write("f", "main\n");
    repo_.Commit("main");
  }

  // Runs git, expects a conflict, and tells the operation then in progress.
  std::optional<std::string> After(const std::vector<std::string>& arguments) {
    EXPECT_FALSE(repo_.GitSucceeds(arguments));
    const auto operation = OperationInProgress(repo_.Open());
    EXPECT_OK(operation);
    return *operation;
  }

  TestRepository repo_;
};

TEST_F(OperationTest, NothingIsInProgressAtFirst) {
  EXPECT_THAT(OperationInProgress(repo_.Open()), IsOkAndHolds(std::nullopt));
  EXPECT_OK(CheckNoOperation(repo_.Open()));
}

TEST_F(OperationTest, MergeIsSeenAndNamed) {
  EXPECT_THAT(After({"merge", "side"}), Optional(std::string("merge")));
  EXPECT_THAT(
      CheckNoOperation(repo_.Open()),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               repo_.top() + ": a merge is in progress; finish it with: git "
                             "merge --continue, or abandon it with: git merge "
                             "--abort"));
}

TEST_F(OperationTest, CherryPickIsSeen) {
  EXPECT_THAT(After({"cherry-pick", "side"}),
              Optional(std::string("cherry-pick")));
}

TEST_F(OperationTest, RevertIsSeen) {
  EXPECT_THAT(After({"revert", "HEAD~1"}), Optional(std::string("revert")));
}

TEST_F(OperationTest, BothKindsOfRebaseAreSeen) {
  EXPECT_THAT(After({"rebase", "side"}), Optional(std::string("rebase")));
  EXPECT_THAT(OperationHolding(repo_.Open(), "main"),
              IsOkAndHolds(Optional(std::string("rebase"))));
  EXPECT_THAT(OperationHolding(repo_.Open(), "side"),
              IsOkAndHolds(std::nullopt));
  repo_.Git({"rebase", "--abort"});
  EXPECT_THAT(After({"rebase", "--apply", "side"}),
              Optional(std::string("rebase")));
  EXPECT_THAT(OperationHolding(repo_.Open(), "main"),
              IsOkAndHolds(Optional(std::string("rebase"))));
}

TEST_F(OperationTest, AmIsSeen) {
  repo_.Git({"format-patch", "-q", "-1", "side", "-o", repo_.Beside("patch")});
  EXPECT_THAT(After({"am", repo_.Beside("patch/0001-side.patch")}),
              Optional(std::string("am")));
}

TEST_F(OperationTest, BisectIsSeen) {
  repo_.Git({"bisect", "start", "main", "main~2"});
  EXPECT_THAT(OperationInProgress(repo_.Open()),
              IsOkAndHolds(Optional(std::string("bisect"))));
  EXPECT_THAT(OperationHolding(repo_.Open(), "main"),
              IsOkAndHolds(Optional(std::string("bisect"))));
  EXPECT_THAT(CheckNoOperation(repo_.Open()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       repo_.top() + ": a bisect is in progress; end it with: "
                                     "git bisect reset"));
}

TEST_F(OperationTest, WorktreesHaveTheirOwn) {
  const std::string path = repo_.Beside("tree");
  repo_.Git({"worktree", "add", "-q", path, "side"});
  EXPECT_FALSE(repo_.GitSucceeds({"-C", path, "rebase", "main"}));
  EXPECT_THAT(OperationInProgress(repo_.Open()), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(OperationInProgress(repo_.Open(), path),
              IsOkAndHolds(Optional(std::string("rebase"))));
  EXPECT_THAT(OperationHolding(repo_.Open(), "side"),
              IsOkAndHolds(Optional(std::string("rebase"))));
}

}  // namespace
}  // namespace autotune
