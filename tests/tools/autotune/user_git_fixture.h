#ifndef AUTOTUNE_TESTS_TOOLS_AUTOTUNE_USER_GIT_FIXTURE_H_
#define AUTOTUNE_TESTS_TOOLS_AUTOTUNE_USER_GIT_FIXTURE_H_

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/sha256.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {

// Runs whole tasks in repositories as people have them, and looks whether
// anything of theirs was touched.
class UserGitFixture : public AutotuneFixture {
 protected:
  // Runs a program that may fail; its exit code.
  int RunCommand(const std::string& directory,
                 const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = argv;
    spec.working_directory = directory;
    spec.environment = {{"HOME", environment()["HOME"]}};
    const auto result = MakePosixProcessRunner()->Run(spec);
    EXPECT_OK(result);
    return result.ok() ? result->exit_code : -1;
  }

  void SetIdentity(const std::string& directory) {
    GitIn(directory, {"config", "user.name", "A User"});
    GitIn(directory, {"config", "user.email", "user@example.org"});
  }

  // Everything of the user's in the checkout at `directory`: HEAD, branches
  // that are not ours, stash, the index's bytes, settings, and every file.
  std::string StateOf(const std::string& directory) {
    const auto line = [&](const std::vector<std::string>& arguments) {
      return std::string(absl::StripSuffix(GitIn(directory, arguments), "\n"));
    };
    std::string text = line({"rev-parse", "HEAD", "--symbolic-full-name"});
    for (absl::string_view ref : absl::StrSplit(line({"for-each-ref"}), '\n')) {
      if (!absl::StrContains(ref, "autotune")) absl::StrAppend(&text, ref, ";");
    }
    for (const char* name : {"index", "config", "config.worktree", "HEAD"}) {
      const std::string path =
          line({"rev-parse", "--path-format=absolute", "--git-path", name});
      absl::StrAppend(&text, "\n", name, " ",
                      Sha256Hex(files().ReadFile(path).value_or("(missing)")));
    }
    const std::string names =
        GitIn(directory, {"ls-files", "-z", "--cached", "--others"});
    for (absl::string_view name : absl::StrSplit(names, '\0')) {
      const std::string path = JoinPath(directory, std::string(name));
      absl::StrAppend(&text, "\n", name, " ",
                      Sha256Hex(files().ReadFile(path).value_or("(none)")));
    }
    return text;
  }

  // init of a task on everything under src.
  static std::vector<std::string> InitSources() {
    std::vector<std::string> arguments = InitArguments("knob");
    arguments.insert(arguments.end(), {"--edit", "src/**"});
    return arguments;
  }

  void MustRun(const std::string& directory,
               const std::vector<std::string>& arguments, int exit_code = 0) {
    const Answer answer = RunIn(directory, arguments);
    EXPECT_EQ(answer.exit_code, exit_code)
        << arguments[0] << ": " << answer.out << answer.err;
    worktree_.clear();
    for (absl::string_view line : absl::StrSplit(answer.out, '\n')) {
      if (absl::ConsumePrefix(&line, "  worktree: ")) {
        worktree_ = std::string(line);
      }
    }
  }

  // start, and a commit of `text` in its worktree.
  void Attempt(const std::string& directory, const std::string& approach,
               const std::string& path, const std::string& text) {
    MustRun(directory, {"start", approach, "--hypothesis", "less work"});
    ASSERT_FALSE(worktree_.empty());
    EXPECT_EQ(GitIn(worktree_, {"status", "--porcelain"}), "");
    ASSERT_OK(files().WriteFile(JoinPath(worktree_, path), text));
    GitIn(worktree_,
          {"-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false",
           "commit", "-q", "-a", "-m", approach});
  }

  // init, an attempt that is kept, one that is measured to be no change, a
  // revert, an audit; the user's things are as before.
  void Cycle(const std::string& directory) {
    const std::string before = StateOf(directory);
    MustRun(directory, InitSources());
    Attempt(directory, "less", "src/knob.txt", "300\n");
    MustRun(directory, {"record", "less", "--claim", "keep"});
    Attempt(directory, "same", "src/code.cc", "int Code() { return 2; }\n");
    MustRun(directory, {"decide", "same"}, 1);
    EXPECT_EQ(
        GitIn(directory, {"show", absl::StrCat(kBranch, ":src/knob.txt")}),
        "300\n");
    MustRun(directory, {"revert", "less"});
    MustRun(directory, {"audit"});
    EXPECT_EQ(
        GitIn(directory, {"show", absl::StrCat(kBranch, ":src/knob.txt")}),
        "900\n");
    EXPECT_EQ(StateOf(directory), before);
    EXPECT_EQ(GitIn(directory,
                    {"fsck", "--strict", "--no-dangling", "--no-progress"}),
              "");
  }

  const std::string& worktree() const { return worktree_; }

 private:
  std::string worktree_;
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_AUTOTUNE_USER_GIT_FIXTURE_H_
