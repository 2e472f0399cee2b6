#include "tools/system/program_path.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

using absl::StatusCode;

TEST(FindProgramTest, APathIsTakenAsItIs) {
  EXPECT_THAT(FindProgram("./a b", ""), IsOkAndHolds("./a b"));
}

TEST(FindProgramTest, TheFirstExecutableOfThatNameInPathWins) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().MakeDirectories(folder.Join("1/tool")));
  for (const char* name : {"2", "3", "4"}) {
    const std::string file = folder.Join(std::string(name) + "/tool");
    ASSERT_OK(folder.files().MakeDirectories(folder.Join(name)));
    ASSERT_OK(folder.files().WriteFile(file, "x"));
    ASSERT_EQ(chmod(file.c_str(), *name == '2' ? 0644 : 0755), 0);
  }
  const std::string path = folder.Join("1") + ":" + folder.Join("2") + ":" +
                           folder.Join("3") + ":" + folder.Join("4");
  EXPECT_THAT(FindProgram("tool", path), IsOkAndHolds(folder.Join("3/tool")));
  EXPECT_THAT(FindProgram("tool", folder.Join("2")),
              StatusIs(StatusCode::kPermissionDenied,
                       folder.Join("2/tool") +
                           ": not executable: rebuild it, or set its x bit"));
}

TEST(FindProgramTest, ANameNowhereInPathIsNotFound) {
  EXPECT_THAT(FindProgram("no-such-tool", "/usr/bin"),
              StatusIs(StatusCode::kNotFound,
                       "\"no-such-tool\": no such program in PATH: install "
                       "it, or give its path"));
}

TEST(ExecErrorTest, TellsTheReasonsApart) {
  const TemporaryFolder folder;
  ASSERT_OK(folder.files().WriteFile(folder.Join("f"), "x"));
  EXPECT_THAT(ExecError(ENOENT, "none", folder.path()),
              StatusIs(StatusCode::kNotFound,
                       folder.Join("none") +
                           ": no such program: build it first, or give the "
                           "right path"));
  EXPECT_THAT(ExecError(ENOENT, "f", folder.path()),
              StatusIs(StatusCode::kFailedPrecondition,
                       folder.Join("f") +
                           ": the interpreter or loader it names is missing "
                           "(built for another system?): rebuild it here"));
  EXPECT_THAT(ExecError(EACCES, folder.path(), ""),
              StatusIs(StatusCode::kPermissionDenied,
                       folder.path() + ": is a folder, not a program"));
  EXPECT_THAT(ExecError(ENOEXEC, "f", ""),
              StatusIs(StatusCode::kFailedPrecondition,
                       "f: not a program of this machine (wrong architecture "
                       "or format): rebuild it here"));
  EXPECT_THAT(ExecError(E2BIG, "f", ""),
              StatusIs(StatusCode::kInternal,
                       "f: cannot be executed: Argument list too long"));
}

TEST(CommandTextTest, QuotesWhatAShellWouldTouch) {
  EXPECT_EQ(CommandText({"./bench", "--benchmark_filter=^a$", "", "it's"}),
            "./bench '--benchmark_filter=^a$' '' 'it'\\''s'");
}

}  // namespace
}  // namespace autotune
