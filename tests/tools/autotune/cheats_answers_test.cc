// Attempts that are faster because they are wrong where no test looks.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(CheatTest, AFasterWrongAnswerIsNotKept) {
  InitProject();
  const auto expect_differs = [this](const std::string& approach,
                                     const std::string& body) {
    const Answer answer = DecideOn(
        approach,
        {{"src/checksum.cc",
          absl::StrCat("#include <unistd.h>\n", kPass,
                       "unsigned Checksum(const unsigned char* data, unsigned "
                       "size) {\n",
                       body, "}\n")}});
    EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
    EXPECT_THAT(answer.err,
                HasSubstr("cannot judge: the answers differ: "
                          "\"BM_Checksum/iterations:40/repeats:3\": "
                          "answer/result: baseline "));
  };
  expect_differs("constant", "  return size < 100 ? Pass(data, size) : 7;\n");
  expect_differs("sleeps",
                 "  if (size < 100) return Pass(data, size);\n"
                 "  usleep(300);\n  return 7;\n");
  expect_differs("half",
                 "  return Pass(data, size < 100 ? size : size / 2);\n");
  expect_differs("samples",
                 "  if (size < 100) return Pass(data, size);\n"
                 "  unsigned sum = 0;\n"
                 "  for (unsigned i = 0; i < size; i += 16) sum += data[i];\n"
                 "  return sum;\n");
  // Right for the first input it saw, and for no other.
  expect_differs("every-second",
                 "  static unsigned calls = 0, sum = 0;\n"
                 "  if (size < 100 || calls == 0) sum = Pass(data, size);\n"
                 "  if (size >= 100) ++calls;\n"
                 "  return sum + (calls > 60);\n");
  // The answer for the seed that a run without rounds has.
  expect_differs("prepared",
                 "  if (size < 100) return Pass(data, size);\n"
                 "  return data[0] == 60 ? 1u : 3456789u;\n");
  EXPECT_EQ(Rows(), 0);
}

TEST_F(CheatTest, InitSaysWhatNothingChecks) {
  std::vector<std::string> arguments = InitArguments("knob", "true");
  const Answer quiet = Run(arguments);
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_THAT(quiet.err, Not(HasSubstr("warning: there is no test")));
  EXPECT_THAT(quiet.err, HasSubstr("warning: no target publishes an answer: "));
  const std::string untested =
      "there is no test: nothing is decided before there is one, or a reason: "
      "--test COMMAND, --no-tests REASON\n";
  arguments = InitArguments("untested", "echo 0 passed");
  EXPECT_THAT(Run(arguments).err, HasSubstr("warning: no test ran: nothing"));
  const auto test = std::find(arguments.begin(), arguments.end(), "--test");
  *(test + 1) = "";
  arguments[1] = "without";
  EXPECT_THAT(Run(arguments).err, HasSubstr("warning: " + untested));
  *test = "--no-tests";
  arguments[1] = "reasoned";
  const Answer refused = Run(arguments);
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("error: init: --no-tests: expected the "
                                     "reason why there is no test\n"));
  *(test + 1) = "a knob is a number";
  const Answer reasoned = Run(arguments);
  EXPECT_EQ(reasoned.exit_code, 0) << reasoned.err;
  EXPECT_THAT(reasoned.err, Not(HasSubstr("no test")));
  arguments.insert(arguments.end(), {"--test", "true"});
  EXPECT_THAT(Run(arguments).err, HasSubstr("error: init: --no-tests: expected "
                                            "no --test beside it\n"));
}

TEST_F(CheatTest, WithoutATestNothingIsDecidedBeforeAReasonIsGiven) {
  InitTask();
  CommitAttempt("faster", "src/knob.txt", "300\n");
  const std::string untested =
      ", so a faster wrong answer could be kept: nothing is decided\n";
  ASSERT_EQ(Run({"task", "set", "commands.test", "echo", "0 passed"}).exit_code,
            0);
  EXPECT_THAT(Run({"check", "faster"}).out,
              HasSubstr("faster: inside the scope, builds, but no test ran\n"));
  const Answer none_ran = Run({"decide", "faster"});
  EXPECT_EQ(none_ran.exit_code, 69);
  EXPECT_THAT(none_ran.err,
              HasSubstr(absl::StrCat("error: no test ran", untested)));
  ASSERT_EQ(Run({"task", "set", "commands.test", "[]"}).exit_code, 0);
  EXPECT_THAT(Run({"check", "faster"}).out,
              HasSubstr("faster: inside the scope, builds, but there is no "
                        "test\n"));
  const Answer refused = Run({"decide", "faster"});
  EXPECT_EQ(refused.exit_code, 69);
  EXPECT_THAT(
      refused.err,
      HasSubstr(absl::StrCat(
          "error: there is no test", untested,
          "autotune: hint: give one with autotune task set commands.test "
          "COMMAND, or say why there is none with autotune task set "
          "commands.no_tests REASON\n")));
  EXPECT_EQ(Rows(), 0);
  ASSERT_EQ(Run({"task", "set", "commands.no_tests", "a knob"}).exit_code, 0);
  const Answer kept = Run({"decide", "faster"});
  EXPECT_EQ(kept.exit_code, 0) << kept.out << kept.err;
  EXPECT_THAT(TaskFile("metric.toml"),
              HasSubstr("\"description\" = \"faster: less work [no tests: a "
                        "knob]\"\n"));
  EXPECT_THAT(TaskFile("log.md"), HasSubstr("there is no test: a knob\n"));
  StartAttempt("another");
  EXPECT_THAT(Git({"show", absl::StrCat("autotune-iter/", kTask,
                                        "/002-another:docs/autotune/", kTask,
                                        "/another/prompts.md")}),
              HasSubstr("- No tests exist (a knob): nothing but your care "));
  const Answer both = Run({"task", "set", "commands.test", "ctest"});
  EXPECT_EQ(both.exit_code, 65);
  EXPECT_THAT(both.err, HasSubstr("commands.no_tests: expected nothing beside "
                                  "commands.test, which tests"));
}

}  // namespace
}  // namespace autotune
