#include "tools/autotune/task/task_setup.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/annotate.h"
#include "base/command_words.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "comparator/policy/policy_fields.h"

namespace autotune {
namespace {

// Patterns that name every benchmark are no target.
constexpr std::array<std::string_view, 6> kNoTargets = {"",    ".",    ".*",
                                                        "all", "^.*$", "^"};

absl::Status Usage(std::string_view option, std::string_view what) {
  return absl::OutOfRangeError(
      absl::StrCat("init: ", std::string(option), ": ", std::string(what)));
}

absl::Status CheckOption(const FieldSpec& spec, const FieldValue& value) {
  const absl::Status fits = CheckField(spec, value);
  return fits.ok() ? fits : Usage(spec.flag, std::string(fits.message()));
}

bool HasPath(const TaskStart& start, std::string_view path) {
  return std::binary_search(start.paths.begin(), start.paths.end(), path);
}

bool HasFolder(const TaskStart& start, std::string_view folder) {
  const auto at =
      std::lower_bound(start.paths.begin(), start.paths.end(), folder);
  return at != start.paths.end() && absl::StartsWith(*at, std::string(folder));
}

// Commands of a CMake project, for what nobody said.
void AddCMakeDefaults(const TaskStart& start, TaskSettings& settings) {
  if (!HasPath(start, "CMakeLists.txt") || !settings.build.empty()) return;
  if (settings.configure.empty()) {
    settings.configure = {"cmake", "-S",      ".",
                          "-B",    "{build}", "-DCMAKE_BUILD_TYPE=Release"};
  }
  settings.build = {"cmake", "--build", "{build}"};
  if (settings.test.empty() && settings.no_tests.empty()) {
    settings.test = {"ctest", "--test-dir", "{build}", "--output-on-failure"};
  }
}

absl::Status SetCommand(std::string_view option,
                        const std::optional<std::string>& text,
                        std::vector<std::string>& command) {
  if (!text.has_value()) return absl::OkStatus();
  command.clear();
  if (text->empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<std::string>> words = CommandWords(*text);
  if (!words.ok()) return Usage(option, std::string(words.status().message()));
  command = *std::move(words);
  return absl::OkStatus();
}

// "bench" means the program of that name in the build folder.
void CompleteBenchmark(std::vector<std::string>& command) {
  if (command.empty()) return;
  std::string& program = command.front();
  const bool placed = absl::StrContains(program, "{build}") ||
                      absl::StartsWith(program, "/") ||
                      absl::StartsWith(program, "./");
  if (!placed) program = "{build}/" + program;
  const bool filtered =
      std::any_of(command.begin(), command.end(), [](const std::string& word) {
        return absl::StrContains(word, "{filter}");
      });
  if (!filtered) command.push_back("--benchmark_filter={filter}");
}

// A test, or the reason why there is none: what an option says goes before what
// a file says.
absl::Status SetTest(const InitOptions& options, TaskSettings& settings) {
  RETURN_IF_ERROR(SetCommand("--test", options.test, settings.test));
  const bool tested = options.test.has_value() && !options.test->empty();
  if (tested) settings.no_tests.clear();
  if (!options.no_tests.has_value()) return absl::OkStatus();
  if (tested) return Usage("--no-tests", "expected no --test beside it");
  const FieldSpec& spec = *FindSetting("commands", "no_tests");
  RETURN_IF_ERROR(CheckOption(spec, *options.no_tests));
  if (options.no_tests->empty()) {
    return Usage("--no-tests",
                 absl::StrCat("expected ", std::string(spec.expected)));
  }
  settings.no_tests = *options.no_tests;
  settings.test.clear();
  return absl::OkStatus();
}

absl::Status SetCommands(const InitOptions& options, const TaskStart& start,
                         TaskSettings& settings) {
  RETURN_IF_ERROR(
      SetCommand("--configure", options.configure, settings.configure));
  RETURN_IF_ERROR(SetCommand("--build", options.build, settings.build));
  RETURN_IF_ERROR(
      SetCommand("--benchmark", options.benchmark, settings.benchmark));
  AddCMakeDefaults(start, settings);
  RETURN_IF_ERROR(SetTest(options, settings));
  CompleteBenchmark(settings.benchmark);
  if (settings.build.empty()) {
    return Usage("--build", "required: there is no CMakeLists.txt to go by");
  }
  if (settings.benchmark.empty()) {
    return Usage("--benchmark",
                 "required: the Google Benchmark program, such as "
                 "{build}/bench");
  }
  return absl::OkStatus();
}

absl::Status SetSandbox(const InitOptions& options, TaskSettings& settings) {
  if (options.sandbox.has_value()) {
    const FieldSpec& spec = *FindSetting("commands", "sandbox");
    const auto word = ParseField(spec, *options.sandbox);
    if (!word.ok())
      return Usage(spec.flag, std::string(word.status().message()));
    settings.sandbox = *ValueNamed<SandboxUse>(*options.sandbox);
  }
  settings.readable.insert(settings.readable.end(), options.readable.begin(),
                           options.readable.end());
  if (settings.readable.empty()) return absl::OkStatus();
  return CheckOption(*FindSetting("commands", "readable"), settings.readable);
}

absl::Status SetPolicy(const InitOptions& options, Policy& policy) {
  absl::Status set = SetPolicyFlags(options.policy, policy);
  if (set.ok()) set = CheckFlagUses(options.policy, PolicyVerb::kTask, policy);
  if (!set.ok()) {
    return absl::OutOfRangeError(absl::StrCat("init: ", set.message()));
  }
  return Annotate(CheckPolicy(policy), "init");
}

absl::Status SetTarget(const InitOptions& options, TaskSettings& settings) {
  if (options.target.has_value()) settings.target = *options.target;
  const bool none = std::find(kNoTargets.begin(), kNoTargets.end(),
                              settings.target) != kNoTargets.end();
  if (none) {
    return Usage("--target",
                 "expected a pattern that names the benchmarks to make "
                 "faster, such as \"^BM_Parse/\"; everything at once is no "
                 "target");
  }
  if (options.end_to_end.has_value()) settings.end_to_end = options.end_to_end;
  settings.holdouts.insert(settings.holdouts.end(), options.holdout.begin(),
                           options.holdout.end());
  return absl::OkStatus();
}

absl::Status SetScope(const InitOptions& options, const TaskStart& start,
                      TaskSettings& settings) {
  if (!options.edit.empty()) settings.scope_edit = options.edit;
  if (settings.scope_edit.empty()) {
    for (const char* folder : {"src/", "include/", "lib/"}) {
      if (HasFolder(start, folder)) {
        settings.scope_edit.push_back(absl::StrCat(folder, "**"));
      }
    }
  }
  if (settings.scope_edit.empty()) {
    return Usage("--edit",
                 "required: which files an attempt may change, such as "
                 "\"src/**\"");
  }
  if (settings.scope_sealed.empty()) {
    settings.scope_sealed = DefaultSealedPatterns();
  }
  settings.scope_sealed.insert(settings.scope_sealed.end(),
                               options.seal.begin(), options.seal.end());
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> DefaultSealedPatterns() {
  return {"bench/**",          "benchmark/**",
          "benchmarks/**",     "test/**",
          "tests/**",          "cmake/**",
          ".github/**",        ".ci/**",
          "**/CMakeLists.txt", "**/CMakePresets.json",
          "**/*.cmake",        "**/Makefile",
          "**/BUILD",          "**/BUILD.bazel",
          "**/meson.build",    "**/.gitattributes",
          "**/.gitmodules",    "docs/autotune/**"};
}

// The settings file is a task.toml without its [task] table: that is appended,
// so that the file's own line numbers stay right in messages.
absl::StatusOr<TaskSettings> SettingsOfFile(const InitOptions& options,
                                            const TaskSettings& task,
                                            const std::string& settings_text) {
  return ParseTaskSettings(
      absl::StrCat(settings_text, "\n[task]\nname = \"", task.name,
                   "\"\nbase = \"", task.base, "\"\nstart_branch = \"\"\n"),
      options.settings_file);
}

absl::StatusOr<TaskSettings> WithOptions(const InitOptions& options,
                                         const TaskStart& start,
                                         TaskSettings settings) {
  RETURN_IF_ERROR(SetTarget(options, settings));
  RETURN_IF_ERROR(SetCommands(options, start, settings));
  RETURN_IF_ERROR(SetSandbox(options, settings));
  RETURN_IF_ERROR(SetScope(options, start, settings));
  RETURN_IF_ERROR(SetPolicy(options, settings.policy));
  return settings;
}

absl::StatusOr<TaskSettings> SettingsFor(const InitOptions& options,
                                         const TaskStart& start,
                                         const std::string& settings_text) {
  TaskSettings settings;
  settings.name = start.name;
  settings.base = start.base;
  if (!options.settings_file.empty()) {
    ASSIGN_OR_RETURN(settings,
                     SettingsOfFile(options, settings, settings_text));
  }
  settings.start_branch = start.branch;
  return WithOptions(options, start, std::move(settings));
}

}  // namespace autotune
