#ifndef AUTOTUNE_TOOLS_BUILD_BUILD_COMMAND_H_
#define AUTOTUNE_TOOLS_BUILD_BUILD_COMMAND_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/system/file_system.h"
#include "tools/system/process_runner.h"
#include "tools/system/sandbox.h"

namespace autotune {

// What building a tree needs of the world.
struct BuildSeams {
  ProcessRunner& processes;
  FileSystem& files;
  std::function<bool()> interrupted;  // asked while a command runs
};

// One command that configures, builds or tests an exported tree: what a message
// calls it, argv, where it runs.
struct BuildCommand {
  std::string label;  // "build of the attempt"
  std::vector<std::string> argv;
  std::string working_directory;
  absl::Duration timeout;
  std::string log_path;  // all output is appended there
  std::map<std::string, std::string> environment;
  std::optional<Sandbox> sandbox;  // nothing: it sees all that we see
};

// Runs one command, without a shell and with GIT_*, BENCHMARK_*, GTEST_*
// and AUTOTUNE_* unset, and returns both its output streams. Errors: Aborted
// when it does not end with 0, naming it, its last line of output and the file
// that holds all of it; Cancelled when interrupted; those of starting a
// program.
absl::StatusOr<std::string> RunBuildCommand(const BuildSeams& seams,
                                            const BuildCommand& command);

// `argv` with "{build}" in its words replaced by the build folder.
std::vector<std::string> WithBuildFolder(const std::vector<std::string>& argv,
                                         const std::string& build_directory);

// Whether only a compiler reads the file (".cc", ".h", ...): once a program is
// built, changing it changes nothing.
bool OnlyCompilersRead(const std::string& path);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_BUILD_BUILD_COMMAND_H_
