// What an interruption, a deletion or a person by hand left half done.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class RecoveryTest : public AutotuneFixture {};

TEST_F(RecoveryTest, ResumeFinishesWhatIsOpen) {
  InitTask();
  EXPECT_EQ(Run({"resume"}).out, "nothing was left half done\n");
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_OK(files().RemoveAll(worktree));  // deleted by hand
  EXPECT_EQ(Run({"resume"}).exit_code, 0);
  EXPECT_TRUE(files().Exists(worktree + "/src/knob.txt"));
  // A prompt committed by hand.
  Git({"switch", "-q", kBranch});
  Write("docs/autotune/2026-01-02-knob/by-hand/prompts.md", "an idea\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "an idea"});
  const Answer answer = Run({"resume"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("opened by-hand from its committed prompt"));
}

TEST_F(RecoveryTest, MergeMadeByHandIsCompleted) {
  InitTask();
  CommitAttempt("good", "src/knob.txt", "300\n");
  CommitAttempt("bad", "src/code.cc", "int Code() { return 2; }\n");
  Git({"switch", "-q", kBranch});
  Git({"merge", "-q", "--no-ff", "-m", "merge: autotune iteration good",
       "autotune-iter/2026-01-02-knob/001-good"});
  Git({"merge", "-q", "--no-ff", "-m", "merge: autotune iteration bad",
       "autotune-iter/2026-01-02-knob/002-bad"});
  Git({"switch", "-q", "main"});
  EXPECT_EQ(Run({"audit"}).exit_code, 65);
  EXPECT_EQ(Run({"decide", "good"}).exit_code, 0);
  EXPECT_EQ(Run({"decide", "bad"}).exit_code, 1);
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/code.cc")}),
            "int Code() { return 1; }\n");
  EXPECT_EQ(Rows(), 2);
  ExpectSound();
}

TEST_F(RecoveryTest, MergeRevertedByHandIsADiscard) {
  InitTask();
  CommitAttempt("tried", "src/knob.txt", "300\n");
  Git({"switch", "-q", kBranch});
  Git({"merge", "-q", "--no-ff", "-m", "merge: autotune iteration tried",
       "autotune-iter/2026-01-02-knob/001-tried"});
  Git({"revert", "-m", "1", "--no-edit", "HEAD"});
  Git({"switch", "-q", "main"});
  EXPECT_EQ(Run({"resume"}).exit_code, 1);
  EXPECT_EQ(Subjects().back(), "ledger: discard tried");
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
}

// What no merge of the parents gives cannot be judged: said, nothing recorded.
TEST_F(RecoveryTest, MergeWithAForeignChangeIsRefused) {
  InitTask();
  CommitAttempt("evil", "src/knob.txt", "300\n");
  Git({"switch", "-q", kBranch});
  Git({"merge", "-q", "--no-ff", "--no-commit",
       "autotune-iter/2026-01-02-knob/001-evil"});
  Write("src/code.cc", "int Code() { return 66; }\n");
  Git({"commit", "-q", "-a", "-m", "merge: autotune iteration evil"});
  Git({"switch", "-q", "main"});
  const Answer answer = Run({"decide", "evil"});
  EXPECT_EQ(answer.exit_code, 69);
  EXPECT_THAT(answer.err, HasSubstr("with changes that neither parent has"));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(RecoveryTest, AttemptOfADeletedWorktreeIsDecided) {
  InitTask();
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_OK(files().RemoveAll(worktree));
  EXPECT_EQ(Run({"decide", "less"}).exit_code, 0);
  EXPECT_EQ(Git({"worktree", "list"}).find(worktree), std::string::npos);
}

}  // namespace
}  // namespace autotune
