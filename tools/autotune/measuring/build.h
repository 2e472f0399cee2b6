#ifndef AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BUILD_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BUILD_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/measuring/test_count.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/walls/file_watch.h"
#include "tools/git/repository.h"
#include "tools/ledger/task_settings.h"
#include "tools/system/sandbox.h"

namespace autotune {

// Which side of a decision a build is for. A build is never used for the other
// role: the attempt's own code ran beside what was built for it.
enum class BuildRole { kTip, kNew };

struct BuildRequest {
  BuildRole role = BuildRole::kTip;
  int attempt_number = 0;
  std::string tree;  // SHA of the tree to build, without docs/autotune
  bool run_tests = false;
  bool tests_may_fail = false;  // run for their number only
  // Called with the text of compile_commands.json ("" when there is none) after
  // configuring, before anything of the tree is compiled; an error ends the
  // build.
  std::function<absl::Status(const struct Build&)> after_configure;
  // Called after a fresh build, before its tests, with what the watched files
  // were when they were exported; an error ends the build.
  std::function<absl::Status(const struct Build&, const FileDigests&)>
      after_build;
};

// A tree that was exported, configured and built.
struct Build {
  std::string source_directory;  // holds the tree; commands run here
  std::string build_directory;
  // What everything of it that runs sees; nothing: all that we see.
  std::optional<Sandbox> sandbox;
  std::string why_open;                // empty when shut in
  std::string seen_source;             // the two folders as they are seen then
  std::string seen_build;              // "{build}"
  std::vector<std::string> benchmark;  // argv as seen, "{build}" replaced
  std::string program;                 // absolute path of benchmark[0]
  std::string program_sha256;
  std::string compile_commands;
  FileDigests files;  // the watched files of the tree when all was done
  TestCount tests;    // what ran and passed
};

// Whether a test command is ctest itself, which writes JUnit.
bool IsCtest(const std::vector<std::string>& test);

// Exports `request.tree` into a fresh folder below DecideDirectory and runs the
// settings' configure, build and test commands there, without a shell, shut in
// as the settings want it (see EnclosureOf), and with GIT_* and BENCHMARK_*
// unset. A finished build of the same role, tree, commands and toolchain is
// used again. The paths of both sides are equally long and say nothing of the
// side. Of the tip's builds the four used last are kept. GoogleTest programs
// are asked for XML files and ctest for JUnit, so that `tests` can be counted.
// Watched files (see WatchedPaths) that the tests wrote over are put back as
// the tree has them.
//
// Errors: Aborted when a command fails or runs into its time limit, naming it,
// its last line of output and the file that holds all of it; Cancelled when
// interrupted; FailedPrecondition when a program is missing.
absl::StatusOr<Build> BuildTree(const Session& session,
                                const Repository& repository,
                                const TaskSettings& settings,
                                const std::string& task_directory,
                                const BuildRequest& request);

// Aborted when the program of `build`, or a watched file of its tree, is no
// longer what it was after building: to be asked again whenever an attempt's
// code has run.
absl::Status CheckBuildUnchanged(const Session& session, const Build& build);

// The folder in `task_directory` of what one attempt's decision needs while it
// is open; of the tip's builds for number 0. Its name says nothing to what runs
// there.
std::string DecideDirectory(const std::string& task_directory,
                            int attempt_number);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_MEASURING_BUILD_H_
