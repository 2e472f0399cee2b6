// Attempts that are faster because they are wrong where no test looks.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

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
  InitProject();
  const Answer told = Run(ProjectArguments("untested", ""));
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.err, HasSubstr("warning: there is no test: "));
  EXPECT_THAT(told.err, testing::Not(HasSubstr("publishes an answer")));
}

}  // namespace
}  // namespace autotune
