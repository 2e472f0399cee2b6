#include "tools/git/names.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_repository.h"

namespace autotune {
namespace {

constexpr char kTask[] = "2026-02-03-t";

TEST(NamesTest, AttemptNamesReadBack) {
  EXPECT_EQ(WorkingBranch(kTask), "autotune/2026-02-03-t");
  EXPECT_EQ(AttemptBranch(kTask, 7, "a-b"),
            "autotune-iter/2026-02-03-t/007-a-b");
  EXPECT_EQ(AttemptBranch(kTask, 1234, "a"),
            "autotune-iter/2026-02-03-t/1234-a");
  EXPECT_EQ(AttemptRef(kTask, 7), "refs/autotune/2026-02-03-t/007");
  for (const int number : {1, 42, 999, 1000}) {
    for (const std::string prefix : {"", "refs/heads/"}) {
      const auto name = ParseAttemptBranch(
          kTask, prefix + AttemptBranch(kTask, number, "x-2"));
      ASSERT_TRUE(name.has_value());
      EXPECT_EQ(name->number, number);
      EXPECT_EQ(name->approach, "x-2");
    }
  }
}

TEST(NamesTest, OtherBranchesAreNoAttempts) {
  for (const char* branch :
       {"autotune/2026-02-03-t", "autotune-iter/2026-02-03-t/7-a",
        "autotune-iter/2026-02-03-t/007-", "autotune-iter/2026-02-03-t/007",
        "autotune-iter/2026-02-03-t/x-a", "autotune-iter/2026-02-03-t/-07-a",
        "autotune-iter/2026-02-03-t2/007-a", "main", "",
        "autotune-iter/2026-02-03-t/+07-a",
        "autotune-iter/2026-02-03-t/0007-a"}) {
    EXPECT_FALSE(ParseAttemptBranch(kTask, branch).has_value()) << branch;
  }
}

TEST(NamesTest, AFreshRepositoryHasRoom) {
  TestRepository repo;
  repo.Git({"branch", "autotune/other"});
  repo.Git({"branch", "autotune-iter/other/001-x"});
  EXPECT_OK(CheckNamesFree(repo.Open(), kTask));
}

struct Collision {
  const char* existing;
  const char* error;
};

TEST(NamesTest, EveryCollisionIsNamedWithTheWayOut) {
  const Collision collisions[] = {
      {"refs/heads/autotune",
       "refs/heads/autotune/2026-02-03-t: cannot be created, because "
       "refs/heads/autotune exists; rename it (git branch -m 'autotune' "
       "NEWNAME)"},
      {"refs/heads/autotune/2026-02-03-t",
       "refs/heads/autotune/2026-02-03-t: cannot be created, because "
       "refs/heads/autotune/2026-02-03-t exists; rename it (git branch -m "
       "'autotune/2026-02-03-t' NEWNAME)"},
      {"refs/heads/autotune/2026-02-03-t/x",
       "refs/heads/autotune/2026-02-03-t: cannot be created, because "
       "refs/heads/autotune/2026-02-03-t/x exists; rename it (git branch -m "
       "'autotune/2026-02-03-t/x' NEWNAME)"},
      {"refs/heads/autotune-iter",
       "refs/heads/autotune-iter/2026-02-03-t: cannot be created, because "
       "refs/heads/autotune-iter exists; rename it (git branch -m "
       "'autotune-iter' NEWNAME)"},
      {"refs/heads/autotune-iter/2026-02-03-t/001-x",
       "refs/heads/autotune-iter/2026-02-03-t: cannot be created, because "
       "refs/heads/autotune-iter/2026-02-03-t/001-x exists; rename it (git "
       "branch -m 'autotune-iter/2026-02-03-t/001-x' NEWNAME)"},
      {"refs/autotune",
       "refs/autotune/2026-02-03-t: cannot be created, because refs/autotune "
       "exists; delete it (git update-ref -d 'refs/autotune')"},
  };
  TestRepository repo;
  for (const Collision& collision : collisions) {
    repo.Git({"update-ref", collision.existing, "HEAD"});
    EXPECT_THAT(
        CheckNamesFree(repo.Open(), kTask),
        StatusIs(absl::StatusCode::kFailedPrecondition, collision.error));
    repo.Git({"update-ref", "-d", collision.existing});
  }
}

TEST(NamesTest, NamesThatGitForbidsAreRefused) {
  TestRepository repo;
  for (const char* task : {"a..b", "a b", "x.lock", "", "a\n", "-x/.y"}) {
    EXPECT_THAT(CheckNamesFree(repo.Open(), task),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "refs/heads/autotune/" + std::string(task) +
                             ": git allows no ref of this name"));
  }
}

}  // namespace
}  // namespace autotune
