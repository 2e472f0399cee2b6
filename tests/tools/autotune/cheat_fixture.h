#ifndef AUTOTUNE_TESTS_TOOLS_AUTOTUNE_CHEAT_FIXTURE_H_
#define AUTOTUNE_TESTS_TOOLS_AUTOTUNE_CHEAT_FIXTURE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {

// A project of one function, its test and its benchmark, compiled by a real
// compiler; -O0, so that the work written down is the work done. The benchmark
// and the GoogleTest (checksum_benchmark.cc, checksum_cases.cc) are compiled
// once, for all projects.
class CheatTest : public AutotuneFixture {
 protected:
  static constexpr char kPass[] =
      "unsigned Pass(const unsigned char* data, unsigned size) {\n"
      "  unsigned sum = 0;\n"
      "  for (unsigned i = 0; i < size; ++i) sum = sum * 31 + data[i];\n"
      "  return sum;\n"
      "}\n";

  // The function, computed `passes` times over where once would do: what
  // honest work can mend.
  static std::string Checksum(int passes) {
    return absl::StrCat(
        kPass,
        "unsigned Checksum(const unsigned char* data, unsigned size) {\n"
        "  unsigned sum = 0;\n"
        "  for (int i = 0; i < ",
        passes,
        "; ++i) sum = Pass(data, size);\n"
        "  return sum;\n"
        "}\n");
  }

  // Arguments of an `init` of a task on the project.
  static std::vector<std::string> ProjectArguments(const std::string& task,
                                                   const std::string& test) {
    return {"init",
            task,
            "--target",
            "^BM_Checksum/",
            "--edit",
            "src/**",
            "--configure",
            "",
            "--build",
            "sh bench/build.sh {build}",
            test.empty() ? "--no-tests" : "--test",
            test.empty() ? "the answers are compared" : test,
            "--benchmark",
            "bench",
            "--readable",
            CHECKSUM_BENCHMARK,
            "--readable",
            CHECKSUM_TEST,
            "--readable",
            BENCHMARK_LIBRARY,
            "--no-calibration"};
  }

  // The project with `passes` of them, and its task.
  void InitProject(int passes = 4) {
    Write("src/checksum.cc", Checksum(passes));
    Write("bench/build.sh", BuildScript());
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "a project"});
    std::vector<std::string> arguments =
        ProjectArguments("knob", "{build}/checksum_test");
    arguments.insert(arguments.end(),
                     {"--mode", "alternate", "--min-effect", "10%"});
    const Answer answer = Run(arguments);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    ASSERT_EQ(
        Run({"task", "set", "policy.error_control", "per-decision"}).exit_code,
        0);
  }

  // Commits an attempt that writes `sources` ("src/checksum.cc" -> text), and
  // decides it.
  Answer DecideOn(const std::string& approach,
                  const std::map<std::string, std::string>& sources) {
    const std::string worktree = StartAttempt(approach);
    if (worktree.empty()) return {};  // not the folder the tests run in
    for (const auto& [path, text] : sources) {
      const std::string whole = JoinPath(worktree, path);
      EXPECT_OK(files().MakeDirectories(whole.substr(0, whole.rfind('/'))));
      EXPECT_OK(files().WriteFile(whole, text));
    }
    GitIn(worktree, {"add", "-A"});
    GitIn(worktree, {"commit", "-q", "-m", "work of " + approach});
    return Run({"decide", approach});
  }

  // A cheat ends as a violation with this reason, before its tests run.
  void ExpectViolation(const std::string& approach, const std::string& source,
                       const std::string& reason) {
    const Answer answer = DecideOn(approach, {{"src/checksum.cc", source}});
    EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
    EXPECT_THAT(answer.out,
                testing::StartsWith(absl::StrCat(
                    "violation ", approach, ": outside the scope: ", reason)));
  }

  void ExpectKeep(const std::string& approach,
                  const std::map<std::string, std::string>& sources) {
    const Answer answer = DecideOn(approach, sources);
    EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
    EXPECT_THAT(answer.out, testing::StartsWith("keep " + approach + ": -"));
  }

  // Objects of the scope in a folder of their own, as build systems leave them.
  static std::string BuildScript() {
    return absl::StrCat(
        "set -e\nmkdir -p \"$1/code.dir\"\n"
        "for file in src/*.cc; do\n  \"",
        CXX_COMPILER,
        "\" -O0 -pthread -c -o \"$1/code.dir/$(basename "
        "$file).o\" $file\ndone\n\"",
        CXX_COMPILER, "\" -o \"$1/bench\" \"$1\"/code.dir/*.o \"",
        CHECKSUM_BENCHMARK, "\" \"", BENCHMARK_LIBRARY, "\" -lpthread\n\"",
        CXX_COMPILER, "\" -o \"$1/checksum_test\" \"$1\"/code.dir/*.o \"",
        CHECKSUM_TEST, "\" -lgtest_main -lgtest -lpthread\n");
  }
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_TOOLS_AUTOTUNE_CHEAT_FIXTURE_H_
