// Attempts inside the scope that look fast without being it: real C++ programs,
// built, tested and measured. None may be kept.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// What becomes of an attempt in all places that keep it.
class MeasuredCheatTest : public CheatTest {
 protected:
  // The decision on an attempt whose checksum.cc is `source`.
  Answer Decide(const std::string& source) {
    CommitAttempt("cheat", "src/checksum.cc", source);
    const Answer checked = Run({"check", "cheat"});
    checked_ = checked.out + checked.err;
    return Run({"decide", "cheat"});
  }

  void ExpectTipUnchanged() {
    EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/checksum.cc")}),
              Checksum(4));
    EXPECT_EQ(Run({"audit"}).exit_code, 0);
  }

  // Measured, looks faster, and is left to a person for `reason`; stored and
  // shown with `addition`.
  void ExpectNeedsAPerson(const Answer& answer, const std::string& reason,
                          const std::string& addition) {
    EXPECT_EQ(answer.exit_code, 3) << answer.out << answer.err;
    EXPECT_THAT(answer.out, AllOf(StartsWith("inconclusive cheat: -"),
                                  HasSubstr(" rounds, "), HasSubstr(reason)));
    ExpectRecordedForReview(answer, addition);
  }
  // Whatever it was decided to be, but no keep.
  void ExpectRecordedForReview(const Answer& answer,
                               const std::string& addition) {
    EXPECT_THAT(answer.out, HasSubstr("  for review:\n    src/checksum.cc:"));
    EXPECT_THAT(answer.out, HasSubstr(addition));
    EXPECT_THAT(TaskFile("cheat/evidence.json"), HasSubstr(addition));
    EXPECT_THAT(TaskFile("log.md"), HasSubstr(addition));
    EXPECT_EQ(Run({"show", "attempt", "cheat"}).out, answer.out);
    ExpectChecked(addition);
    EXPECT_EQ(Rows(), 1);
    ExpectTipUnchanged();
  }
  // What `check` said, such as the additions a person should look at.
  void ExpectChecked(const std::string& what) {
    EXPECT_THAT(checked_, HasSubstr(what));
  }

 private:
  std::string checked_;
};

TEST_F(MeasuredCheatTest, HonestWorkIsKept) {
  InitProject();
  const Answer answer = Decide(Checksum(2));
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
}

TEST_F(MeasuredCheatTest, WorkMovedToAThreadIsNotKept) {
  InitProject();
  const Answer answer = Decide(absl::StrCat(
      "#include <thread>\n", kPass,
      "unsigned Checksum(const unsigned char* data, unsigned size) {\n"
      "  std::thread rest([=] {\n"
      "    for (int i = 0; i < 3; ++i) Pass(data, size);\n  });\n"
      "  const unsigned sum = Pass(data, size);\n"
      "  rest.join();\n  return sum;\n}\n"));
  ExpectNeedsAPerson(answer, ": work outside the timed thread: ",
                     ": starts a thread or process: ");
}

TEST_F(MeasuredCheatTest, WorkMovedToAProcessIsNotKept) {
  InitProject();
  const Answer answer = Decide(absl::StrCat(
      "#include <sys/wait.h>\n#include <unistd.h>\n", kPass,
      "unsigned Checksum(const unsigned char* data, unsigned size) {\n"
      "  const pid_t child = fork();\n"
      "  const unsigned sum = Pass(data, size);\n"
      "  if (child == 0) {\n"
      "    for (int i = 0; i < 3; ++i) Pass(data, size);\n"
      "    _exit(0);\n  }\n"
      "  waitpid(child, nullptr, 0);\n  return sum;\n}\n"));
  // What fork costs the timed thread eats most of the gain: it depends on the
  // machine whether the rest is a gain at all, and whether the visits that
  // follow so many processes are slower.
  EXPECT_THAT(answer.exit_code, AnyOf(1, 3)) << answer.out << answer.err;
  EXPECT_THAT(answer.out,
              AnyOf(AllOf(StartsWith("inconclusive cheat: -"),
                          AnyOf(HasSubstr(": work outside the timed thread: "),
                                HasSubstr(": carry-over: "),
                                HasSubstr("undecided after "))),
                    StartsWith("discard cheat: ")));
  ExpectRecordedForReview(answer, ": starts a thread or process: ");
}

TEST_F(MeasuredCheatTest, ResultCachedAcrossIterationsIsNotKept) {
  InitProject();
  const Answer answer = Decide(absl::StrCat(
      kPass,
      "unsigned Checksum(const unsigned char* data, unsigned size) {\n"
      "  static const unsigned char* last = nullptr;\n"
      "  static unsigned sum = 0;\n"
      "  if (data != last) sum = Pass(data, size);\n"
      "  last = data;\n  return sum;\n}\n"));
  ExpectNeedsAPerson(answer, ": needs review: BM_Checksum/",
                     "src/checksum.cc:7: ");
}

TEST_F(MeasuredCheatTest, KnownAnswerFailsTheTest) {
  InitProject();
  const Answer answer = Decide(
      "unsigned Checksum(const unsigned char*, unsigned) {\n"
      "  return 3735928559u;\n}\n");
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("test of the attempt: `"));
  EXPECT_EQ(Rows(), 0);
  const Answer crash = Run({"decide", "cheat", "--crash", "wrong answers"});
  EXPECT_EQ(crash.exit_code, 2);
  EXPECT_THAT(crash.out, StartsWith("crash cheat: wrong answers\n"));
  EXPECT_EQ(Rows(), 1);
  ExpectTipUnchanged();
}

// The tip's program spoiled by what the attempt runs, in its tests or while it
// is measured.
TEST_F(MeasuredCheatTest, TipsProgramOverwrittenByTheAttemptIsSeen) {
  InitProject();
  LeaveOpen();
  const Answer answer = Decide(absl::StrCat(
      "#include <cstdlib>\n", Checksum(4),
      "int spoil = std::system(\n"
      "    \"for f in ../../../*/*/build/bench; do \"\n"
      "    \"[ $f -ef ../build/bench ] || echo slower >> $f; done\");\n"));
  ExpectChecked("this program changed after it was built");
  EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("this program changed after it was built"));
  EXPECT_EQ(Rows(), 0);
  ExpectTipUnchanged();
}

// A flag that gets into the build by a file inside the scope is seen in the
// compile commands, before anything is compiled.
TEST_F(MeasuredCheatTest, CompilerFlagFromAFileInScopeIsAViolation) {
  Write("src/flags.txt", "-O1");
  Write("bench/configure.sh",
        "printf '[{\"directory\": \"/\", \"file\": \"src/code.cc\", "
        "\"command\": \"c++ %s -c src/code.cc\"}]' \"$(cat src/flags.txt)\" "
        "> \"$1/compile_commands.json\"\n");
  // The tip's tests run too; only the attempt's would leave the witness.
  Write("bench/test.sh",
        "if grep -q 300 src/knob.txt; then touch \"$1\"; fi\n");
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "flags"});
  InitTask();
  ASSERT_EQ(Run({"task", "set", "commands.configure", "sh",
                 "bench/configure.sh", "{build}"})
                .exit_code,
            0);
  LeaveOpen();
  const std::string witness = state() + "-ran";
  ASSERT_EQ(
      Run({"task", "set", "commands.test", "sh", "bench/test.sh", witness})
          .exit_code,
      0);
  const std::string worktree = CommitAttempt("flag", "src/knob.txt", "300\n");
  ASSERT_OK(files().WriteFile(worktree + "/src/flags.txt", "-Ofast"));
  GitIn(worktree, {"commit", "-q", "-a", "-m", "flag"});
  EXPECT_EQ(Run({"check", "flag"}).exit_code, 4);
  const Answer answer = Run({"decide", "flag"});
  EXPECT_EQ(answer.exit_code, 4) << answer.out << answer.err;
  EXPECT_THAT(answer.out, AllOf(StartsWith("violation flag: "),
                                HasSubstr("outside the scope: "),
                                HasSubstr("compiled differently: c++ "
                                          "-Ofast")));
  EXPECT_FALSE(files().Exists(witness));
  EXPECT_EQ(Git({"show", absl::StrCat(kBranch, ":src/knob.txt")}), "900\n");
  EXPECT_EQ(Rows(), 1);
}

}  // namespace
}  // namespace autotune
