#include "tools/system/sandbox.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;

// Needs user namespaces.
class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::Status able = CheckSandbox(*processes_);
    if (!able.ok()) GTEST_SKIP() << able;
  }

  ProcessSpec Inside(const std::string& script) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.sandbox = sandbox_;
    return spec;
  }

  std::string Said(const std::string& script) {
    const auto result = processes_->Run(Inside(script));
    EXPECT_OK(result);
    return result.ok() ? result->standard_output + result->standard_error : "";
  }

  void WriteIn(const std::string& folder, const std::string& name,
               const std::string& text) {
    EXPECT_OK(folder_.files().MakeDirectories(folder_.Join(folder)));
    EXPECT_OK(
        folder_.files().WriteFile(JoinPath(folder_.Join(folder), name), text));
  }

  void Show(const std::string& outside, const std::string& inside,
            bool writable) {
    sandbox_.mounts.push_back({outside, inside, writable});
  }

  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  TemporaryFolder folder_;
  Sandbox sandbox_ = SystemSandbox({}, {});
};

TEST_F(SandboxTest, SeesTheSystemAndItsOwnPlacesAlone) {
  WriteIn("mine", "a", "mine");
  ASSERT_OK(folder_.files().WriteFile(folder_.Join("other"), "other"));
  Show(folder_.Join("mine"), "/project/tree", true);
  EXPECT_EQ(Said("cat /project/tree/a; ls /project /tmp /home /run"),
            "mine/home:\n\n/project:\ntree\n\n/run:\n\n/tmp:\n");
  EXPECT_THAT(Said(absl::StrCat("cat \"", folder_.Join("other"), "\"")),
              HasSubstr("No such file"));
  EXPECT_EQ(Said("ls -d /root /srv /mnt /work 2>/dev/null"), "");
  EXPECT_EQ(Said("test -x /usr/bin/env && test -r /etc/passwd && echo yes"),
            "yes\n");
}

TEST_F(SandboxTest, WritesOnlyWhereItMay) {
  ASSERT_OK(folder_.files().MakeDirectories(folder_.Join("mine")));
  WriteIn("data", "a", "data");
  Show(folder_.Join("mine"), "/project/tree", true);
  Show(folder_.Join("data"), "/project/data", false);
  EXPECT_EQ(Said("echo a > /project/tree/b; echo b > /tmp/b; cat /tmp/b; "
                 "echo c > /dev/null; echo d > /dev/shm/d"),
            "b\n");
  EXPECT_THAT(folder_.files().ReadFile(folder_.Join("mine/b")),
              IsOkAndHolds("a\n"));
  for (const char* path : {"/project/data/a", "/project/data/b", "/usr/b",
                           "/etc/b", "/sys/devices/system/b"}) {
    EXPECT_THAT(Said(absl::StrCat("echo a > ", path)),
                testing::AnyOf(HasSubstr("Read-only file system"),
                               HasSubstr("Permission denied")))
        << path;
  }
  EXPECT_THAT(Said("mount -o remount,rw /usr; umount /project/data"),
              Not(HasSubstr("rw")));
  EXPECT_EQ(Said("ls /tmp /dev/shm"), "/dev/shm:\n\n/tmp:\n");
}

TEST_F(SandboxTest, ReachesNoOtherProcessAndNoNetwork) {
  EXPECT_THAT(Said(absl::StrCat("kill -9 ", getppid(), " ", getpid())),
              HasSubstr("No such process"));
  EXPECT_THAT(
      Said("ls /proc | grep -c '^[0-9]'"),  // with sh, ls and maybe grep
      testing::AnyOf("3\n", "4\n"));
  EXPECT_EQ(Said("kill -9 1; echo still here"), "still here\n");
  EXPECT_EQ(Said("kill -TERM 1; sleep 0.02; readlink /proc/1/exe || echo no"),
            "no\n");
  EXPECT_EQ(Said("grep -c : /proc/net/dev; grep lo: /proc/net/dev | wc -l"),
            "1\n1\n");
  EXPECT_EQ(Said("test \"$(id -u)\" != 0 && grep CapEff /proc/self/status"),
            "CapEff:\t0000000000000000\n");
  EXPECT_EQ(Said("grep NoNewPrivs /proc/self/status"), "NoNewPrivs:\t1\n");
}

TEST_F(SandboxTest, EndsAsOutside) {
  ASSERT_OK_AND_ASSIGN(const ProcessResult aborted,
                       processes_->Run(Inside("kill -ABRT $$")));
  EXPECT_EQ(aborted.signal, SIGABRT);
  EXPECT_EQ(aborted.exit_code, 128 + SIGABRT);
  ASSERT_OK_AND_ASSIGN(const ProcessResult failed,
                       processes_->Run(Inside("exit 3")));
  EXPECT_EQ(failed.exit_code, 3);
  ProcessSpec slow = Inside("setsid sleep 100 & sleep 100");
  slow.timeout = absl::Milliseconds(300);
  ASSERT_OK_AND_ASSIGN(const ProcessResult late, processes_->Run(slow));
  EXPECT_TRUE(late.timed_out);
  ProcessSpec missing = Inside("");
  missing.argv = {"/nowhere/program"};
  EXPECT_THAT(processes_->Run(missing),
              StatusIs(absl::StatusCode::kNotFound,
                       "/nowhere/program: no such program: build it first, or "
                       "give the right path"));
}

// Work of a process that nobody waits for counts, and nothing outlives the
// program.
TEST_F(SandboxTest, AccountsForEveryProcess) {
  const std::string work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
  ASSERT_OK_AND_ASSIGN(const ProcessResult result,
                       processes_->Run(Inside(absl::StrCat(
                           "(setsid sh -c '", work,
                           "; echo > /tmp/done; sleep 100' &) ; "
                           "while [ ! -e /tmp/done ]; do sleep 0.01; done"))));
  ASSERT_OK_AND_ASSIGN(const ProcessResult idle, processes_->Run(Inside("")));
  EXPECT_GT(
      result.usage.user_cpu + result.usage.system_cpu,
      idle.usage.user_cpu + idle.usage.system_cpu + absl::Milliseconds(50));
}

TEST_F(SandboxTest, StopsAndContinues) {
  ASSERT_OK(folder_.files().MakeDirectories(folder_.Join("mine")));
  Show(folder_.Join("mine"), "/mine", true);
  ProcessSpec spec = Inside("echo a > /mine/started; echo out");
  spec.start_stopped = true;
  ASSERT_OK_AND_ASSIGN(const auto process, processes_->Start(spec));
  ASSERT_OK_AND_ASSIGN(bool ended, process->PollEnded(absl::Milliseconds(50)));
  EXPECT_FALSE(ended);
  EXPECT_FALSE(folder_.files().Exists(folder_.Join("mine/started")));
  EXPECT_EQ(process->Threads(), 1);
  ASSERT_OK(process->Continue());
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, process->Wait());
  EXPECT_EQ(result.standard_output, "out\n");
}

TEST_F(SandboxTest, HidesWhatLiesInTheSystem) {
  WriteIn("secret", "a", "secret");
  sandbox_ = SystemSandbox({folder_.path()}, {folder_.Join("secret")});
  EXPECT_EQ(Said(CommandText({"ls", folder_.path(), folder_.Join("secret")})),
            absl::StrCat(folder_.path(), ":\nsecret\n\n",
                         folder_.Join("secret"), ":\n"));
  EXPECT_THAT(
      SystemSandbox({folder_.Join("secret/a")}, {folder_.path()}).mounts,
      testing::SizeIs(SystemSandbox({}, {}).mounts.size()));
}

TEST(SandboxPathTest, LeadBothWays) {
  Sandbox sandbox;
  sandbox.mounts = {{"/home/u/tree", "/project/tree", true},
                    {"/home/u/tree-build", "/project/build", true}};
  EXPECT_EQ(InsidePath(sandbox, "/home/u/tree/a"), "/project/tree/a");
  EXPECT_EQ(InsidePath(sandbox, "/home/u/tree"), "/project/tree");
  EXPECT_EQ(InsidePath(sandbox, "/home/u/tree-build/x"), "/project/build/x");
  EXPECT_EQ(InsidePath(sandbox, "/home/u/trees"), "/home/u/trees");
  EXPECT_EQ(OutsidePath(sandbox, "/project/build/x"), "/home/u/tree-build/x");
  EXPECT_EQ(OutsidePath(sandbox, "/usr/lib"), "/usr/lib");
}

}  // namespace
}  // namespace autotune
