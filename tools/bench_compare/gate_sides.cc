#include "tools/bench_compare/gate_sides.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/build/build_command.h"
#include "tools/git/repository.h"
#include "tools/git/worktree.h"
#include "tools/measure/identity.h"
#include "tools/report/error_report.h"
#include "tools/system/file_system.h"
#include "tools/system/program_path.h"

namespace autotune {
namespace {

bool IsSet(const std::map<std::string, std::string>& environment,
           const char* name) {
  const auto found = environment.find(name);
  return found != environment.end() && !found->second.empty();
}

// The caller's own choice of a launcher stands.
bool ShouldUseCcache(const std::map<std::string, std::string>& environment) {
  return !IsSet(environment, "CMAKE_CXX_COMPILER_LAUNCHER") &&
         !IsSet(environment, "CMAKE_C_COMPILER_LAUNCHER") &&
         FindProgram("ccache").ok();
}

// Both sides, and every run, lie in folders of their own: paths below them are
// taken as relative, else nothing would ever be found again.
std::map<std::string, std::string> CcacheEnvironment(
    const std::string& folder) {
  return {{"CMAKE_C_COMPILER_LAUNCHER", "ccache"},
          {"CMAKE_CXX_COMPILER_LAUNCHER", "ccache"},
          {"CCACHE_BASEDIR", folder},
          {"CCACHE_NOHASHDIR", "true"}};
}

struct Commands {
  std::vector<std::string> configure;
  std::vector<std::string> build;
};

absl::StatusOr<Commands> CommandsFor(const GateSettings& settings,
                                     const BuiltCommit& built,
                                     FileSystem& files) {
  if (!settings.configure.empty() || !settings.build.empty()) {
    return Commands{settings.configure, settings.build};
  }
  if (files.Exists(JoinPath(built.source_directory, "CMakeLists.txt"))) {
    return Commands{
        {"cmake", "-S", ".", "-B", "{build}", "-DCMAKE_BUILD_TYPE=Release"},
        {"cmake", "--build", "{build}", "--parallel"}};
  }
  return WithHint(
      absl::AbortedError("there is no CMakeLists.txt and no command to build"),
      "name the commands in [gate] configure and build of .bench_compare.toml");
}

// Whether a program that holds these bytes may open `path`: the file's name, or
// one of a folder above it, stands in them.
bool MayRead(std::string_view bytes, const std::string& path) {
  for (absl::string_view part : absl::StrSplit(path, '/')) {
    const std::string_view name(part.data(), part.size());
    if (bytes.find(name) != std::string_view::npos) return true;
  }
  return false;
}

// What may say which files are read.
absl::StatusOr<std::string> TextsOf(const ProgramFile& program,
                                    const std::vector<std::string>& arguments,
                                    FileSystem& files) {
  ASSIGN_OR_RETURN(std::string bytes, files.ReadFile(program.path));
  for (const std::string& path : program.library_paths) {
    ASSIGN_OR_RETURN(const std::string more, files.ReadFile(path));
    bytes += more;
  }
  for (const std::string& argument : arguments) bytes += argument;
  return bytes;
}

}  // namespace

CommitBuilder::CommitBuilder(
    const Repository& repository, const GateSettings& settings,
    BuildSeams seams, const std::map<std::string, std::string>& environment)
    : repository_(repository),
      settings_(settings),
      seams_(std::move(seams)),
      use_ccache_(ShouldUseCcache(environment)) {}

absl::Status CommitBuilder::RunStep(
    const BuiltCommit& built, const std::string& folder,
    const std::string& label, const std::vector<std::string>& argv) const {
  if (argv.empty()) return absl::OkStatus();
  BuildCommand command;
  command.label = label;
  command.argv = WithBuildFolder(argv, built.build_directory);
  command.working_directory = built.source_directory;
  command.timeout = absl::Seconds(settings_.build_timeout_seconds);
  command.log_path = JoinPath(folder, "output.log");
  if (use_ccache_) command.environment = CcacheEnvironment(folder);
  return RunBuildCommand(seams_, command).status();
}

absl::StatusOr<BuiltCommit> CommitBuilder::Build(
    const std::string& commit, const std::string& folder,
    const std::string& name) const {
  BuiltCommit built;
  built.commit = commit;
  ASSIGN_OR_RETURN(built.tree, repository_.TreeOf(commit));
  built.source_directory = JoinPath(folder, "tree");
  built.build_directory = JoinPath(folder, "build");
  RETURN_IF_ERROR(seams_.files.MakeDirectories(folder));
  RETURN_IF_ERROR(ExportTree(repository_, built.tree, built.source_directory));
  RETURN_IF_ERROR(seams_.files.MakeDirectories(built.build_directory));
  ASSIGN_OR_RETURN(const Commands commands,
                   CommandsFor(settings_, built, seams_.files));
  RETURN_IF_ERROR(RunStep(built, folder, absl::StrCat("configure of ", name),
                          commands.configure));
  RETURN_IF_ERROR(
      RunStep(built, folder, absl::StrCat("build of ", name), commands.build));
  return built;
}

SideCommand CommandOf(const BuiltCommit& built, const GateProgram& program) {
  const std::vector<std::string> argv =
      WithBuildFolder(program.command, built.build_directory);
  SideCommand command;
  command.program = JoinPath(built.source_directory, argv.front());
  command.arguments.assign(argv.begin() + 1, argv.end());
  command.working_directory = built.source_directory;
  command.commit = built.commit;
  command.tree = built.tree;
  return command;
}

absl::StatusOr<bool> IsUnchanged(const Repository& repository,
                                 const BuiltCommit& base,
                                 const BuiltCommit& head,
                                 const GateProgram& program) {
  FileSystem& files = repository.files();
  // Where they run is left out: what changed there is looked at below.
  SideCommand left = CommandOf(base, program);
  SideCommand right = CommandOf(head, program);
  left.working_directory.clear();
  right.working_directory.clear();
  ASSIGN_OR_RETURN(const Identity identity,
                   CompareIdentity(left, right, files));
  if (!identity.identical) return false;
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(base.tree, head.tree));
  ASSIGN_OR_RETURN(const std::string texts,
                   TextsOf(identity.contender, right.arguments, files));
  for (const TreeChange& change : changes) {
    if (!OnlyCompilersRead(change.path) && MayRead(texts, change.path)) {
      return false;
    }
  }
  return true;
}

}  // namespace autotune
