#include "tools/autotune/verbs/init.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/annotate.h"
#include "base/display_text.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/policy_fields.h"
#include "tools/autotune/measuring/benchmark_list.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/measuring/calibration.h"
#include "tools/autotune/measuring/test_count.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/task/task_agreement.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/task/task_setup.h"
#include "tools/git/integration.h"
#include "tools/git/names.h"
#include "tools/ledger/log_file.h"
#include "tools/ledger/slug.h"
#include "tools/report/error_report.h"

namespace autotune {
namespace {

constexpr std::size_t kBenchmarksShown = 6;
// Clones without the driver (`doctor --install`) merge line by line as before.
constexpr char kAttributes[] = "metric.toml merge=autotune-metric\n";

absl::StatusOr<TaskStart> FindStart(const Repository& repository,
                                    const Task& task) {
  ASSIGN_OR_RETURN(const auto head, repository.ResolveCommit("HEAD"));
  if (!head.has_value()) {
    return WithHint(
        absl::FailedPreconditionError(
            "the current branch has no commit yet: nothing to start from"),
        "commit the code first");
  }
  TaskStart start;
  start.base = *head;
  start.name = task.id.substr(task.id.find('-', 8) + 1);
  ASSIGN_OR_RETURN(const auto branch, repository.CurrentBranch());
  start.branch = branch.value_or("");
  ASSIGN_OR_RETURN(start.paths, repository.ListPaths(*head, ""));
  return start;
}

// The settings file's text; "" when none was named.
absl::StatusOr<std::string> SettingsText(const Session& session,
                                         const InitOptions& options) {
  if (options.settings_file.empty()) return std::string();
  return session.seams.files.ReadFile(
      JoinPath(session.directory, options.settings_file));
}

// What `init` found out by running things.
struct Findings {
  std::vector<std::string> benchmarks;
  std::optional<Calibration> calibration;
};

// What an attempt could get wrong unseen.
void WarnOfUnchecked(const Session& session, const Build& build,
                     const TaskSettings& settings) {
  const std::string untested = WhyUntested(settings, build.tests);
  if (!untested.empty() && settings.no_tests.empty()) {
    Say(session, absl::StrCat("warning: ", untested,
                              ": nothing is decided before there is one, or a "
                              "reason: --test COMMAND, --no-tests REASON"));
  }
  const auto answers = PublishesAnswers(session, build, settings.target);
  if (answers.ok() && *answers) return;
  Say(session,
      "warning: no target publishes an answer: what the tests do not see may "
      "be wrong in a keep; call autotune::Answer(state, value) after its loop "
      "(benchmark_ext/answer.h)");
}

// One pattern of the settings; `key` is its flag without dashes.
struct NamedPattern {
  std::string_view key;
  std::string pattern;
  bool by_flag = false;
};

// A pattern of which nothing is there would guard or measure nothing: a mistake
// of the command line or of the settings file.
absl::Status RefuseIdle(const NamedPattern& named, std::string_view why,
                        const Hint& hint) {
  const std::string message = absl::StrCat(
      named.by_flag ? "init: --" : "settings: ", std::string(named.key), " ",
      Quoted(named.pattern), ": ", std::string(why));
  return WithHint(named.by_flag ? absl::OutOfRangeError(message)
                                : absl::InvalidArgumentError(message),
                  hint);
}

absl::StatusOr<std::vector<std::string>> ListNamed(const Session& session,
                                                   const Build& build,
                                                   const NamedPattern& named) {
  auto names = ListBenchmarks(session, build, named.pattern);
  if (!absl::IsFailedPrecondition(names.status())) return names;
  return RefuseIdle(named, "no benchmark matches it", HintOf(names.status()));
}

// Guards by name are of benchmarks that are no targets.
absl::Status LookForGuards(const Session& session, const Build& build,
                           const TaskSettings& settings,
                           const std::vector<std::string>& targets,
                           const InitOptions& options) {
  const std::vector<Guard>& guards = settings.policy.guards;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    if (guards[i].benchmark_pattern.empty()) continue;
    const NamedPattern named = {
        "guard", guards[i].benchmark_pattern,
        i + options.policy.guards.size() >= guards.size()};
    ASSIGN_OR_RETURN(const std::vector<std::string> names,
                     ListNamed(session, build, named));
    const bool all_targets = std::all_of(
        names.begin(), names.end(), [&targets](const std::string& name) {
          return std::find(targets.begin(), targets.end(), name) !=
                 targets.end();
        });
    if (!all_targets) continue;
    return RefuseIdle(named, "no benchmark besides the targets matches it", {});
  }
  return absl::OkStatus();
}

// Looks for all that the settings name; the targets.
absl::StatusOr<std::vector<std::string>> LookForNamed(
    const Session& session, const Build& build, const TaskSettings& settings,
    const InitOptions& options) {
  ASSIGN_OR_RETURN(
      std::vector<std::string> targets,
      ListNamed(session, build,
                {"target", settings.target, options.target.has_value()}));
  const std::vector<std::string>& holdouts = settings.holdouts;
  for (std::size_t i = 0; i < holdouts.size(); ++i) {
    const bool by_flag = i + options.holdout.size() >= holdouts.size();
    RETURN_IF_ERROR(
        ListNamed(session, build, {"holdout", holdouts[i], by_flag}).status());
  }
  if (settings.end_to_end.has_value()) {
    RETURN_IF_ERROR(ListNamed(session, build,
                              {"end-to-end", *settings.end_to_end,
                               options.end_to_end.has_value()})
                        .status());
  }
  RETURN_IF_ERROR(LookForGuards(session, build, settings, targets, options));
  return targets;
}

absl::StatusOr<Findings> TryOut(const Session& session,
                                const Repository& repository, const Task& task,
                                const TaskSettings& settings,
                                const InitOptions& options) {
  ASSIGN_OR_RETURN(const std::string state,
                   TaskStateDirectory(session, repository, task));
  BuildRequest request;
  ASSIGN_OR_RETURN(request.tree, CodeTree(repository, settings.base));
  request.run_tests = true;
  Say(session, absl::StrCat("building and testing ",
                            settings.base.substr(0, 12), " in a fresh folder"));
  ASSIGN_OR_RETURN(const Build build,
                   BuildTree(session, repository, settings, state, request));
  Findings findings;
  ASSIGN_OR_RETURN(findings.benchmarks,
                   LookForNamed(session, build, settings, options));
  WarnOfUnchecked(session, build, settings);
  if (options.calibrate) {
    ASSIGN_OR_RETURN(findings.calibration, Calibrate(session, build, settings));
  }
  return findings;
}

absl::StatusOr<std::string> BuildFirstCommit(const Repository& repository,
                                             const Task& task,
                                             const TaskSettings& settings) {
  ASSIGN_OR_RETURN(const std::string base_tree,
                   repository.TreeOf(settings.base));
  ASSIGN_OR_RETURN(
      const std::string tree,
      WriteTree(repository, base_tree,
                {{task.File("task.toml"), FormatTaskSettings(settings)},
                 {task.File("metric.toml"), std::string()},
                 {task.File(".gitattributes"), kAttributes},
                 {task.File("log.md"), NewLogFile(task.id)}}));
  return CommitTree(repository, tree, {settings.base},
                    absl::StrCat("task: start ", task.id, "\n"));
}

absl::Status Checkout(const Repository& repository, const Task& task) {
  return Annotate(repository
                      .Git({"-c", "core.hooksPath=/dev/null", "switch",
                            "--quiet", task.branch()})
                      .status(),
                  "--checkout");
}

void AddFindings(const TaskSettings& settings, const Findings& findings,
                 VerbResult& result) {
  const std::size_t count = findings.benchmarks.size();
  result.lines.push_back(absl::StrCat("  target:   ", settings.target, " (",
                                      CountText(count, "benchmark"), ")"));
  for (std::size_t i = 0; i < count && i < kBenchmarksShown; ++i) {
    result.lines.push_back("            " +
                           PrintableText(findings.benchmarks[i]));
  }
  result.fields.Texts("benchmarks", findings.benchmarks);
  if (findings.calibration.has_value()) {
    AddCalibration(*findings.calibration, settings, result);
  }
}

VerbResult TaskResult(const Task& task, const TaskSettings& settings) {
  VerbResult result;
  result.lines = {absl::StrCat("task ", task.id),
                  absl::StrCat("  branch:   ", task.branch(), " from ",
                               settings.base.substr(0, 12)),
                  absl::StrCat("  settings: ", task.File("task.toml"))};
  result.fields.Text("task", task.id);
  result.fields.Text("branch", task.branch());
  result.fields.Text("base", settings.base);
  result.fields.Text("start_branch", settings.start_branch);
  result.fields.Text("target", settings.target);
  result.next = {{Autotune({"baseline"}), "record where the task starts"},
                 {Autotune({"start", "APPROACH", "--hypothesis", "TEXT"}),
                  "open an attempt"}};
  return result;
}

// The answer of a dry run: the settings that would be committed.
VerbResult WouldWrite(const TaskSettings& settings, VerbResult result) {
  const std::string text = FormatTaskSettings(settings);
  result.lines.push_back("would build, test and measure, then commit:");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    result.lines.push_back("  " + PrintableText(std::string(line)));
  }
  result.fields.Flag("dry_run", true);
  result.next.clear();
  result.fields.Text("settings", text);
  return result;
}

// Makes the task's branch; false when another process made it meanwhile.
absl::StatusOr<bool> CreateTask(const Repository& repository, const Task& task,
                                const TaskSettings& settings) {
  ASSIGN_OR_RETURN(const FileLock lock, LockIntegration(repository));
  ASSIGN_OR_RETURN(const std::string commit,
                   BuildFirstCommit(repository, task, settings));
  FaultPoint("task-built");
  const absl::Status made = CreateRef(repository, task.branch_ref(), commit);
  FaultPoint("task-created");
  if (absl::IsAlreadyExists(made)) return false;
  RETURN_IF_ERROR(made);
  return true;
}

// The answer for a task that is there, as far as it is what the options say.
absl::StatusOr<VerbResult> ExistingTask(const TaskContext& context,
                                        const InitOptions& options,
                                        const std::string& settings_text) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  RETURN_IF_ERROR(CheckAgreement(task, state.settings, options, settings_text));
  if (options.checkout && !session.dry_run) {
    RETURN_IF_ERROR(Checkout(repository, task));
  }
  VerbResult result = TaskResult(task, state.settings);
  result.lines[0] += " is already there: nothing changed";
  result.fields.Flag("already_there", true);
  return result;
}

absl::StatusOr<VerbResult> InitTask(const TaskContext& context,
                                    const InitOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const std::string text, SettingsText(session, options));
  ASSIGN_OR_RETURN(const auto existing,
                   repository.ResolveCommit(task.branch_ref()));
  if (existing.has_value()) return ExistingTask(context, options, text);
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  RETURN_IF_ERROR(CheckNamesFree(repository, task.id));
  ASSIGN_OR_RETURN(const TaskStart start, FindStart(repository, task));
  ASSIGN_OR_RETURN(const TaskSettings settings,
                   SettingsFor(options, start, text));
  VerbResult result = TaskResult(task, settings);
  if (session.dry_run) return WouldWrite(settings, std::move(result));
  ASSIGN_OR_RETURN(const Findings findings,
                   TryOut(session, repository, task, settings, options));
  FaultPoint("task-tried-out");
  AddFindings(settings, findings, result);
  ASSIGN_OR_RETURN(const bool made, CreateTask(repository, task, settings));
  if (!made) return ExistingTask(context, options, text);
  if (options.checkout) RETURN_IF_ERROR(Checkout(repository, task));
  return result;
}

void AddInitTarget(CommandLine& line, InitOptions& options) {
  line.AddWord("TASK", options.task, "name of the task");
  line.StartGroup("What to make faster");
  line.AddText("--target", "REGEX", options.target,
               "the benchmarks to make faster");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    line.AddText(std::string(flag.flag), flag.placeholder,
                 options.policy.texts[flag.flag], flag.help);
  }
  line.AddTexts(std::string(kGuardFlag.flag), kGuardFlag.placeholder,
                options.policy.guards, kGuardFlag.help);
  line.AddTexts("--holdout", "REGEX", options.holdout,
                "benchmarks no prompt shows, checked on a keep");
  line.AddText("--end-to-end", "REGEX", options.end_to_end,
               "benchmarks measured and reported on a keep");
}

void AddInitCommands(CommandLine& line, InitOptions& options) {
  line.StartGroup("How to build and test");
  line.AddText("--benchmark", "COMMAND", options.benchmark,
               "the benchmark program, in the build folder");
  line.AddText("--configure", "COMMAND", options.configure,
               "\"{build}\" is a fresh folder (CMake)");
  line.AddText("--build", "COMMAND", options.build, "builds it (CMake)");
  line.AddText("--test", "COMMAND", options.test, "tests it (CTest)");
  line.AddText("--no-tests", "REASON", options.no_tests,
               "why there is no test; without either nothing is kept");
  line.AddText("--sandbox", "auto|require|off", options.sandbox,
               "shut in what an attempt runs (auto)");
  line.AddTexts("--readable", "PATH", options.readable,
                "further files and folders that the commands read");
  line.AddTexts("--edit", "PATTERN", options.edit,
                "files an attempt may change (src/** include/** lib/**)");
  line.AddTexts("--seal", "PATTERN", options.seal,
                "files it may not change, beside benchmarks, tests and build "
                "files");
  line.AddText("--settings", "FILE", options.settings_file,
               "a task.toml without [task] to start from");
  line.AddFlag("--checkout", options.checkout,
               "switch the checkout to the working branch");
  line.AddFlag("--no-calibration", options.calibrate,
               "do not measure the program against itself", false);
}

}  // namespace

void AddInitOptions(CommandLine& line, InitOptions& options) {
  AddInitTarget(line, options);
  AddInitCommands(line, options);
}

absl::StatusOr<VerbResult> Init(const Session& session,
                                const InitOptions& options) {
  ASSIGN_OR_RETURN(Repository repository,
                   Repository::Open(session.seams.processes,
                                    session.seams.files, session.directory));
  ASSIGN_OR_RETURN(std::string id, TaskName(LocalDate(session), options.task));
  const TaskContext context{session, std::move(repository), {std::move(id)}};
  return CompleteResult(context, InitTask(context, options));
}

}  // namespace autotune
