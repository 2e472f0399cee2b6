// Several commands, or a person and a command, on one repository at once.

#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/system/file_lock.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class ConcurrencyTest : public AutotuneFixture {};

// The tip's code moves while the attempt is built: what would be measured
// against the old one is not used.
TEST_F(ConcurrencyTest, CommitOnTheWorkingBranchMeanwhileStartsOver) {
  InitTask();
  const std::string script = state() + "-move";
  ASSERT_OK(files().WriteFile(
      script,
      absl::StrCat("[ -e \"", script, "-done\" ] && exit 0; touch \"", script,
                   "-done\"; cd \"", repository(),
                   "\" && echo 600 > src/other.txt && git add -A && git commit "
                   "-q -m meanwhile\n")));
  LeaveOpen();
  ASSERT_EQ(Run({"task", "set", "commands.test", "sh", script}).exit_code, 0);
  CommitAttempt("less", "src/knob.txt", "300\n");
  Git({"switch", "-q", kBranch});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("starting over on its new tip"));
  EXPECT_THAT(Subjects(), testing::Contains("meanwhile"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/other.txt")}), "600\n");
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Rows(), 1);
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
}

TEST_F(ConcurrencyTest, AttemptsStartedAtOnceGetNumbersOfTheirOwn) {
  InitTask();
  std::vector<std::thread> threads;
  std::vector<Answer> answers(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i, &answers] {
      answers[i] = RunProgram(
          {"start", absl::StrCat("idea ", i / 2), "--hypothesis", "x"});
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
  }
  EXPECT_EQ(answers[0].out, answers[1].out);
  EXPECT_EQ(answers[2].out, answers[3].out);
  EXPECT_EQ(Subjects().size(), 4u);
  const std::string branches =
      Git({"for-each-ref", "--format=%(refname)", "refs/heads/autotune-iter"});
  EXPECT_THAT(branches, testing::MatchesRegex(
                            "[^\n]*001-idea-[01]\n[^\n]*002-idea-[01]\n"));
  ExpectSound();
}

TEST_F(ConcurrencyTest, OneOfTwoDecisionsOfAnAttemptIsBusyOrSeesTheOther) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  std::vector<int> codes(2, -1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([this, i, &codes] {
      codes[i] = RunProgram({"decide", "less"}).exit_code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(codes, testing::Contains(0));
  EXPECT_THAT(codes, testing::Each(testing::AnyOf(0, 75)));
  EXPECT_EQ(Rows(), 1);
}

// A lock dies with its holder (the kills at every step go on behind theirs);
// a living one is waited for or named.
TEST_F(ConcurrencyTest, LockOfALivingProcessIsBusy) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  const auto lock = AcquireFileLock(
      repository() +
          "/.git/autotune/autotune-iter-2026-01-02-knob-001-less.lock",
      absl::ZeroDuration());
  ASSERT_OK(lock);
  const Answer answer = RunProgram({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 75);
  EXPECT_THAT(answer.err, HasSubstr(absl::StrCat(getpid())));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(ConcurrencyTest, DecisionsOfDifferentAttemptsAtOnceBothEnterHistory) {
  InitTask();
  CommitAttempt("less", "src/knob.txt", "300\n");
  CommitAttempt("more", "src/knob.txt", "2700\n");
  CommitAttempt("same", "src/code.cc", "int Code() { return 2; }\n");
  std::vector<int> codes(3, -1);
  std::vector<std::thread> threads;
  const std::vector<std::string> names = {"same", "more", "same"};
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([this, i, &codes, &names] {
      codes[i] = RunProgram({"decide", names[i]}).exit_code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(codes[0], 1);
  EXPECT_EQ(codes[1], 1);
  EXPECT_EQ(Rows(), 2);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

}  // namespace
}  // namespace autotune
