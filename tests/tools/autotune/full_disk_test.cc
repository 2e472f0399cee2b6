// A disk that fills up while git, builds and the program itself write to it:
// said, nothing half done, and the same command afterwards does the rest.

#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Every process of the command, git included, is refused to write files larger
// than a limit, as on a disk with that much room for each.
class FileLimitTest : public AutotuneFixture,
                      public testing::WithParamInterface<int> {
 protected:
  Answer RunLimited(const std::vector<std::string>& arguments) {
    ProcessSpec spec;
    spec.argv = {"sh", "-c", "trap '' XFSZ; exec prlimit --fsize=$0:$0 \"$@\"",
                 absl::StrCat(GetParam()), AUTOTUNE_PROGRAM};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.working_directory = repository();
    spec.environment = environment();
    const auto result = MakePosixProcessRunner()->Run(spec);
    EXPECT_OK(result);
    if (!result.ok()) return {};
    return {result->exit_code, result->standard_output, result->standard_error};
  }

  // A refusal that says what happened, or the whole thing done.
  void ExpectSaidOr(const Answer& answer, int done) {
    EXPECT_THAT(answer.exit_code, AnyOf(done, 2, 65, 69))
        << answer.out << answer.err;
    if (GetParam() == 0) {
      EXPECT_EQ(answer.exit_code, 69);
    }
    if (answer.exit_code != done) {
      EXPECT_THAT(answer.err, HasSubstr("autotune: error: "));
    }
  }
};

TEST_P(FileLimitTest, DecideDoesAllOrNothingAndTheRestAfterwards) {
  InitTask();
  const std::string before = UserState();
  ExpectSaidOr(RunLimited(Completed({"start", "same", "--hypothesis", "less"})),
               0);
  EXPECT_EQ(UserState(), before);
  ExpectSound();
  CommitAttempt("same", "src/code.cc", "int Code() { return 2; }\n");
  ExpectSaidOr(RunLimited({"decide", "same"}), 1);
  EXPECT_EQ(UserState(), before);
  ExpectSound();
  ExpectSaidOr(RunLimited({"log", "a finding"}), 0);
  const Answer answer = Run({"decide", "same"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_EQ(Run({"log", "a finding"}).exit_code, 0);
  EXPECT_EQ(Rows(), 1);
  const std::vector<std::string> subjects = Subjects();
  EXPECT_THAT(subjects, testing::IsSupersetOf(
                            {"plan: autotune iteration same",
                             "merge: autotune iteration same",
                             "Revert \"merge: autotune iteration same\"",
                             "ledger: discard same"}));
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  EXPECT_EQ(Git({"worktree", "prune", "-v", "-n"}), "");
  EXPECT_EQ(UserState(), before);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Bytes, FileLimitTest,
                         testing::Values(0, 60, 400, 1000, 20000));

// The program's own writes fail from the n-th on: an error, nothing half done,
// and the same command afterwards.
class FailingWritesTest : public AutotuneFixture {};

TEST_F(FailingWritesTest, FullDiskLeavesNothingHalfDone) {
  InitTask();
  FaultyFileSystem counting(files());
  UseFiles(counting);
  CommitAttempt("a", "src/code.cc", "int Code() { return 2; }\n");
  ASSERT_EQ(Run({"decide", "a"}).exit_code, 1);
  const int writes = counting.writes();
  ASSERT_GT(writes, 5);
  int rows = 1;
  for (int n = 0; n < writes; n += writes / 5, ++rows) {
    const std::string approach = absl::StrCat("full ", n);
    FaultyFileSystem faulty(files(), n);
    UseFiles(faulty);
    const Answer start = Run({"start", approach, "--hypothesis", "x"});
    UseFiles(files());
    EXPECT_THAT(start.exit_code, testing::AnyOf(0, 69)) << start.err;
    const std::string worktree =
        CommitAttempt(approach, "src/code.cc",
                      absl::StrCat("int Code() { return ", n + 3, "; }\n"));
    UseFiles(faulty);
    const Answer decide = Run({"decide", approach});
    UseFiles(files());
    EXPECT_THAT(decide.exit_code, testing::AnyOf(1, 69)) << decide.err;
    EXPECT_EQ(Run({"decide", approach}).exit_code, 1);
    EXPECT_FALSE(files().Exists(worktree));
  }
  EXPECT_EQ(Rows(), rows);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

// The n-th write of `start` or `decide` fails, and every one after it, for
// every n: then the branch has the history it had or the whole new one, and the
// same command afterwards does the rest. An attempt given up is neither built
// nor measured, so what is left is history alone. Shared out over four tests.
class EveryWriteTest : public AutotuneFixture,
                       public testing::WithParamInterface<int> {
 public:
  static constexpr int kShares = 4;

 protected:
  void SetUp() override {
    // What a failed write leaves behind goes with the test.
    const std::string temporary = state() + "-tmp";
    ASSERT_OK(files().MakeDirectories(temporary));
    setenv("TMPDIR", temporary.c_str(), 1);
    InitTask();
  }
  void TearDown() override { unsetenv("TMPDIR"); }

  Answer RunThrough(FileSystem& used,
                    const std::vector<std::string>& arguments) {
    UseFiles(used);
    const Answer answer = Run(arguments);
    UseFiles(files());
    return answer;
  }
  Answer Start(FileSystem& used, const std::string& approach) {
    return RunThrough(used, {"start", approach, "--hypothesis", "x"});
  }
  Answer GiveUp(FileSystem& used, const std::string& approach) {
    return RunThrough(used, {"decide", approach, "--crash", "no good"});
  }
  template <typename Call>
  int WritesOf(const Call& call) {
    FaultyFileSystem counting(files());
    call(counting);
    EXPECT_GT(counting.writes(), 10);
    return counting.writes();
  }
  // The subjects so far and those that `approach` adds.
  static std::vector<std::string> With(std::vector<std::string> subjects,
                                       const std::vector<std::string>& more) {
    subjects.insert(subjects.end(), more.begin(), more.end());
    return subjects;
  }
};

TEST_P(EveryWriteTest, OfStartLeavesNoPlanOrAWholeOne) {
  const int writes =
      WritesOf([&](FileSystem& used) { Start(used, "counted"); });
  for (int n = GetParam(); n < writes; n += kShares) {
    SCOPED_TRACE(absl::StrCat("write ", n, " of ", writes));
    const std::string approach = absl::StrCat("idea-", n);
    const std::vector<std::string> before = Subjects();
    const std::vector<std::string> planned =
        With(before, {absl::StrCat("plan: autotune iteration ", approach)});
    FaultyFileSystem faulty(files(), n);
    const Answer failed = Start(faulty, approach);
    EXPECT_THAT(failed.exit_code, AnyOf(0, 69)) << failed.out << failed.err;
    EXPECT_THAT(Subjects(), AnyOf(before, planned));
    const Answer again = Start(files(), approach);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(Subjects(), planned);
  }
  ExpectSound();
}

TEST_P(EveryWriteTest, OfDecideLeavesTheOldHistoryOrTheNewOneWithOneRow) {
  CommitAttempt("counted", "src/code.cc", "int Code() { return 2; }\n");
  const int writes =
      WritesOf([&](FileSystem& used) { GiveUp(used, "counted"); });
  for (int n = GetParam(); n < writes; n += kShares) {
    SCOPED_TRACE(absl::StrCat("write ", n, " of ", writes));
    const std::string approach = absl::StrCat("idea-", n);
    const std::string worktree =
        CommitAttempt(approach, "src/code.cc",
                      absl::StrCat("int Code() { return ", n + 3, "; }\n"));
    const std::vector<std::string> before = Subjects();
    const std::vector<std::string> decided = With(
        before,
        {absl::StrCat("merge: autotune iteration ", approach),
         absl::StrCat("Revert \"merge: autotune iteration ", approach, "\""),
         absl::StrCat("ledger: crash ", approach)});
    const int rows = Rows();
    FaultyFileSystem faulty(files(), n);
    const Answer failed = GiveUp(faulty, approach);
    EXPECT_THAT(failed.exit_code, AnyOf(2, 69)) << failed.out << failed.err;
    const bool done = Subjects() == decided;
    EXPECT_THAT(Subjects(), AnyOf(before, decided));
    EXPECT_EQ(Rows(), rows + (done ? 1 : 0));
    const Answer again = GiveUp(files(), approach);
    EXPECT_EQ(again.exit_code, 2) << again.out << again.err;
    EXPECT_EQ(Subjects(), decided);
    EXPECT_EQ(Rows(), rows + 1);
    EXPECT_FALSE(files().Exists(worktree));
  }
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(Shares, EveryWriteTest,
                         testing::Range(0, EveryWriteTest::kShares));

// The same on a real full file system, where this user may mount one.
class FullDiskTest : public AutotuneFixture {
 protected:
  void SetUp() override {
    disk_ = state() + "-disk";
    ASSERT_OK(files().MakeDirectories(disk_));
    ProcessSpec spec;
    spec.argv = {"unshare", "-m"};
    if (geteuid() != 0) spec.argv.emplace_back("-r");
    spec.argv.insert(spec.argv.end(),
                     {"sh", "-c",
                      "mount -t tmpfs -o size=24m none \"$0\" && echo > "
                      "\"$0/ready\" && exec sleep 300",
                      disk_});
    auto holder = processes_->Start(spec);
    ASSERT_OK(holder);
    holder_ = *std::move(holder);
    for (int i = 0; i < 200 && !mounted_; ++i) {
      const auto ended = holder_->PollEnded(absl::Milliseconds(10));
      ASSERT_OK(ended);
      if (*ended) break;
      mounted_ = InDisk({"test", "-e", disk_ + "/ready"}).exit_code == 0;
    }
    if (!mounted_) {
      GTEST_SKIP() << "this user may not mount a file system; "
                      "FileLimitTest fills the disk in another way";
    }
    Prepare();
  }

  void TearDown() override {
    if (holder_ == nullptr) return;
    (void)holder_->Kill();
    (void)holder_->Wait();
  }

  // Runs a command where the disk is mounted.
  Answer InDisk(const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = {"nsenter", "-t", absl::StrCat(holder_->pid()), "-m"};
    if (geteuid() != 0) {
      spec.argv.insert(spec.argv.end(), {"-U", "--preserve-credentials"});
    }
    spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
    spec.environment = environment();
    spec.environment["AUTOTUNE_STATE_DIR"] = disk_ + "/state";
    spec.environment["TMPDIR"] = disk_ + "/tmp";
    const auto result = processes_->Run(spec);
    EXPECT_OK(result);
    if (!result.ok()) return {};
    return {result->exit_code, result->standard_output, result->standard_error};
  }

  Answer MustInDisk(const std::vector<std::string>& argv) {
    Answer answer = InDisk(argv);
    EXPECT_EQ(answer.exit_code, 0)
        << CommandText(argv) << ": " << answer.out << answer.err;
    return answer;
  }

  std::string GitOnDisk(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {"git", "-C", disk_ + "/r"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return MustInDisk(argv).out;
  }

  Answer Autotune(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {AUTOTUNE_PROGRAM, "-C", disk_ + "/r"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return InDisk(argv);
  }

  // Fills the disk but for `kilobytes`.
  void Fill(int kilobytes) {
    MustInDisk({"sh", "-c",
                absl::StrCat("free=$(df -k --output=avail \"$0\" | tail -n 1); "
                             "head -c $(((free - ",
                             kilobytes, ") * 1024)) /dev/zero > \"$0/filler\""),
                disk_});
  }
  void MakeRoom() { MustInDisk({"rm", disk_ + "/filler"}); }

 private:
  void Prepare() {
    MustInDisk({"mkdir", disk_ + "/tmp"});
    MustInDisk({"git", "clone", "-q", repository(), disk_ + "/r"});
    GitOnDisk({"config", "user.name", "A User"});
    GitOnDisk({"config", "user.email", "user@example.org"});
    const Answer init = Autotune(
        {"init", "knob", "--target", "^BM_Knob/", "--edit", "src/**",
         "--configure", "", "--build",
         absl::StrCat("ln -s '", KNOB_BENCHMARK, "' {build}/bench"),
         "--no-tests", "a knob", "--benchmark", "bench", "--no-calibration"});
    ASSERT_EQ(init.exit_code, 0) << init.err;
  }

  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::unique_ptr<RunningProcess> holder_;
  std::string disk_;
  bool mounted_ = false;
};

TEST_F(FullDiskTest, EveryStageIsSaidAndFinishedOnceThereIsRoom) {
  const std::string branches =
      GitOnDisk({"for-each-ref", "--format=%(refname)", "refs/heads/autotune"});
  const std::string branch(absl::StripSuffix(branches, "\n"));
  int number = 0;
  int refused = 0;
  for (const int kilobytes : {0, 16, 48, 96, 160}) {
    SCOPED_TRACE(absl::StrCat(kilobytes, " kB left"));
    const std::string approach = absl::StrCat("idea-", ++number);
    Fill(kilobytes);
    const Answer start =
        Autotune(Completed({"start", approach, "--hypothesis", "x"}));
    EXPECT_THAT(start.exit_code, AnyOf(0, 69)) << start.out << start.err;
    if (start.exit_code != 0) ++refused;
    if (kilobytes == 0) {
      EXPECT_THAT(start.err, HasSubstr("No space left on device"));
    }
    MakeRoom();
    EXPECT_EQ(
        Autotune(Completed({"start", approach, "--hypothesis", "x"})).exit_code,
        0);
    Fill(kilobytes);
    const Answer decide = Autotune({"decide", approach});
    EXPECT_THAT(decide.exit_code, AnyOf(1, 69)) << decide.out << decide.err;
    if (decide.exit_code == 69) {
      EXPECT_THAT(decide.err, HasSubstr("autotune: error: "));
      ++refused;
    }
    EXPECT_EQ(GitOnDisk({"fsck", "--strict", "--no-dangling", "--no-progress"}),
              "");
    MakeRoom();
    const Answer again = Autotune({"decide", approach});
    EXPECT_EQ(again.exit_code, 1) << again.out << again.err;
    EXPECT_EQ(GitOnDisk({"log", "--first-parent", "-4", "--reverse",
                         "--format=%s", branch}),
              absl::StrCat("plan: autotune iteration ", approach,
                           "\nmerge: autotune iteration ", approach,
                           "\nRevert \"merge: autotune iteration ", approach,
                           "\"\nledger: discard ", approach, "\n"));
  }
  EXPECT_GE(refused, 4);
  EXPECT_EQ(Autotune({"audit"}).exit_code, 0);
  EXPECT_EQ(GitOnDisk({"status", "--porcelain"}), "");
}

}  // namespace
}  // namespace autotune
