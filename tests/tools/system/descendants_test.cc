#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/processes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(10);

// A shell that keeps nothing behind.
ProcessSpec Kept(const std::string& script, const TemporaryFolder& folder) {
  ProcessSpec spec = Shell(script);
  spec.working_directory = folder.path();
  spec.ends_descendants = true;
  return spec;
}

// In a session of its own, so in no group of ours, and nobody's child.
constexpr char kDaemon[] =
    "(setsid sh -c 'echo $$ > daemon; exec sleep 1000' > /dev/null 2>&1 &); "
    "while ! [ -s daemon ]; do sleep 0.01; done; ";

TEST(DescendantsTest, WhatLeftTheGroupEndsWithTheProgram) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(
      const ProcessResult result,
      RunToEnd(Kept(std::string(kDaemon) + "echo said; exit 3", folder)));
  EXPECT_EQ(result.standard_output, "said\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, std::nullopt);
  const pid_t daemon = AwaitPid(folder, "daemon");
  ASSERT_GT(daemon, 0);
  EXPECT_FALSE(IsAlive(daemon));
}

TEST(DescendantsTest, OtherProgramsMayLeaveADaemon) {
  const TemporaryFolder folder;
  ProcessSpec spec = Kept(kDaemon, folder);
  spec.ends_descendants = false;
  ASSERT_OK(RunToEnd(spec));
  const pid_t daemon = AwaitPid(folder, "daemon");
  ASSERT_GT(daemon, 0);
  EXPECT_TRUE(IsAlive(daemon));
  kill(daemon, SIGKILL);
}

TEST(DescendantsTest, AStoppedGrandchildAndADaemonDieWithAKilledParent) {
  const TemporaryFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    const auto running = MakePosixProcessRunner()->Start(
        Kept("sh -c 'echo $$ > grandchild; kill -STOP $$' & " +
                 std::string(kDaemon) + "echo $$ > child; sleep 1000",
             folder));
    while (true) pause();
  }
  const pid_t child = AwaitPid(folder, "child");
  const pid_t daemon = AwaitPid(folder, "daemon");
  const pid_t grandchild = AwaitPid(folder, "grandchild");
  ASSERT_GT(child, 0);
  ASSERT_GT(daemon, 0);
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(IsAlive(grandchild));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(DiesWithin(child, kPatience));
  EXPECT_TRUE(DiesWithin(daemon, kPatience));
  EXPECT_TRUE(DiesWithin(grandchild, kPatience));
}

TEST(DescendantsTest, AKilledKeeperTakesItsProgramAlong) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const ProcessResult result,
                       RunToEnd(Kept("kill -KILL $PPID; sleep 1000", folder)));
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(DescendantsTest, DestroyingEndsThem) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(Kept(
                           std::string(kDaemon) + "exec sleep 1000", folder)));
  const pid_t daemon = AwaitPid(folder, "daemon");
  ASSERT_GT(daemon, 0);
  process.reset();
  EXPECT_FALSE(IsAlive(daemon));
}

TEST(DescendantsTest, StoppingTimeoutSignalAndUsageAreAsWithoutAKeeper) {
  const TemporaryFolder folder;
  ProcessSpec spec = Kept("echo said; kill -TERM $$", folder);
  spec.start_stopped = true;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(spec));
  ASSERT_OK_AND_ASSIGN(const bool ended,
                       process->PollEnded(absl::Milliseconds(50)));
  EXPECT_FALSE(ended);
  ASSERT_OK(process->Continue());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, process->Wait());
  EXPECT_EQ(result.standard_output, "said\n");
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);

  ProcessSpec hangs = Kept("sleep 1000 & wait", folder);
  hangs.timeout = absl::Milliseconds(200);
  ASSERT_OK_AND_ASSIGN(const ProcessResult late, RunToEnd(hangs));
  EXPECT_TRUE(late.timed_out);
  EXPECT_EQ(late.signal, SIGKILL);
}

// What nobody waits for is not in the kernel's account of the program.
TEST(DescendantsTest, WhatTheyUsedCountsAsTheProgramsOwn) {
  const TemporaryFolder folder;
  constexpr char kBurn[] =
      "(setsid sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; "
      "echo $$ > daemon; exec sleep 1000' > /dev/null 2>&1 &); "
      "while ! [ -s daemon ]; do sleep 0.01; done; ";
  ProcessSpec spec = Kept(kBurn, folder);
  ASSERT_OK_AND_ASSIGN(const ProcessResult counted, RunToEnd(spec));
  ASSERT_OK(folder.files().RemoveAll(folder.Join("daemon")));
  spec.ends_descendants = false;
  ASSERT_OK_AND_ASSIGN(const ProcessResult missed, RunToEnd(spec));
  kill(AwaitPid(folder, "daemon"), SIGKILL);
  EXPECT_GT(
      counted.usage.user_cpu + counted.usage.system_cpu,
      missed.usage.user_cpu + missed.usage.system_cpu + absl::Milliseconds(20));
}

TEST(DescendantsTest, AMissingProgramIsToldAsWithoutAKeeper) {
  const TemporaryFolder folder;
  ProcessSpec spec = Kept("", folder);
  spec.argv = {"./none"};
  EXPECT_THAT(
      MakePosixProcessRunner()->Start(spec),
      StatusIs(absl::StatusCode::kNotFound, testing::HasSubstr("./none")));
  spec.argv = {"/bin/true"};
  spec.working_directory = folder.Join("none");
  EXPECT_THAT(MakePosixProcessRunner()->Start(spec),
              StatusIs(absl::StatusCode::kNotFound,
                       testing::HasSubstr("cannot work in this folder")));
}

// Ctrl-Z and fg: the second in which we were stopped is none of the child's.
TEST(DescendantsTest, TimeInWhichWeWereStoppedIsNoneOfTheTimeout) {
  const TemporaryFolder folder;
  const pid_t runner = fork();
  if (runner == 0) {
    ProcessSpec spec = Kept("echo $$ > child; sleep 2", folder);
    spec.timeout = absl::Seconds(1.6);
    const auto result = RunToEnd(spec);
    _exit(result.ok() && result->succeeded() ? 0 : 1);
  }
  ASSERT_GT(AwaitPid(folder, "child"), 0);
  kill(runner, SIGSTOP);
  absl::SleepFor(absl::Seconds(1.2));
  kill(runner, SIGCONT);
  int status = 0;
  waitpid(runner, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace autotune
