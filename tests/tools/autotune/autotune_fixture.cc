#include "tests/tools/autotune/autotune_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/sha256.h"
#include "tests/support/status_matchers.h"
#include "tools/autotune/verb_table.h"
#include "tools/ledger/metric_file.h"
#include "tools/program/program.h"
#include "tools/system/terminal.h"

namespace autotune {
namespace {

// A time zone in which it is about noon, so that no test of the program runs
// over midnight.
std::string NoonZone() {
  const absl::CivilSecond now =
      absl::ToCivilSecond(absl::Now(), absl::UTCTimeZone());
  return absl::StrFormat("NOON%+d", now.hour() - 12);
}

}  // namespace

AutotuneFixture::AutotuneFixture()
    : repository_(folder_.Join("the repository")),
      processes_(MakePosixProcessRunner()),
      files_(MakePosixFileSystem()),
      real_clock_(MakeSystemClock()),
      clock_(*real_clock_),
      entropy_(MakeSystemEntropy()) {
  setenv("TZ", "UTC", 1);
  used_files_ = files_.get();
  environment_ = {{"AUTOTUNE_STATE_DIR", state()},
                  {"AUTOTUNE_MEASURE_LOCK", folder_.Join("measure.lock")},
                  {"HOME", folder_.Join("home")},
                  {"PATH", std::getenv("PATH")},
                  {"TZ", NoonZone()}};
  EXPECT_OK(files_->MakeDirectories(repository_));
  EXPECT_OK(files_->MakeDirectories(folder_.Join("home")));
  Git({"init", "-q", "-b", "main"});
  Git({"config", "user.name", "A User"});
  Git({"config", "user.email", "user@example.org"});
  Write("src/knob.txt", "900\n");
  Write("src/code.cc", "int Code() { return 1; }\n");
  Write("bench/bench.txt", "sealed\n");
  Write("CMakeLists.txt", "# sealed\n");
  Write(".gitignore", "ignored/\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "first"});
}

std::vector<std::string> AutotuneFixture::Completed(
    std::vector<std::string> arguments) {
  const auto holds = [&](const char* word) {
    return std::find(arguments.begin(), arguments.end(), word) !=
           arguments.end();
  };
  if (holds("start") && holds("--hypothesis") && !holds("--no-profile")) {
    arguments.insert(arguments.end(), {"--no-profile", "a knob has one part"});
  }
  return arguments;
}

Answer AutotuneFixture::Run(const std::vector<std::string>& arguments) {
  return RunIn(repository_, arguments);
}

Answer AutotuneFixture::RunIn(const std::string& directory,
                              const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err};
  const ProgramWorld world{*used_files_, *processes_,  clock_,
                           *entropy_,    environment_, directory};
  Answer answer;
  answer.exit_code = autotune::RunProgram(
      AutotuneProgram(), completes_start_ ? Completed(arguments) : arguments,
      world, terminal);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

Answer AutotuneFixture::RunProgram(
    const std::vector<std::string>& arguments,
    const std::map<std::string, std::string>& environment) {
  ProcessSpec spec;
  const std::vector<std::string> completed = Completed(arguments);
  spec.argv = {AUTOTUNE_PROGRAM};
  spec.argv.insert(spec.argv.end(), completed.begin(), completed.end());
  spec.working_directory = repository_;
  spec.environment = environment_;
  for (const auto& [name, value] : environment) spec.environment[name] = value;
  const auto result = processes_->Run(spec);
  EXPECT_OK(result);
  if (!result.ok()) return {};
  return {result->exit_code, result->standard_output, result->standard_error};
}

Answer AutotuneFixture::RunShell(const std::string& directory,
                                 const std::string& script) {
  const std::string program = AUTOTUNE_PROGRAM;
  ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.working_directory = directory;
  spec.environment = environment_;
  spec.environment["PATH"] = absl::StrCat(program.substr(0, program.rfind('/')),
                                          ":", environment_["PATH"]);
  const auto result = processes_->Run(spec);
  EXPECT_OK(result);
  if (!result.ok()) return {};
  return {result->exit_code, result->standard_output, result->standard_error};
}

std::string AutotuneFixture::Git(const std::vector<std::string>& arguments) {
  return GitIn(repository_, arguments);
}

std::string AutotuneFixture::GitIn(const std::string& directory,
                                   const std::vector<std::string>& arguments) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_directory = directory;
  spec.environment = {{"HOME", folder_.Join("home")}};
  const auto result = processes_->Run(spec);
  EXPECT_OK(result);
  if (!result.ok()) return "";
  EXPECT_TRUE(result->succeeded())
      << CommandText(spec.argv) << ": " << result->standard_error;
  return result->standard_output;
}

std::string AutotuneFixture::GitLine(
    const std::vector<std::string>& arguments) {
  return std::string(absl::StripTrailingAsciiWhitespace(Git(arguments)));
}

void AutotuneFixture::Write(const std::string& path, const std::string& text) {
  const std::string whole = JoinPath(repository_, path);
  EXPECT_OK(files_->MakeDirectories(whole.substr(0, whole.rfind('/'))));
  EXPECT_OK(files_->WriteFile(whole, text));
}

std::string AutotuneFixture::Read(const std::string& path) {
  return files_->ReadFile(JoinPath(repository_, path)).value_or("(missing)");
}

bool AutotuneFixture::Exists(const std::string& path) {
  return files_->Exists(JoinPath(repository_, path));
}

std::vector<std::string> AutotuneFixture::InitArguments(
    const std::string& task, const std::string& test) {
  return {"init",
          task,
          "--target",
          "^BM_Knob/",
          "--configure",
          "",
          "--build",
          absl::StrCat("cp '", KNOB_BENCHMARK, "' {build}/bench"),
          test.empty() ? "--no-tests" : "--test",
          test.empty() ? "a knob is a number" : test,
          "--benchmark",
          "bench",
          "--readable",
          KNOB_BENCHMARK,
          "--no-calibration"};
}

void AutotuneFixture::InitTask(const std::vector<std::string>& more) {
  std::vector<std::string> arguments =
      InitArguments("knob", "grep -q '^[1-9]' src/knob.txt");
  arguments.insert(arguments.end(), {"--edit", "src/**", "--mode", "alternate",
                                     "--min-effect", "10%"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = Run(arguments);
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const Answer set =
      Run({"task", "set", "policy.error_control", "per-decision"});
  ASSERT_EQ(set.exit_code, 0) << set.err;
}

void AutotuneFixture::LeaveOpen() {
  ASSERT_EQ(Run({"task", "set", "commands.sandbox", "off"}).exit_code, 0);
}

std::string AutotuneFixture::StartAttempt(const std::string& approach) {
  const Answer answer = Run({"start", approach, "--hypothesis", "less work"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (absl::string_view line : absl::StrSplit(answer.out, '\n')) {
    if (absl::ConsumePrefix(&line, "  worktree: ")) return std::string(line);
  }
  ADD_FAILURE() << answer.out;
  return "";
}

std::string AutotuneFixture::CommitAttempt(const std::string& approach,
                                           const std::string& path,
                                           const std::string& text) {
  const std::string worktree = StartAttempt(approach);
  if (worktree.empty()) return worktree;  // not the folder the tests run in
  const std::string whole = JoinPath(worktree, path);
  EXPECT_OK(files_->MakeDirectories(whole.substr(0, whole.rfind('/'))));
  EXPECT_OK(files_->WriteFile(whole, text));
  GitIn(worktree, {"add", "-A", "-f"});
  GitIn(worktree, {"commit", "-q", "-m", "work of " + approach});
  return worktree;
}

std::string AutotuneFixture::TaskFile(const std::string& name) {
  return Git(
      {"show", absl::StrCat(kBranch, ":docs/autotune/", kTask, "/", name)});
}

std::vector<std::string> AutotuneFixture::Subjects() {
  const std::string text =
      Git({"log", "--first-parent", "--reverse", "--format=%s",
           absl::StrCat("main..", kBranch)});
  return absl::StrSplit(absl::StripTrailingAsciiWhitespace(text), '\n');
}

int AutotuneFixture::Rows() {
  return static_cast<int>(
      ParseMetricFile(TaskFile("metric.toml"), "metric.toml").rows.size());
}

std::string AutotuneFixture::UserState() {
  std::string text = absl::StrCat(
      Git({"symbolic-ref", "HEAD"}), Git({"rev-parse", "main"}),
      Git({"ls-files", "--stage", "--debug"}), Git({"stash", "list"}),
      Git({"status", "--porcelain=v2", "--ignored", "-z"}));
  const std::string names = Git({"ls-files", "-z", "--cached", "--others"});
  for (absl::string_view name : absl::StrSplit(names, '\0')) {
    absl::StrAppend(&text, name, " ", Sha256Hex(Read(std::string(name))), "\n");
  }
  return text;
}

void AutotuneFixture::ExpectSound() {
  EXPECT_EQ(Git({"fsck", "--strict", "--no-dangling", "--no-progress"}), "");
}

}  // namespace autotune
