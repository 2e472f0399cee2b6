#include "tools/autotune/measuring/build.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/annotate.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/walls/enclosure.h"
#include "tools/build/build_command.h"
#include "tools/git/worktree.h"
#include "tools/program/verb_result.h"

// One tree exported, configured, built and, for the attempt, tested, as people
// would by hand. A build is found again by a key over everything that could
// change it (tree, commands, environment, compiler), in a folder whose path has
// one length for both sides, for a path inside a binary moves its code. The
// manifest is written last: a folder without one is a build that was cut short
// and is made anew. What the finished build consists of is digested, so that
// whatever runs afterwards cannot change it unseen.

namespace autotune {
namespace {

constexpr std::size_t kKeyLength = 32;
constexpr std::size_t kNameLength = 16;
constexpr std::size_t kTipBuildsKept = 4;
constexpr char kManifest[] = "manifest";
constexpr char kTestCount[] = "test-count";
constexpr char kJUnit[] = "junit";  // GoogleTest's files end in .xml

// Environment that changes what a build makes.
constexpr const char* kBuildVariables[] = {"CC",       "CXX",     "CFLAGS",
                                           "CXXFLAGS", "LDFLAGS", "PATH"};

std::string_view RoleText(BuildRole role) {
  return role == BuildRole::kTip ? "the tip" : "the attempt";
}

// The first line of the default compiler's --version; empty without one.
std::string Toolchain(const Session& session) {
  ProcessSpec spec;
  const auto found = session.environment.find("CXX");
  spec.argv = {found == session.environment.end() || found->second.empty()
                   ? "c++"
                   : found->second,
               "--version"};
  spec.timeout = absl::Seconds(10);
  const auto result = session.seams.processes.Run(spec);
  if (!result.ok()) return "";
  return result->standard_output.substr(0, result->standard_output.find('\n'));
}

void AppendCommand(std::string& text, const std::vector<std::string>& argv) {
  for (const std::string& word : argv) {
    absl::StrAppend(&text, word.size(), ":", word, ",");
  }
  text += '\n';
}

std::string BuildKey(const Session& session, const TaskSettings& settings,
                     const BuildRequest& request, bool shut_in) {
  std::string text =
      absl::StrCat(request.tree, "\n", std::string(RoleText(request.role)),
                   shut_in ? "\nshut in\n" : "\n", Toolchain(session), "\n");
  for (const auto* command :
       {&settings.configure, &settings.build, &settings.test,
        &settings.benchmark, &settings.readable}) {
    AppendCommand(text, *command);
  }
  for (const char* name : kBuildVariables) {
    const auto found = session.environment.find(name);
    if (found != session.environment.end()) {
      absl::StrAppend(&text, name, "=", found->second, "\n");
    }
  }
  return Sha256Hex(text).substr(0, kKeyLength);
}

struct BuildPlan {
  const Session& session;
  const Repository& repository;
  const TaskSettings& settings;
  const BuildRequest& request;
  Enclosure enclosure;
  std::string directory;
  std::vector<std::string> watched;
};

FileDigests WatchedFiles(const BuildPlan& plan, const Build& build) {
  return DigestFiles(plan.session.seams.files, build.source_directory,
                     plan.watched);
}

BuildSeams SeamsOf(const Session& session) {
  return {session.seams.processes, session.seams.files, session.interrupted};
}

// `argv` as a command of the build; `step` names it.
BuildCommand StepCommand(const BuildPlan& plan, const Build& build,
                         std::string_view step,
                         const std::vector<std::string>& argv, double seconds) {
  BuildCommand command;
  command.label = absl::StrCat(std::string(step), " of ",
                               std::string(RoleText(plan.request.role)));
  command.argv = WithBuildFolder(argv, build.seen_build);
  command.working_directory = build.seen_source;
  command.sandbox = build.sandbox;
  command.timeout = absl::Seconds(seconds);
  command.log_path = JoinPath(plan.directory, "output.log");
  return command;
}

absl::Status RunStep(const BuildPlan& plan, const Build& build,
                     std::string_view step,
                     const std::vector<std::string>& argv, double seconds) {
  if (argv.empty()) return absl::OkStatus();
  return RunBuildCommand(SeamsOf(plan.session),
                         StepCommand(plan, build, step, argv, seconds))
      .status();
}

std::string Seen(const std::optional<Sandbox>& sandbox,
                 const std::string& path) {
  return sandbox.has_value() ? InsidePath(*sandbox, path) : path;
}

Build EmptyBuild(const BuildPlan& plan) {
  Build build;
  build.source_directory = JoinPath(plan.directory, "tree");
  build.build_directory = JoinPath(plan.directory, "build");
  build.sandbox = plan.enclosure.sandbox;
  build.why_open = plan.enclosure.why_open;
  if (build.sandbox.has_value()) {
    build.sandbox->mounts.push_back(
        {build.source_directory, kSeenSource, true});
    build.sandbox->mounts.push_back({build.build_directory, kSeenBuild, true});
  }
  build.seen_source = Seen(build.sandbox, build.source_directory);
  build.seen_build = Seen(build.sandbox, build.build_directory);
  build.benchmark = WithBuildFolder(plan.settings.benchmark, build.seen_build);
  if (!build.benchmark.empty()) {
    const std::string seen =
        JoinPath(build.seen_source, build.benchmark.front());
    build.program =
        build.sandbox.has_value() ? OutsidePath(*build.sandbox, seen) : seen;
  }
  return build;
}

absl::Status ReadCompileCommands(const BuildPlan& plan, Build& build) {
  const auto text = plan.session.seams.files.ReadFile(
      JoinPath(build.build_directory, "compile_commands.json"));
  if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
  build.compile_commands = text.ok() ? *text : "";
  return absl::OkStatus();
}

absl::Status ReadProgram(const BuildPlan& plan, Build& build) {
  const auto bytes = plan.session.seams.files.ReadFile(build.program);
  if (!bytes.ok()) {
    return WithHint(
        absl::AbortedError(absl::StrCat(
            "build of ", std::string(RoleText(plan.request.role)),
            ": the benchmark program is missing: ", bytes.status().message())),
        "[commands] benchmark in task.toml names it");
  }
  build.program_sha256 = Sha256Hex(*bytes);
  return absl::OkStatus();
}

std::string ManifestText(const Build& build, bool tested) {
  std::string files;
  for (const auto& [path, digest] : build.files) {
    absl::StrAppend(&files, path.size(), ":", path, " ", digest, "\n");
  }
  return absl::StrCat("program ", build.program_sha256, "\nfiles ",
                      Sha256Hex(files), "\n", tested ? "tested\n" : "");
}

// A finished build found in the folder; nothing when it is not whole, was not
// tested as asked, or its program or files are no longer what was built.
std::optional<Build> FinishedBuild(const BuildPlan& plan) {
  const auto manifest =
      plan.session.seams.files.ReadFile(JoinPath(plan.directory, kManifest));
  if (!manifest.ok()) return std::nullopt;
  Build build = EmptyBuild(plan);
  if (!ReadCompileCommands(plan, build).ok() ||
      !ReadProgram(plan, build).ok()) {
    return std::nullopt;
  }
  build.files = WatchedFiles(plan, build);
  if (*manifest == ManifestText(build, true)) {
    build.tests = ParseTestCount(
        plan.session.seams.files.ReadFile(JoinPath(plan.directory, kTestCount))
            .value_or(""));
    return build;
  }
  if (!plan.request.run_tests && *manifest == ManifestText(build, false)) {
    return build;
  }
  return std::nullopt;
}

absl::Status MakeFolders(const BuildPlan& plan, const Build& build) {
  FileSystem& files = plan.session.seams.files;
  RETURN_IF_ERROR(files.RemoveAll(plan.directory));
  RETURN_IF_ERROR(files.MakeDirectories(plan.directory));
  RETURN_IF_ERROR(
      ExportTree(plan.repository, plan.request.tree, build.source_directory));
  return files.MakeDirectories(build.build_directory);
}

// What the exported files lack, said once for every build of a tip.
absl::Status SayWhatIsMissing(const BuildPlan& plan, const Build& build) {
  if (plan.request.role != BuildRole::kTip) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<std::string> warnings,
                   ExportWarnings(plan.repository, plan.request.tree,
                                  build.source_directory));
  for (const std::string& warning : warnings) {
    Say(plan.session, absl::StrCat("warning: ", warning));
  }
  return absl::OkStatus();
}

// The tests ran the attempt's code: what they wrote over is put back, but for
// files that building makes anew.
absl::Status PutBackAfterTests(const BuildPlan& plan,
                               const FileDigests& exported, Build& build) {
  std::vector<std::string> changed =
      ChangedPaths(build.files, WatchedFiles(plan, build));
  std::erase_if(changed, [&](const std::string& path) {
    return build.files.at(path) != exported.at(path);
  });
  if (!changed.empty()) {
    FileSystem& files = plan.session.seams.files;
    const std::string again = JoinPath(plan.directory, "again");
    RETURN_IF_ERROR(ExportTree(plan.repository, plan.request.tree, again));
    for (const std::string& path : changed) {
      Say(plan.session, absl::StrCat("warning: the tests changed ", path,
                                     "; it is put back"));
      RETURN_IF_ERROR(PutBack(files, again, build.source_directory, path));
    }
    RETURN_IF_ERROR(files.RemoveAll(again));
  }
  build.files = WatchedFiles(plan, build);
  return absl::OkStatus();
}

// Where the test programs write what they ran.
std::string TestResults(const BuildPlan& plan) {
  return JoinPath(plan.directory, "tests");
}

TestCount CountTests(const BuildPlan& plan, const std::string& output) {
  FileSystem& files = plan.session.seams.files;
  TestCount count;
  for (const std::string& name : files.ListDirectory(TestResults(plan))
                                     .value_or(std::vector<std::string>())) {
    const std::int64_t passed = PassedInXml(
        files.ReadFile(JoinPath(TestResults(plan), name)).value_or(""));
    auto& sum = name == kJUnit ? count.runner : count.google;
    sum = sum.value_or(0) + passed;
  }
  if (!count.runner.has_value()) count.runner = PassedInWords(output);
  return count;
}

absl::Status RunTestCommand(const BuildPlan& plan, Build& build) {
  const TaskSettings& settings = plan.settings;
  FileSystem& files = plan.session.seams.files;
  if (settings.test.empty()) return absl::OkStatus();
  BuildCommand command = StepCommand(plan, build, "test", settings.test,
                                     settings.test_timeout_seconds);
  RETURN_IF_ERROR(files.RemoveAll(TestResults(plan)));
  RETURN_IF_ERROR(files.MakeDirectories(TestResults(plan)));
  if (command.sandbox.has_value()) {
    command.sandbox->mounts.push_back({TestResults(plan), kSeenTests, true});
  }
  const std::string seen = Seen(command.sandbox, TestResults(plan));
  command.environment = {{"GTEST_OUTPUT", absl::StrCat("xml:", seen, "/")}};
  if (IsCtest(command.argv)) {
    command.argv.insert(command.argv.end(),
                        {"--output-junit", JoinPath(seen, kJUnit)});
  }
  const auto output = RunBuildCommand(SeamsOf(plan.session), command);
  const bool failed = absl::IsAborted(output.status());
  if (!output.ok() && !(failed && plan.request.tests_may_fail)) {
    return output.status();
  }
  build.tests = CountTests(plan, output.value_or(""));
  return files.WriteFile(JoinPath(plan.directory, kTestCount),
                         TestCountText(build.tests));
}

absl::Status RunTests(const BuildPlan& plan, const FileDigests& exported,
                      Build& build) {
  if (!plan.request.run_tests) return absl::OkStatus();
  RETURN_IF_ERROR(RunTestCommand(plan, build));
  return PutBackAfterTests(plan, exported, build);
}

absl::Status ConfigureAndBuild(const BuildPlan& plan, Build& build) {
  const TaskSettings& settings = plan.settings;
  RETURN_IF_ERROR(RunStep(plan, build, "configure", settings.configure,
                          settings.build_timeout_seconds));
  RETURN_IF_ERROR(ReadCompileCommands(plan, build));
  if (plan.request.after_configure) {
    RETURN_IF_ERROR(plan.request.after_configure(build));
  }
  return RunStep(plan, build, "build", settings.build,
                 settings.build_timeout_seconds);
}

// Notes that the tip's build `folder` is in use and removes all but the four
// used last; more than one, because another attempt may be using an older one.
absl::Status RememberTipBuild(const Session& session, const std::string& parent,
                              const std::string& folder) {
  FileSystem& files = session.seams.files;
  const std::string list = JoinPath(parent, "recent");
  const auto text = files.ReadFile(list);
  std::vector<std::string> recent = {folder};
  if (text.ok()) {
    for (absl::string_view name :
         absl::StrSplit(*text, '\n', absl::SkipWhitespace())) {
      if (name != folder) recent.emplace_back(name);
    }
  }
  while (recent.size() > kTipBuildsKept) {
    RETURN_IF_ERROR(files.RemoveAll(JoinPath(parent, recent.back())));
    recent.pop_back();
  }
  return files.WriteFile(list, absl::StrJoin(recent, "\n") + "\n");
}

}  // namespace

absl::Status CheckBuildUnchanged(const Session& session, const Build& build) {
  FileSystem& files = session.seams.files;
  const auto bytes = files.ReadFile(build.program);
  if (!bytes.ok() || Sha256Hex(*bytes) != build.program_sha256) {
    return WithHint(
        absl::AbortedError(absl::StrCat(
            build.program, ": this program changed after it was built")),
        "the attempt's build, tests or benchmark write where they should not");
  }
  std::vector<std::string> watched;
  for (const auto& file : build.files) watched.push_back(file.first);
  const std::vector<std::string> changed = ChangedPaths(
      build.files, DigestFiles(files, build.source_directory, watched));
  if (changed.empty()) return absl::OkStatus();
  return WithHint(
      absl::AbortedError(
          absl::StrCat(JoinPath(build.source_directory, changed.front()),
                       ": this file of the tree changed after the build")),
      "the attempt's tests or benchmark write over files of the repository; "
      "they may write below {build}");
}

std::string DecideDirectory(const std::string& task_directory,
                            int attempt_number) {
  return JoinPath(task_directory,
                  Sha256Hex(absl::StrCat(task_directory, " ", attempt_number))
                      .substr(0, kNameLength));
}

bool IsCtest(const std::vector<std::string>& test) {
  return !test.empty() &&
         (test.front() == "ctest" || absl::EndsWith(test.front(), "/ctest")) &&
         std::find(test.begin(), test.end(), "--output-junit") == test.end();
}

absl::StatusOr<Build> BuildTree(const Session& session,
                                const Repository& repository,
                                const TaskSettings& settings,
                                const std::string& task_directory,
                                const BuildRequest& request) {
  const std::string parent =
      DecideDirectory(task_directory, request.attempt_number);
  ASSIGN_OR_RETURN(Enclosure enclosure,
                   EnclosureOf(session, repository, settings));
  const std::string folder =
      BuildKey(session, settings, request, enclosure.sandbox.has_value());
  ASSIGN_OR_RETURN(std::vector<std::string> watched,
                   WatchedPaths(repository, settings, request.tree));
  const BuildPlan plan{
      session,           repository,           settings,
      request,           std::move(enclosure), JoinPath(parent, folder),
      std::move(watched)};
  RETURN_IF_ERROR(session.seams.files.MakeDirectories(parent));
  if (request.role == BuildRole::kTip) {
    RETURN_IF_ERROR(RememberTipBuild(session, parent, folder));
  }
  if (auto finished = FinishedBuild(plan)) {
    if (request.after_configure) {
      RETURN_IF_ERROR(request.after_configure(*finished));
    }
    return *std::move(finished);
  }
  Build build = EmptyBuild(plan);
  RETURN_IF_ERROR(MakeFolders(plan, build));
  RETURN_IF_ERROR(SayWhatIsMissing(plan, build));
  const FileDigests exported = WatchedFiles(plan, build);
  RETURN_IF_ERROR(ConfigureAndBuild(plan, build));
  RETURN_IF_ERROR(ReadProgram(plan, build));
  build.files = WatchedFiles(plan, build);
  if (request.after_build) {
    RETURN_IF_ERROR(request.after_build(build, exported));
  }
  RETURN_IF_ERROR(RunTests(plan, exported, build));
  RETURN_IF_ERROR(
      session.seams.files.WriteFile(JoinPath(plan.directory, kManifest),
                                    ManifestText(build, request.run_tests)));
  return build;
}

}  // namespace autotune
