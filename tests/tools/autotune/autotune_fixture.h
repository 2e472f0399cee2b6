#ifndef AUTOTUNE_TESTS_TOOLS_AUTOTUNE_AUTOTUNE_FIXTURE_H_
#define AUTOTUNE_TESTS_TOOLS_AUTOTUNE_AUTOTUNE_FIXTURE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/clock.h"
#include "tools/system/entropy.h"
#include "tools/system/process_runner.h"

namespace autotune {

// What one run of the program said and how it ended.
struct Answer {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// The system's clock, but for the date: always 2026-01-02 at noon, UTC.
class DatedClock : public Clock {
 public:
  explicit DatedClock(Clock& real) : real_(real) {}
  absl::Time Now() override { return absl::FromUnixSeconds(1767355200); }
  absl::Duration Monotonic() override { return real_.Monotonic(); }
  void SleepFor(absl::Duration duration) override { real_.SleepFor(duration); }

 private:
  Clock& real_;
};

// A real git repository whose benchmark (knob_benchmark.cc) does as much work
// as src/knob.txt says: 900 units at first. "Building" copies the compiled
// benchmark; the test passes while src/knob.txt starts with a number above 0.
class AutotuneFixture : public testing::Test {
 protected:
  AutotuneFixture();

  // The arguments of a `start` with a reason to go without a profile, which
  // most tests have no use for.
  static std::vector<std::string> Completed(std::vector<std::string> arguments);
  // From now on a `start` is run as it is given.
  void StartAsGiven() { completes_start_ = false; }

  // Runs the program in-process, in the repository or in `directory`.
  Answer Run(const std::vector<std::string>& arguments);
  Answer RunIn(const std::string& directory,
               const std::vector<std::string>& arguments);
  // Runs the built program as a process of its own with further environment.
  Answer RunProgram(const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment = {});
  // `sh -c SCRIPT` in `directory`, with the built program on its PATH.
  Answer RunShell(const std::string& directory, const std::string& script);

  // `git ARGUMENTS` in the repository (or `directory`); its output. Fails the
  // test when git fails.
  std::string Git(const std::vector<std::string>& arguments);
  std::string GitIn(const std::string& directory,
                    const std::vector<std::string>& arguments);
  // Output with the last line end cut off.
  std::string GitLine(const std::vector<std::string>& arguments);

  void Write(const std::string& path, const std::string& text);
  std::string Read(const std::string& path);
  bool Exists(const std::string& path);

  // Arguments of an `init` of a task on the knob, its test command `test`.
  static std::vector<std::string> InitArguments(const std::string& task,
                                                const std::string& test = "");
  // init with quick settings; FAILs when it does not succeed.
  void InitTask(const std::vector<std::string>& more = {});
  // What attempts run is not shut in from now on.
  void LeaveOpen();
  // start; returns the worktree's path.
  std::string StartAttempt(const std::string& approach);
  // start, then a commit that writes `text` to `path` in its worktree.
  std::string CommitAttempt(const std::string& approach,
                            const std::string& path, const std::string& text);

  // The working branch's file of the task ("metric.toml").
  std::string TaskFile(const std::string& name);
  // Subjects of the working branch's own line since the start, oldest first.
  std::vector<std::string> Subjects();
  int Rows();

  // A text that changes whenever the user's files, index, branch, stash or
  // HEAD do.
  std::string UserState();
  // git fsck finds nothing wrong.
  void ExpectSound();

  const std::string& repository() const { return repository_; }
  std::string state() const { return folder_.Join("state"); }
  std::map<std::string, std::string>& environment() { return environment_; }
  FileSystem& files() { return *files_; }
  // What in-process runs write through from now on.
  void UseFiles(FileSystem& files) { used_files_ = &files; }

  static constexpr char kTask[] = "2026-01-02-knob";
  static constexpr char kBranch[] = "autotune/2026-01-02-knob";

 private:
  TemporaryFolder folder_;
  std::string repository_;
  std::unique_ptr<ProcessRunner> processes_;
  std::unique_ptr<FileSystem> files_;
  FileSystem* used_files_ = nullptr;
  bool completes_start_ = true;
  std::unique_ptr<Clock> real_clock_;
  DatedClock clock_;
  std::unique_ptr<Entropy> entropy_;
  std::map<std::string, std::string> environment_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_AUTOTUNE_AUTOTUNE_FIXTURE_H_
