// Attempts whose tests pass because they do not run.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/tools/autotune/cheat_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

// `code` before main, in every program but the benchmark.
std::string BeforeTheTests(const std::string& code) {
  return absl::StrCat(
      "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
      "#include <string.h>\n#include <unistd.h>\n"
      "__attribute__((constructor(101))) static void Before() {\n"
      "  if (!strstr(program_invocation_short_name, \"test\")) return;\n  ",
      code, "\n}\n");
}

TEST_F(CheatTest, TestsThatDoNotRunAreMissed) {
  InitProject();
  const std::string wrong =
      "unsigned Checksum(const unsigned char*, unsigned size) {\n"
      "  return size == 0 ? 0 : 7;\n}\n";
  const auto expect_fewer = [this](const std::string& approach,
                                   const std::string& source,
                                   const std::string& reason) {
    const Answer answer = DecideOn(approach, {{"src/checksum.cc", source}});
    EXPECT_EQ(answer.exit_code, 2) << answer.out << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("test of the attempt: " + reason));
    EXPECT_EQ(Run({"decide", approach, "--crash", "tests left out"}).exit_code,
              2);
  };
  expect_fewer("prints-passed",
               absl::StrCat(BeforeTheTests("puts(\"[  PASSED  ] 3 tests.\");\n"
                                           "  fflush(stdout);\n  _exit(0);"),
                            wrong),
               "3 tests fewer ran and passed than in the tip (0 instead of 3)");
  expect_fewer("exits", absl::StrCat(BeforeTheTests("_exit(0);"), wrong),
               "3 tests fewer ran and passed than in the tip (0 instead of 3)");
  expect_fewer(
      "filter",
      absl::StrCat(
          BeforeTheTests("setenv(\"GTEST_FILTER\", \"*Nothing*\", 1);"), wrong),
      "2 tests fewer ran and passed than in the tip (1 instead of 3)");
  EXPECT_EQ(Rows(), 3);
}

}  // namespace
}  // namespace autotune
