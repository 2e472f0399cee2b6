// What bench_compare leaves behind, however it ends: nothing.

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/processes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/exit_code.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LeftoversTest : public testing::Test {
 protected:
  LeftoversTest() { EXPECT_OK(folder_.files().MakeDirectories(temporary_)); }

  // A measurement that goes on for as long as nobody ends it.
  ProcessSpec Endless(const std::string& program) const {
    return SpecOf({BENCH_COMPARE, "run", "--baseline", program, "--contender",
                   program, "--contender-env", "COST=99", "--filter",
                   "BM_Counted", "--metric", "cost:lower", "--mode",
                   "alternate", "--rounds", "100000"});
  }

  ProcessSpec SpecOf(std::vector<std::string> argv) const {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.working_directory = folder_.path();
    spec.environment = {{"AUTOTUNE_MEASURE_LOCK", folder_.Join("measure.lock")},
                        {"TMPDIR", temporary_}};
    spec.timeout = absl::Seconds(120);
    return spec;
  }

  // A benchmark program that leaves a process in a session of its own.
  std::string WriteDaemonic() {
    const std::string path = folder_.Join("daemonic");
    EXPECT_OK(folder_.files().WriteFile(
        path,
        absl::StrCat("#!/bin/sh\n(setsid sh -c 'echo $$ >> \"$0\"; exec sleep "
                     "1000' ",
                     CommandText({folder_.Join("daemons")}),
                     " > /dev/null 2>&1 &)\nexec ", COUNTED_BENCHMARK,
                     " \"$@\"\n")));
    EXPECT_EQ(chmod(path.c_str(), 0755), 0);
    return path;
  }

  std::vector<pid_t> Daemons() const {
    std::vector<pid_t> daemons;
    const auto text = folder_.files().ReadFile(folder_.Join("daemons"));
    if (!text.ok()) return daemons;
    for (const auto line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
      int pid = 0;
      if (absl::SimpleAtoi(line, &pid)) daemons.push_back(pid);
    }
    return daemons;
  }

  std::vector<std::string> Left() const {
    return *folder_.files().ListDirectory(temporary_);
  }

  template <typename Condition>
  static bool Becomes(Condition condition) {
    for (int i = 0; i < 4000 && !condition(); ++i) {
      absl::SleepFor(absl::Milliseconds(5));
    }
    return condition();
  }

  TemporaryFolder folder_;
  std::string temporary_ = folder_.Join("tmp");
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
};

TEST_F(LeftoversTest, AHangupEndsTheRunLikeCtrlC) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> run,
                       processes_->Start(Endless(COUNTED_BENCHMARK)));
  ASSERT_TRUE(Becomes([this] { return !Left().empty(); }));
  ASSERT_EQ(kill(run->pid(), SIGHUP), 0);
  ASSERT_OK_AND_ASSIGN(const ProcessResult ended, run->Wait());
  EXPECT_EQ(ended.exit_code, kExitInterrupted) << ended.standard_error;
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(LeftoversTest, WhatAKilledRunLeavesGoesWithIt) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunningProcess> run,
                       processes_->Start(Endless(WriteDaemonic())));
  // The first daemons ended with their visits.
  ASSERT_TRUE(Becomes([this] { return Daemons().size() > 2; }));
  EXPECT_FALSE(IsAlive(Daemons().front()));
  ASSERT_EQ(kill(run->pid(), SIGKILL), 0);
  ASSERT_OK(run->Wait());
  EXPECT_TRUE(Becomes([this] {
    for (const pid_t daemon : Daemons()) {
      if (IsAlive(daemon)) return false;
    }
    return true;
  }));
  EXPECT_THAT(Left(), SizeIs(1));

  // The next run cleans up.
  ProcessSpec next = Endless(COUNTED_BENCHMARK);
  next.argv.back() = "5";
  ASSERT_OK_AND_ASSIGN(const ProcessResult result, processes_->Run(next));
  EXPECT_THAT(result.standard_output, HasSubstr("\n5 rounds, "));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(LeftoversTest, ClosedStreamsAreNoFilesOfOurs) {
  ProcessSpec spec = Endless(COUNTED_BENCHMARK);
  spec.argv.back() = "5";
  spec.argv.insert(spec.argv.end(), {"--evidence", "run.json"});
  spec.argv.insert(spec.argv.begin(),
                   {"/bin/sh", "-c", "exec \"$0\" \"$@\" 0<&- 1>&- 2>&-"});
  ASSERT_OK_AND_ASSIGN(const ProcessResult run, processes_->Run(spec));
  EXPECT_FALSE(run.signal.has_value());
  EXPECT_THAT(Left(), IsEmpty());
  ASSERT_OK_AND_ASSIGN(
      const ProcessResult verified,
      processes_->Run(SpecOf({BENCH_COMPARE, "verify", "run.json"})));
  EXPECT_EQ(verified.exit_code, kExitKeep) << verified.standard_error;
  EXPECT_THAT(verified.standard_output, HasSubstr("verified: recomputed from"));
}

}  // namespace
}  // namespace autotune
