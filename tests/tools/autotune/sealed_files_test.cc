// The wall behind the scope check: whatever the attempt's own commits say, what
// is built, measured and kept has the tip's copy of every sealed file.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class SealedFilesTest : public AutotuneFixture {
 protected:
  // A file long enough that git follows it through a rename.
  static std::string Lines(const std::string& first) {
    std::string text = first + "\n";
    for (int i = 0; i < 30; ++i) absl::StrAppend(&text, "line ", i, "\n");
    return text;
  }

  // A benchmark's data begins in the scope and is moved into the sealed folder
  // by a person after the attempt forked: git carries the attempt's edit along.
  std::string AttemptWhoseEditIsCarriedAway() {
    Write("src/data.txt", Lines("hard"));
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "data"});
    InitTask();
    const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
    EXPECT_OK(files().WriteFile(worktree + "/src/data.txt", Lines("easy")));
    GitIn(worktree, {"commit", "-q", "-a", "-m", "more"});
    Git({"switch", "-q", kBranch});
    Git({"mv", "src/data.txt", "bench/data.txt"});
    Git({"commit", "-q", "-m", "data belongs to the benchmark"});
    return worktree;
  }
};

TEST_F(SealedFilesTest, EditCarriedByARenameIntoASealedFileIsNotBuiltNorKept) {
  AttemptWhoseEditIsCarriedAway();
  // The test sees the tree that is built.
  ASSERT_EQ(
      Run({"task", "set", "commands.test", "grep", "hard", "bench/data.txt"})
          .exit_code,
      0);
  const Answer check = Run({"check", "less"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("the tip's copy stays: bench/data.txt: "
                                   "sealed by \"bench/**\""));
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":bench/data.txt")}),
            Lines("hard"));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "300\n");
  EXPECT_EQ(Read("bench/data.txt"), Lines("hard"));
  EXPECT_THAT(TaskFile("less/evidence.json"),
              HasSubstr("the tip's copy stays: bench/data.txt: "));
  EXPECT_THAT(TaskFile("log.md"),
              HasSubstr("the tip's copy stays: bench/data.txt: "));
  // What was measured is what was kept.
  EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  ExpectSound();
}

TEST_F(SealedFilesTest, EditThatIsTakenBackWholeChangesNothing) {
  const std::string worktree = AttemptWhoseEditIsCarriedAway();
  ASSERT_OK(files().WriteFile(worktree + "/src/knob.txt", "900\n"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "as before"});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("no change: the sources are equal"));
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// A driver that the user's attributes name would run on every file that both
// sides changed.
TEST_F(SealedFilesTest, MergeDriversOfTheUserAreNotRun) {
  Write("src/both.txt", Lines("first"));
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "both"});
  Write(".git/info/attributes", "* merge=evil\n");
  const std::string witness = state() + "-driver";
  Git({"config", "merge.evil.driver",
       absl::StrCat("echo easy > %A; touch '", witness, "'")});
  InitTask();
  const std::string worktree = CommitAttempt("less", "src/knob.txt", "300\n");
  ASSERT_OK(files().WriteFile(worktree + "/src/both.txt",
                              Lines("first") + "theirs\n"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "more"});
  Git({"switch", "-q", kBranch});
  Write("src/both.txt", Lines("ours"));
  Git({"commit", "-q", "-a", "-m", "meanwhile"});
  const Answer answer = Run({"decide", "less"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/both.txt")}),
            Lines("ours") + "theirs\n");
  EXPECT_FALSE(files().Exists(witness));
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
}

// Builds, tests and benchmarks that run scripts of the scope: code of an
// attempt that gets at files while they are used.
class WrittenOverTest : public AutotuneFixture {
 protected:
  void InitScripts() {
    for (const char* name : {"build", "test", "run"}) {
      Write(absl::StrCat("src/", name, ".sh"), ":\n");
    }
    Write("bench/build.sh",
          absl::StrCat(". ./src/build.sh\n"
                       "printf '#!/bin/sh\\n. ./src/run.sh\\nexec \"",
                       KNOB_BENCHMARK,
                       "\" \"$@\"\\n' > \"$1/bench\"\n"
                       "chmod +x \"$1/bench\"\n"));
    Write("bench/test.sh", ". ./src/test.sh\n");
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "scripts"});
    InitTask();
    ASSERT_EQ(Run({"task", "set", "commands.build", "sh", "bench/build.sh",
                   "{build}"})
                  .exit_code,
              0);
    ASSERT_EQ(
        Run({"task", "set", "commands.test", "sh", "bench/test.sh"}).exit_code,
        0);
  }

  // Commits an attempt that changes one script.
  void CommitScript(const std::string& path, const std::string& text,
                    const std::string& knob = "900\n") {
    const std::string worktree = CommitAttempt("script", path, text);
    EXPECT_OK(files().WriteFile(worktree + "/src/knob.txt", knob));
    EXPECT_OK(files().WriteFile(worktree + "/src/note.txt", "new\n"));
    GitIn(worktree, {"add", "-A"});
    GitIn(worktree, {"commit", "-q", "-m", "more"});
  }
  Answer DecideScript(const std::string& path, const std::string& text,
                      const std::string& knob = "900\n") {
    CommitScript(path, text, knob);
    return Run({"decide", "script"});
  }

  void ExpectTipUnchanged() {
    EXPECT_EQ(Git({"diff", "--name-only", "main", kBranch, "--", ".",
                   ":(exclude)docs/autotune"}),
              "");
    EXPECT_EQ(Run({"audit"}).exit_code, 0) << Run({"audit"}).out;
  }
};

TEST_F(WrittenOverTest, BuildThatWritesOverASealedFileIsAViolation) {
  InitScripts();
  const Answer answer =
      DecideScript("src/build.sh", "echo exit 0 > bench/test.sh\n");
  EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
  EXPECT_THAT(answer.out,
              HasSubstr("bench/test.sh: sealed by \"bench/**\", and the "
                        "attempt's build changes it"));
  EXPECT_EQ(Rows(), 1);
  ExpectTipUnchanged();
}

TEST_F(WrittenOverTest, BuildThatRemovesOrLinksASealedFileIsAViolation) {
  InitScripts();
  const Answer answer = DecideScript(
      "src/build.sh", "rm bench/bench.txt\nln -sf /bin/true bench/test.sh\n");
  EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("bench/bench.txt: sealed by"));
  EXPECT_THAT(answer.out, HasSubstr("bench/test.sh: sealed by"));
  ExpectTipUnchanged();
}

TEST_F(WrittenOverTest, SealedFileThatEveryBuildMakesAnewIsNone) {
  Write("bench/stamp.txt", "x\n");
  InitScripts();
  ASSERT_EQ(Run({"task", "set", "commands.configure", "--", "sh", "-c",
                 "pwd > bench/stamp.txt"})
                .exit_code,
            0);
  CommitScript("src/test.sh", "true\n", "300\n");
  const Answer answer = Run({"check", "script"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
}

// Three times slower, and its tests make it three times faster.
TEST_F(WrittenOverTest, WhatTestsWriteOverIsPutBackBeforeMeasuring) {
  InitScripts();
  const Answer answer = DecideScript(
      "src/test.sh", "echo 300 > src/knob.txt\nrm -r bench\nln -s src bench\n",
      "2700\n");
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(answer.err,
              HasSubstr("the tests changed src/knob.txt; it is put back"));
  EXPECT_THAT(answer.err,
              HasSubstr("the tests changed bench/bench.txt; it is put back"));
  ExpectTipUnchanged();
}

TEST_F(WrittenOverTest, TipsDataMadeHeavierWhileMeasuringIsSeen) {
  InitScripts();
  LeaveOpen();
  const Answer answer =
      DecideScript("src/run.sh",
                   "for f in ../../../*/*/tree/src/knob.txt; do\n"
                   "  [ \"$f\" -ef src/knob.txt ] || echo 2700 > \"$f\"\n"
                   "done\n");
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("/tree/src/knob.txt: this file of the tree "
                                    "changed after the build"));
  EXPECT_EQ(Rows(), 0);
  ExpectTipUnchanged();
}

TEST_F(WrittenOverTest, OwnDataMadeLighterWhileMeasuringIsSeen) {
  InitScripts();
  const Answer answer = DecideScript("src/run.sh", "echo 300 > src/knob.txt\n");
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("changed after the build"));
  EXPECT_EQ(Rows(), 0);
}

}  // namespace
}  // namespace autotune
