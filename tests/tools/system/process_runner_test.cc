#include "tools/system/process_runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/processes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::HasSubstr;
using testing::Not;

TEST(ProcessRunnerTest, KeepsOutputErrorAndExitCodeApart) {
  ASSERT_OK_AND_ASSIGN(const ProcessResult result,
                       RunToEnd(Shell("echo out; echo err >&2; exit 3")));
  EXPECT_EQ(result.standard_output, "out\n");
  EXPECT_EQ(result.standard_error, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.succeeded());
}

TEST(ProcessRunnerTest, ArgumentsArriveAsTheyAre) {
  ProcessSpec spec;
  spec.argv = {"printf", "[%s]", "", "a b", "$HOME;'\"`*", "\n"};
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "[][a b][$HOME;'\"`*][\n]");
}

TEST(ProcessRunnerTest, TakesMoreOutputThanAPipeHoldsOnBothStreams) {
  ASSERT_OK_AND_ASSIGN(
      const ProcessResult result,
      RunToEnd(
          Shell("head -c 3000000 /dev/zero >&2; head -c 2000000 /dev/zero")));
  EXPECT_EQ(result.standard_output.size(), 2000000U);
  EXPECT_EQ(result.standard_error.size(), 3000000U);
}

TEST(ProcessRunnerTest, KeepsTheLastBytesBeyondTheLimit) {
  ProcessSpec spec = Shell("head -c 1000000 /dev/zero; printf 12345");
  spec.output_limit_bytes = 4;
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "2345");
}

TEST(ProcessRunnerTest, GivesLargeInputWhileTakingOutput) {
  ProcessSpec spec;
  spec.argv = {"cat"};
  spec.standard_input = std::string(1000000, 'x');
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, spec.standard_input);
}

TEST(ProcessRunnerTest, SurvivesAChildThatNeverReadsItsInput) {
  ProcessSpec spec = Shell("exec <&-; echo done");
  spec.standard_input = std::string(1000000, 'x');
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "done\n");
  EXPECT_TRUE(result.succeeded());
}

TEST(ProcessRunnerTest, WithoutInputTheChildReadsNothing) {
  ProcessSpec spec;
  spec.argv = {"cat"};
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "");
}

TEST(ProcessRunnerTest, ASignalIsReportedAsTheShellDoes) {
  ASSERT_OK_AND_ASSIGN(const ProcessResult result,
                       RunToEnd(Shell("kill -SEGV $$")));
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, 139);
}

TEST(ProcessRunnerTest, ATimeoutKillsTheWholeGroup) {
  const TemporaryFolder folder;
  ProcessSpec spec =
      Shell("sleep 1000 & echo $! > grandchild; trap '' TERM; wait; sleep 99");
  spec.working_directory = folder.path();
  spec.timeout = absl::Milliseconds(300);
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.signal, SIGKILL);
  const pid_t grandchild = AwaitPid(folder, "grandchild");
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(DiesWithin(grandchild, absl::Seconds(5)));
}

TEST(ProcessRunnerTest, WhatIsLeftOfTheGroupIsKilledAtTheEnd) {
  const TemporaryFolder folder;
  ProcessSpec spec = Shell("sleep 1000 & echo $! > grandchild; echo said");
  spec.working_directory = folder.path();
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "said\n");
  const pid_t grandchild = AwaitPid(folder, "grandchild");
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(DiesWithin(grandchild, absl::Seconds(5)));
}

TEST(ProcessRunnerTest, DestroyingARunningProcessKillsItsGroup) {
  const TemporaryFolder folder;
  ProcessSpec spec = Shell("sleep 1000 & echo $! > grandchild; wait");
  spec.working_directory = folder.path();
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(spec));
  const pid_t grandchild = AwaitPid(folder, "grandchild");
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(IsAlive(grandchild));
  process.reset();
  EXPECT_TRUE(DiesWithin(grandchild, absl::Seconds(5)));
}

TEST(ProcessRunnerTest, AChildDiesWithAKilledParent) {
  const TemporaryFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    ProcessSpec spec = Shell("echo $$ > child; exec sleep 1000");
    spec.working_directory = folder.path();
    const auto running = MakePosixProcessRunner()->Start(spec);
    while (true) pause();
  }
  const pid_t child = AwaitPid(folder, "child");
  ASSERT_GT(child, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(DiesWithin(child, absl::Seconds(5)));
}

TEST(ProcessRunnerTest, TellsAMissingProgramApart) {
  ProcessSpec spec;
  spec.argv = {"/no/such/bench"};
  EXPECT_THAT(RunToEnd(spec),
              StatusIs(StatusCode::kNotFound,
                       "/no/such/bench: no such program: build it "
                       "first, or give the right path"));
}

TEST(ProcessRunnerTest, TellsAFileThatMayNotRunApart) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().WriteFile(folder.Join("bench"), "x"));
  ProcessSpec spec;
  spec.argv = {folder.Join("bench")};
  EXPECT_THAT(
      RunToEnd(spec),
      StatusIs(StatusCode::kPermissionDenied,
               folder.Join("bench") + ": not executable: rebuild it, or set "
                                      "its x bit"));
}

TEST(ProcessRunnerTest, TellsAnotherArchitectureApart) {
  const TemporaryFolder folder;
  // The ELF header of a 32-bit big-endian PowerPC program.
  std::string elf(
      "\x7f"
      "ELF\x01\x02\x01",
      7);
  elf.resize(16, '\0');
  elf += std::string("\0\2\0\x14\0\0\0\1", 8);
  elf.resize(52, '\0');
  ASSERT_OK(folder.files().WriteFile(folder.Join("bench"), elf));
  ASSERT_EQ(chmod(folder.Join("bench").c_str(), 0755), 0);
  ProcessSpec spec;
  spec.argv = {folder.Join("bench")};
  EXPECT_THAT(RunToEnd(spec),
              StatusIs(StatusCode::kFailedPrecondition,
                       folder.Join("bench") +
                           ": not a program of this machine (wrong "
                           "architecture or format): rebuild it here"));
}

TEST(ProcessRunnerTest, AMissingWorkingFolderIsNamed) {
  ProcessSpec spec = Shell("true");
  spec.working_directory = "/no/such/folder";
  EXPECT_THAT(RunToEnd(spec), StatusIs(StatusCode::kNotFound,
                                       "/no/such/folder: cannot work in this "
                                       "folder: No such file or directory"));
}

TEST(ProcessRunnerTest, AnEmptyCommandOrANulByteIsRefused) {
  EXPECT_THAT(RunToEnd(ProcessSpec{}),
              StatusIs(StatusCode::kInvalidArgument,
                       "no program given: the command is empty"));
  ProcessSpec spec;
  spec.argv = {"echo", std::string("a\0b", 3)};
  EXPECT_THAT(RunToEnd(spec), StatusIs(StatusCode::kInvalidArgument,
                                       "echo: an argument holds a NUL byte"));
}

TEST(ProcessRunnerTest, RunsARelativeProgramFromItsWorkingFolder) {
  const TemporaryFolder folder;
  ASSERT_OK(
      folder.files().WriteFile(folder.Join("here"), "#!/bin/sh\npwd -P\n"));
  ASSERT_EQ(chmod(folder.Join("here").c_str(), 0755), 0);
  ProcessSpec spec;
  spec.argv = {"./here"};
  spec.working_directory = folder.path();
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, folder.path() + "\n");
}

TEST(ProcessRunnerTest, EnvironmentIsUnsetThenSet) {
  setenv("BENCHMARK_FILTER", "x", 1);
  setenv("BENCHMARK_OUT", "y", 1);
  setenv("AUTOTUNE_TEST_GONE", "z", 1);
  setenv("AUTOTUNE_TEST_KEPT", "kept", 1);
  ProcessSpec spec;
  spec.argv = {"env"};
  spec.unset_environment = {"AUTOTUNE_TEST_GONE"};
  spec.unset_environment_prefixes = {"BENCHMARK_"};
  spec.environment = {{"BENCHMARK_OUT", "new"}, {"AUTOTUNE_TEST_SET", "a=b"}};
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  for (const char* name : {"BENCHMARK_FILTER", "BENCHMARK_OUT",
                           "AUTOTUNE_TEST_GONE", "AUTOTUNE_TEST_KEPT"}) {
    unsetenv(name);
  }
  EXPECT_THAT(result.standard_output, Not(HasSubstr("BENCHMARK_FILTER")));
  EXPECT_THAT(result.standard_output, Not(HasSubstr("AUTOTUNE_TEST_GONE")));
  EXPECT_THAT(result.standard_output, HasSubstr("AUTOTUNE_TEST_KEPT=kept\n"));
  EXPECT_THAT(result.standard_output, HasSubstr("AUTOTUNE_TEST_SET=a=b\n"));
  EXPECT_THAT(result.standard_output, HasSubstr("BENCHMARK_OUT=new\n"));
}

TEST(ProcessRunnerTest, SearchesThePathTheChildGets) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().WriteFile(folder.Join("only-here"),
                                     "#!/bin/sh\necho found\n"));
  ASSERT_EQ(chmod(folder.Join("only-here").c_str(), 0755), 0);
  ProcessSpec spec;
  spec.argv = {"only-here"};
  spec.environment = {{"PATH", folder.path()}};
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output, "found\n");
}

TEST(ProcessRunnerTest, PinsToTheCpuAskedFor) {
  cpu_set_t ours;
  ASSERT_EQ(sched_getaffinity(0, sizeof ours, &ours), 0);
  int cpu = CPU_SETSIZE - 1;
  while (CPU_ISSET(cpu, &ours) == 0) --cpu;
  ProcessSpec spec = Shell("grep Cpus_allowed_list /proc/self/status");
  spec.cpu = cpu;
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, RunToEnd(spec));
  EXPECT_EQ(result.standard_output,
            absl::StrCat("Cpus_allowed_list:\t", cpu, "\n"));
}

TEST(ProcessRunnerTest, ACpuThatIsNotThereIsRefused) {
  ProcessSpec spec = Shell("true");
  spec.cpu = CPU_SETSIZE - 1;
  EXPECT_THAT(RunToEnd(spec),
              StatusIs(StatusCode::kInvalidArgument,
                       "CPU 1023: cannot run there: Invalid argument: give a "
                       "CPU this process may use"));
  spec.cpu = -1;
  EXPECT_THAT(RunToEnd(spec), StatusIs(StatusCode::kInvalidArgument,
                                       "CPU -1: no such CPU: give one of this "
                                       "machine's"));
}

TEST(ProcessRunnerTest, StartStoppedWaitsForContinue) {
  const TemporaryFolder folder;
  ProcessSpec spec = Shell("echo ran > mark");
  spec.working_directory = folder.path();
  spec.start_stopped = true;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(spec));
  EXPECT_THAT(process->PollEnded(absl::Milliseconds(50)), IsOkAndHolds(false));
  EXPECT_FALSE(folder.files().Exists(folder.Join("mark")));
  ASSERT_OK(process->Continue());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, process->Wait());
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(folder.files().Exists(folder.Join("mark")));
}

TEST(ProcessRunnerTest, StartStoppedReportsAnExecErrorOnContinue) {
  ProcessSpec spec;
  spec.argv = {"/no/such/bench"};
  spec.start_stopped = true;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(spec));
  EXPECT_THAT(process->Continue(),
              StatusIs(StatusCode::kNotFound,
                       "/no/such/bench: no such program: build it first, or "
                       "give the right path"));
}

TEST(ProcessRunnerTest, StartStoppedStillReportsAMissingFolderAtOnce) {
  ProcessSpec spec = Shell("true");
  spec.start_stopped = true;
  spec.working_directory = "/no/such/folder";
  EXPECT_FALSE(MakePosixProcessRunner()->Start(spec).ok());
}

TEST(ProcessRunnerTest, AStoppedProcessMakesNoProgressUntilContinued) {
  ProcessSpec spec = Shell("while :; do echo x; sleep 0.002; done");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(spec));
  std::size_t heard = 0;
  EXPECT_THAT(process->PollEnded(absl::Milliseconds(50)), IsOkAndHolds(false));
  ASSERT_OK(process->Stop());
  EXPECT_THAT(process->PollEnded(absl::Milliseconds(20)), IsOkAndHolds(false));
  ASSERT_OK(process->Continue());
  EXPECT_THAT(process->PollEnded(absl::Milliseconds(20)), IsOkAndHolds(false));
  ASSERT_OK(process->Kill());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, process->Wait());
  heard = result.standard_output.size();
  EXPECT_GT(heard, 0U);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_FALSE(result.timed_out);
}

TEST(ProcessRunnerTest, AStoppedProcessCanBeKilled) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(Shell("sleep 1000")));
  ASSERT_OK(process->Stop());
  ASSERT_OK(process->Kill());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, process->Wait());
  EXPECT_EQ(result.signal, SIGKILL);
}

// Polls until `process` said something on standard error; false when it ended.
bool SaysSomething(RunningProcess& process) {
  while (process.StandardErrorSoFar().empty()) {
    const auto ended = process.PollEnded(absl::Milliseconds(10));
    if (!ended.ok() || *ended) return false;
  }
  return true;
}

TEST(ProcessRunnerTest, StandardErrorIsSeenWhileItRuns) {
  const TemporaryFolder folder;
  ProcessSpec spec = Shell(
      "echo one >&2; until [ -e \"$GO\" ]; do sleep 0.01; done; "
      "echo two >&2");
  spec.environment["GO"] = folder.Join("go");
  auto process = MakePosixProcessRunner()->Start(spec);
  ASSERT_OK(process);
  ASSERT_TRUE(SaysSomething(**process));
  EXPECT_EQ((*process)->StandardErrorSoFar(), "one\n");
  std::ofstream(folder.Join("go")) << "go";
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, (*process)->Wait());
  EXPECT_EQ(result.standard_error, "one\ntwo\n");
}

TEST(ProcessRunnerTest, TerminateAsksTheWholeGroup) {
  auto process = MakePosixProcessRunner()->Start(
      Shell("trap 'exit 3' TERM; sleep 100 & echo on >&2; wait"));
  ASSERT_OK(process);
  ASSERT_TRUE(SaysSomething(**process));
  ASSERT_OK((*process)->Terminate());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, (*process)->Wait());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.signal.has_value());
}

TEST(ProcessRunnerTest, SignalsAfterTheEndAreHarmless) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(Shell("true")));
  ASSERT_OK(process->Wait());
  EXPECT_OK(process->Stop());
  EXPECT_OK(process->Kill());
  EXPECT_EQ(process->Threads(), 0);
}

TEST(ProcessRunnerTest, CountsThreadsAndMemoryOfARunningProcess) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> process,
                       MakePosixProcessRunner()->Start(Shell("sleep 1000")));
  while (process->PeakRssBytes() <= 100 * 1024) {
    ASSERT_OK(process->PollEnded(absl::Milliseconds(1)));
  }
  EXPECT_EQ(process->Threads(), 1);
}

TEST(ProcessRunnerTest, APeakAboveOurOwnMemoryIsExact) {
  ProcessSpec spec;
  // dd's one buffer of 300 MB is all that counts.
  spec.argv = {"dd", "if=/dev/zero", "of=/dev/null", "bs=300M", "count=1"};
  ASSERT_OK_AND_ASSIGN(const ProcessResult large, RunToEnd(spec));
  EXPECT_TRUE(large.usage.peak_rss_exact);
  EXPECT_GT(large.usage.peak_rss_bytes, 300'000'000);
  ASSERT_OK_AND_ASSIGN(const ProcessResult small, RunToEnd(Shell("true")));
  EXPECT_FALSE(small.usage.peak_rss_exact);
}

TEST(ProcessRunnerTest, ReportsWhatTheProcessUsed) {
  ASSERT_OK_AND_ASSIGN(
      const ProcessResult result,
      RunToEnd(Shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")));
  EXPECT_GT(result.usage.user_cpu, absl::Milliseconds(1));
  EXPECT_GE(result.wall + absl::Milliseconds(20),
            result.usage.user_cpu + result.usage.system_cpu);
  EXPECT_GT(result.usage.peak_rss_bytes, 100 * 1024);
}

int OpenDescriptors() {
  DIR* folder = opendir("/proc/self/fd");
  int count = 0;
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

// Whoever runs the tests may have left descriptors open for every child.
std::string DescriptorsOfAChild() {
  ProcessSpec spec;
  spec.argv = {"ls", "/proc/self/fd"};
  const auto result = RunToEnd(spec);
  return result.ok() ? result->standard_output : "";
}

TEST(ProcessRunnerTest, LeavesNoDescriptorOpenHereNorInTheChild) {
  ProcessSpec failing;
  failing.argv = {"/no/such/bench"};
  const int before = OpenDescriptors();
  const std::string of_child = DescriptorsOfAChild();
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(RunToEnd(Shell("true")));
    EXPECT_FALSE(RunToEnd(failing).ok());
  }
  EXPECT_EQ(OpenDescriptors(), before);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> other,
                       MakePosixProcessRunner()->Start(Shell("sleep 1000")));
  EXPECT_EQ(DescriptorsOfAChild(), of_child);
}

TEST(ProcessRunnerTest, SignalsIgnoredHereAreNotIgnoredInTheChild) {
  const auto before = signal(SIGPIPE, SIG_IGN);
  const auto result = RunToEnd(Shell("kill -PIPE $$; echo survived"));
  signal(SIGPIPE, before);
  ASSERT_OK(result);
  EXPECT_EQ(result->signal, SIGPIPE);
}

}  // namespace
}  // namespace autotune
