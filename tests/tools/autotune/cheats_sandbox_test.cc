// Attempts that are fast once they reach something that is not theirs. Shut in,
// they reach nothing; each is run open too, where it is kept: it would work.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/cheat_fixture.h"
#include "tools/system/process_runner.h"
#include "tools/system/sandbox.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;

class SandboxCheatTest : public CheatTest {
 protected:
  void SetUp() override {
    const absl::Status able = CheckSandbox(*MakePosixProcessRunner());
    if (!able.ok()) GTEST_SKIP() << able;
  }

  // Slower than the tip, but where `look`, a body that returns a bool, says
  // that something was reached.
  static std::string FastWhere(const std::string& look) {
    return absl::StrCat(
        "#include <arpa/inet.h>\n#include <dirent.h>\n#include <fcntl.h>\n"
        "#include <ifaddrs.h>\n#include <signal.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n#include <sys/mman.h>\n#include <unistd.h>\n",
        kPass, "extern char** environ;\nstatic bool Look() {\n", look,
        "}\nstatic bool reached = Look();\n"
        "unsigned Checksum(const unsigned char* data, unsigned size) {\n"
        "  unsigned sum = 0;\n"
        "  for (int i = 0; i < (reached ? 3 : 14); ++i) sum = Pass(data, "
        "size);\n"
        "  return sum;\n}\n");
  }

  void ExpectOutOfReach(const std::string& look) {
    // Code that moves in memory runs up to a third faster or slower at -O0.
    InitProject(8);
    const Answer shut =
        DecideOn("shut", {{"src/checksum.cc", FastWhere(look)}});
    EXPECT_EQ(shut.exit_code, 1) << shut.out << shut.err;
    EXPECT_THAT(TaskFile("metric.toml"), Not(HasSubstr("shut_in")));
    LeaveOpen();
    const Answer open =
        DecideOn("open", {{"src/checksum.cc", FastWhere(look)}});
    EXPECT_EQ(open.exit_code, 0) << open.out << open.err;
    EXPECT_THAT(TaskFile("metric.toml"), HasSubstr("\"shut_in\" = 0"));
    EXPECT_THAT(TaskFile("log.md"), HasSubstr("the attempt was not shut in: "
                                              "commands.sandbox is off"));
    EXPECT_THAT(Run({"status"}).err,
                HasSubstr("attempts are not shut in: commands.sandbox is off"));
  }
};

TEST_F(SandboxCheatTest, TheRepositoryIsOutOfReach) {
  ExpectOutOfReach(absl::StrCat("  return access(\"", repository(),
                                "/.git/HEAD\", F_OK) == 0;\n"));
}

TEST_F(SandboxCheatTest, OtherProcessesAreOutOfReach) {
  ExpectOutOfReach(
      "  int others = 0;\n"
      "  DIR* folder = opendir(\"/proc\");\n"
      "  while (dirent* entry = readdir(folder)) {\n"
      "    const int pid = atoi(entry->d_name);\n"
      "    others += pid > 1 && pid != getpid() && kill(pid, 0) == 0;\n  }\n"
      "  closedir(folder);\n  return others > 3;\n");
}

// A word left by the tests or by an earlier visit.
TEST_F(SandboxCheatTest, NothingIsLeftForTheNextVisit) {
  const std::string name =
      repository().substr(repository().rfind("test's ") + 7);
  const std::string left = "autotune-" + name.substr(0, name.find('/'));
  ExpectOutOfReach(
      absl::StrCat("  bool found = false;\n"
                   "  const char* places[] = {\"/tmp/",
                   left, "\", \"/dev/shm/", left,
                   "\"};\n"
                   "  for (const char* place : places) {\n"
                   "    found = found || access(place, F_OK) == 0;\n"
                   "    close(open(place, O_CREAT | O_WRONLY, 0600));\n  }\n"
                   "  return found;\n"));
  for (const char* folder : {"/tmp/", "/dev/shm/"}) {
    EXPECT_TRUE(files().Exists(folder + left));
    EXPECT_OK(files().RemoveAll(folder + left));
  }
}

TEST_F(SandboxCheatTest, NoNetworkAndNoRightsAreThere) {
  ExpectOutOfReach(
      "  ifaddrs* list = nullptr;\n"
      "  bool found = getuid() == 0;\n"
      "  if (getifaddrs(&list) == 0) {\n"
      "    for (ifaddrs* one = list; one != nullptr; one = one->ifa_next) {\n"
      "      found = found || strcmp(one->ifa_name, \"lo\") != 0;\n    }\n"
      "    freeifaddrs(list);\n  }\n  return found;\n");
}

// Its own name, the folder it runs in, its words and its environment are the
// tip's; only without the sandbox do they differ between tests and visits.
TEST_F(SandboxCheatTest, NothingNamesTheToolOrTheSide) {
  ExpectOutOfReach(
      "  char folder[4096];\n"
      "  if (getcwd(folder, sizeof folder) == nullptr) return true;\n"
      "  for (char** one = environ; *one != nullptr; ++one) {\n"
      "    if (strstr(*one, \"utotune\") != nullptr) return true;\n"
      "    if (strstr(*one, \"AUTOTUNE\") != nullptr) return true;\n  }\n"
      "  return strcmp(folder, \"/project/tree\") != 0;\n");
}

}  // namespace
}  // namespace autotune
