// Attempts that try to win by other means than faster code. None of their code
// may run, and none may be kept.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::HasSubstr;

// What an attempt does in its worktree, and what is said of it.
struct Cheat {
  const char* name;
  std::vector<std::vector<std::string>> commands;  // argv, run in the worktree
  const char* said;
};

void PrintTo(const Cheat& cheat, std::ostream* out) { *out << cheat.name; }

class ScopeViolationTest : public AutotuneFixture,
                           public testing::WithParamInterface<Cheat> {
 protected:
  void RunInWorktree(const std::string& worktree,
                     const std::vector<std::string>& argv) {
    ProcessSpec spec;
    spec.argv = argv;
    spec.working_directory = worktree;
    const auto result = MakePosixProcessRunner()->Run(spec);
    ASSERT_OK(result);
    ASSERT_TRUE(result->succeeded()) << result->standard_error;
  }
};

TEST_P(ScopeViolationTest, IsRecordedWithoutBeingRun) {
  Write("tests/test.sh", "exit 0\n");
  Write("bench/seed.txt", "1\n");
  Write("src/CMakeLists.txt", "add_library(code code.cc)\n");
  Write("src/generated.txt", "x\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "more"});
  InitTask();
  // Were anything of the attempt run, this would be seen.
  LeaveOpen();
  const std::string witness = state() + "-ran";
  ASSERT_EQ(Run({"task", "set", "commands.test", "touch", witness}).exit_code,
            0);
  const std::string worktree = StartAttempt("cheat");
  for (const std::vector<std::string>& argv : GetParam().commands) {
    RunInWorktree(worktree, argv);
  }
  ASSERT_OK(files().WriteFile(worktree + "/src/knob.txt", "300\n"));
  GitIn(worktree, {"add", "-A", "-f"});
  GitIn(worktree, {"commit", "-q", "-m", "cheat"});

  EXPECT_EQ(Run({"check", "cheat"}).exit_code, 4);
  const Answer answer = Run({"decide", "cheat"});
  EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("violation cheat: outside the scope: "));
  EXPECT_THAT(answer.out, HasSubstr(GetParam().said));
  EXPECT_FALSE(files().Exists(witness));
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  ASSERT_EQ(ledger.rows.size(), 1u);
  EXPECT_EQ(ledger.rows[0].status, AttemptStatus::kCrash);
  EXPECT_THAT(ledger.rows[0].description, HasSubstr(GetParam().said));
  // Nothing of it is in the tip, nor in the merge.
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  EXPECT_EQ(Git({"diff", "--name-only", "main", kBranch, "--", ".",
                 ":(exclude)docs/autotune"}),
            "");
  EXPECT_EQ(Run({"decide", "cheat"}).exit_code, 4);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  ExpectSound();
}

INSTANTIATE_TEST_SUITE_P(
    Cheats, ScopeViolationTest,
    testing::Values(
        Cheat{"BenchmarkEdited",
              {{"sh", "-c", "echo easier > bench/bench.txt"}},
              "bench/bench.txt: sealed by \"bench/**\""},
        Cheat{"BenchmarkDeleted",
              {{"rm", "bench/bench.txt"}},
              "bench/bench.txt: sealed by \"bench/**\""},
        Cheat{"BenchmarkRenamedIntoScope",
              {{"mv", "bench/bench.txt", "src/bench.txt"}},
              "bench/bench.txt: sealed by \"bench/**\""},
        Cheat{"TestWeakened",
              {{"sh", "-c", "echo true > tests/test.sh"}},
              "tests/test.sh: sealed by \"tests/**\""},
        Cheat{"TestDeleted",
              {{"rm", "tests/test.sh"}},
              "tests/test.sh: sealed by \"tests/**\""},
        Cheat{"SeedOfTheDataChanged",
              {{"sh", "-c", "echo 2 > bench/seed.txt"}},
              "bench/seed.txt: sealed by \"bench/**\""},
        Cheat{"FolderOfAnotherCase",
              {{"sh", "-c", "mkdir Bench; echo x > Bench/bench.txt"}},
              "Bench/bench.txt: outside scope.edit"},
        Cheat{"TestMadeExecutable",
              {{"chmod", "+x", "tests/test.sh"}},
              "tests/test.sh: sealed by \"tests/**\""},
        Cheat{"CompilerFlag",
              {{"sh", "-c", "echo 'set(F -Ofast)' >> src/CMakeLists.txt"}},
              "src/CMakeLists.txt: sealed by \"**/CMakeLists.txt\""},
        Cheat{"SourceListNamesSealedFile",
              {{"sh", "-c",
                "echo 'add_library(code code.cc ../tests/t.cc)' > "
                "src/CMakeLists.txt"}},
              "src/CMakeLists.txt: sealed"},
        Cheat{"NewBuildFile",
              {{"sh", "-c", "mkdir src/x; echo x > src/x/CMakeLists.txt"}},
              "src/x/CMakeLists.txt: sealed"},
        Cheat{"NewPreset",
              {{"sh", "-c", "echo '{}' > CMakePresets.json"}},
              "CMakePresets.json: sealed"},
        Cheat{"FileOutsideTheScope",
              {{"sh", "-c", "echo x > settings.ini"}},
              "settings.ini: outside scope.edit"},
        Cheat{"IgnoredFilePlanted",
              {{"sh", "-c", "mkdir ignored; echo x > ignored/bench"}},
              "ignored/bench: outside scope.edit"},
        Cheat{"SymlinkOutOfTheTree",
              {{"ln", "-s", "/etc/passwd", "src/link"}},
              "src/link: a symlink"},
        Cheat{"FileTurnedIntoSymlink",
              {{"ln", "-sf", "../bench/bench.txt", "src/generated.txt"}},
              "src/generated.txt: a symlink"},
        Cheat{"AttributesInScope",
              {{"sh", "-c", "echo '* filter=x' > src/.gitattributes"}},
              "src/.gitattributes: changes how git reads the tree"},
        Cheat{"AttributesInItsNotes",
              {{"sh", "-c",
                "echo '* merge=x' > "
                "docs/autotune/2026-01-02-knob/cheat/.gitattributes"}},
              "cheat/.gitattributes: changes how git reads the tree"},
        Cheat{"SubmoduleAdded",
              {{"sh", "-c",
                "git init -q src/sub && git -C src/sub -c user.name=a -c "
                "user.email=b commit -q --allow-empty -m x"}},
              "src/sub: a submodule"},
        Cheat{"LedgerEdited",
              {{"sh", "-c",
                "echo '[[metric]]' >> docs/autotune/2026-01-02-knob/"
                "metric.toml"}},
              "metric.toml: the ledger, which only autotune writes"},
        Cheat{"SettingsEdited",
              {{"sh", "-c",
                "sed -i 's/min_effect.*/min_effect = 0.0001/' "
                "docs/autotune/2026-01-02-knob/task.toml"}},
              "task.toml: the ledger, which only autotune writes"},
        Cheat{"ContinuousIntegration",
              {{"sh", "-c", "mkdir -p .github; echo x > .github/ci.yml"}},
              ".github/ci.yml: sealed by \".github/**\""}),
    [](const testing::TestParamInfo<Cheat>& cheat) {
      return std::string(cheat.param.name);
    });

class TrickTest : public AutotuneFixture {};

// Forged evidence and a rewritten prompt of the attempt's own making are not
// what is recorded.
TEST_F(TrickTest, PlantedEvidenceIsReplacedOrRemoved) {
  InitTask();
  const std::string folder = "docs/autotune/2026-01-02-knob/forger/";
  const std::string worktree =
      CommitAttempt("forger", folder + "evidence.json", "{\"keep\": true}\n");
  ASSERT_OK(files().WriteFile(worktree + "/" + folder + "prompts.md", "easy"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "more"});
  EXPECT_EQ(Run({"decide", "forger"}).exit_code, 1);
  EXPECT_EQ(GitLine({"ls-tree", "--name-only", kBranch, folder}),
            folder + "prompts.md");
  EXPECT_THAT(TaskFile("forger/prompts.md"), HasSubstr("less work"));
}

TEST_F(TrickTest, KeptAttemptCannotRewriteItsPrompt) {
  InitTask();
  const std::string folder = "docs/autotune/2026-01-02-knob/forger/";
  const std::string worktree = CommitAttempt("forger", "src/knob.txt", "300\n");
  ASSERT_OK(files().WriteFile(worktree + "/" + folder + "prompts.md", "easy"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "more"});
  EXPECT_EQ(Run({"decide", "forger"}).exit_code, 0);
  EXPECT_THAT(TaskFile("forger/prompts.md"), HasSubstr("less work"));
}

// The base rule: an attempt that brings another one's commits along.
TEST_F(TrickTest, AttemptThatMergedAnotherIsRefused) {
  InitTask();
  CommitAttempt("other", "src/other.cc", "other\n");
  const std::string worktree = CommitAttempt("thief", "src/knob.txt", "300\n");
  GitIn(worktree, {"merge", "-q", "--no-edit",
                   "autotune-iter/2026-01-02-knob/001-other"});
  const Answer answer = Run({"decide", "thief"});
  EXPECT_EQ(answer.exit_code, 69) << answer.out;
  EXPECT_EQ(Rows(), 0);
}

TEST_F(TrickTest, AttemptOnAnotherLineIsRefused) {
  InitTask();
  const std::string worktree = StartAttempt("stray");
  Git({"commit", "-q", "--allow-empty", "-m", "elsewhere"});
  GitIn(worktree, {"reset", "-q", "--hard", "main"});
  GitIn(worktree, {"commit", "-q", "--allow-empty", "-m", "stray"});
  EXPECT_EQ(Run({"decide", "stray"}).exit_code, 69);
  EXPECT_EQ(Rows(), 0);
}

// A stale program: the attempt's own build folder and tip's are never shared,
// and nothing that the tree ignores gets into a build.
TEST_F(TrickTest, IgnoredFilesOfTheWorktreeAreNotBuilt) {
  InitTask();
  ASSERT_EQ(Run({"task", "set", "commands.test", "--", "test", "!", "-e",
                 "ignored/bench"})
                .exit_code,
            0);
  const std::string worktree = CommitAttempt("stale", "src/knob.txt", "300\n");
  ASSERT_OK(files().MakeDirectories(worktree + "/ignored"));
  ASSERT_OK(files().WriteFile(worktree + "/ignored/bench", "fast\n"));
  EXPECT_EQ(Run({"decide", "stale"}).exit_code, 0);
}

TEST_F(TrickTest, SuspiciousAdditionsAreShownAndStored) {
  InitTask();
  const std::string worktree = CommitAttempt("fishy", "src/knob.txt", "300\n");
  ASSERT_OK(files().WriteFile(worktree + "/src/code.cc",
                              "#include <ctime>\nint Code() { return "
                              "clock_gettime(0, nullptr); }\n"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "more"});
  EXPECT_THAT(Run({"check", "fishy"}).out, HasSubstr("src/code.cc:2: "));
  EXPECT_EQ(Run({"decide", "fishy"}).exit_code, 0);
  EXPECT_THAT(TaskFile("fishy/evidence.json"),
              HasSubstr("\"review\": [\"src/code.cc:2: "));
  EXPECT_THAT(TaskFile("log.md"), HasSubstr("review: src/code.cc:2: "));
}

// A gain beyond belief is not kept without a person.
TEST_F(TrickTest, GainAboveTheReviewRatioIsNotKept) {
  InitTask();
  CommitAttempt("magic", "src/knob.txt", "20\n");
  const Answer answer = Run({"decide", "magic"});
  EXPECT_EQ(answer.exit_code, 3) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("review"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
}

TEST_F(TrickTest, WorkMovedToAThreadIsNotKept) {
  InitTask();
  CommitAttempt("thread", "src/knob.txt", "300 thread\n");
  const Answer answer = Run({"decide", "thread"});
  EXPECT_NE(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
}

}  // namespace
}  // namespace autotune
