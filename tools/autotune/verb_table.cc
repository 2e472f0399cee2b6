#include "tools/autotune/verb_table.h"

#include <memory>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "base/status_macros.h"
#include "comparator/policy/policy_fields.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/verbs/adopt.h"
#include "tools/autotune/verbs/audit.h"
#include "tools/autotune/verbs/baseline.h"
#include "tools/autotune/verbs/check.h"
#include "tools/autotune/verbs/decide.h"
#include "tools/autotune/verbs/doctor.h"
#include "tools/autotune/verbs/harvest.h"
#include "tools/autotune/verbs/init.h"
#include "tools/autotune/verbs/log.h"
#include "tools/autotune/verbs/loop.h"
#include "tools/autotune/verbs/merge_metric.h"
#include "tools/autotune/verbs/next.h"
#include "tools/autotune/verbs/profile.h"
#include "tools/autotune/verbs/record.h"
#include "tools/autotune/verbs/resume.h"
#include "tools/autotune/verbs/revert.h"
#include "tools/autotune/verbs/revive.h"
#include "tools/autotune/verbs/rework.h"
#include "tools/autotune/verbs/show.h"
#include "tools/autotune/verbs/start.h"
#include "tools/autotune/verbs/status.h"
#include "tools/autotune/verbs/task_set.h"

namespace autotune {
namespace {

CLI::App* AddCommand(CLI::App& program, const std::string& name,
                     const std::string& description,
                     const std::string& example) {
  CLI::App* command = program.add_subcommand(name, description);
  command->footer("Example:\n  autotune " + example);
  command->fallthrough();
  command->allow_extras();
  return command;
}

// A verb on a task.
Verb RunOnTask(
    CLI::App* command,
    std::function<absl::StatusOr<VerbResult>(const TaskContext&)> run) {
  return {command,
          [run = std::move(run)](
              const Session& session) -> absl::StatusOr<VerbResult> {
            ASSIGN_OR_RETURN(const TaskContext context, OpenTask(session));
            return CompleteResult(context, run(context));
          }};
}

template <typename Options>
Verb RunOnTask(CLI::App* command, std::shared_ptr<Options> options,
               absl::StatusOr<VerbResult> (*run)(const TaskContext&,
                                                 const Options&)) {
  return RunOnTask(
      command, [options = std::move(options), run](const TaskContext& context) {
        return run(context, *options);
      });
}

// A verb that is run with what its options were parsed into.
template <typename Options>
Verb RunWith(CLI::App* command, std::shared_ptr<Options> options,
             absl::StatusOr<VerbResult> (*run)(const Session&,
                                               const Options&)) {
  return {command, [options = std::move(options), run](const Session& session) {
            return run(session, *options);
          }};
}

void AddApproach(CLI::App& command, std::string& approach) {
  command.add_option("APPROACH", approach, "name of the attempt")->required();
}

void AddList(CLI::App& command, const std::string& name,
             std::vector<std::string>& values, const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false);
}

void AddInitTarget(CLI::App& command, InitOptions& options) {
  command.add_option("TASK", options.task, "name of the task")->required();
  command.add_option("--target", options.target,
                     "regular expression: the benchmarks to make faster");
  for (const PolicyFlag& flag : PolicyFlagTable()) {
    command
        .add_option(std::string(flag.flag), options.policy.texts[flag.flag],
                    flag.help)
        ->type_name(flag.placeholder);
  }
  AddList(command, std::string(kGuardFlag.flag), options.policy.guards,
          kGuardFlag.help);
  AddList(command, "--holdout", options.holdout,
          "regular expression: benchmarks no prompt shows, checked on a keep");
  command.add_option("--end-to-end", options.end_to_end,
                     "regular expression: measured and reported on a keep");
}

void AddInitCommands(CLI::App& command, InitOptions& options) {
  command.add_option("--benchmark", options.benchmark,
                     "the benchmark program, in the build folder");
  command.add_option("--configure", options.configure,
                     "command; \"{build}\" is a fresh folder (default: CMake)");
  command.add_option("--build", options.build, "command (default: CMake)");
  command.add_option("--test", options.test, "command (default: CTest)");
  AddList(command, "--edit", options.edit,
          "files an attempt may change (default src/** include/** lib/**)");
  AddList(command, "--seal", options.seal,
          "further files it may not change, beside benchmarks, tests and "
          "build files");
  command.add_option("--settings", options.settings_file,
                     "a task.toml without [task] to start from");
  command.add_flag("--checkout", options.checkout,
                   "switch the checkout to the working branch");
  command.add_flag("!--no-calibration", options.calibrate,
                   "do not measure the program against itself");
}

Verb AddInit(CLI::App& program) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* command =
      AddCommand(program, "init", "start a tuning task on a new branch",
                 "init tokenizer --target '^BM_Tokenize/' --benchmark bench");
  AddInitTarget(*command, *options);
  AddInitCommands(*command, *options);
  return RunWith(command, options, &Init);
}

Verb AddBaseline(CLI::App& program) {
  CLI::App* command = AddCommand(program, "baseline",
                                 "record the tip's own numbers", "baseline");
  return RunOnTask(command, &Baseline);
}

Verb AddProfile(CLI::App& program) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command =
      AddCommand(program, "profile",
                 "where the tip's time goes: by sections, else by functions",
                 "profile --filter '^BM_Tokenize/64$'");
  command->add_option("--filter", options->filter,
                      "regular expression: benchmarks (default: the target)");
  command->add_option("--visits", options->visits,
                      "runs of the program (default 3)");
  command->add_option("--by", options->by,
                      "auto, sections, samples or instructions (default auto)");
  return RunOnTask(command, options, &Profile);
}

Verb AddStart(CLI::App& program) {
  auto options = std::make_shared<StartOptions>();
  CLI::App* command = AddCommand(
      program, "start", "open an attempt with its own branch and worktree",
      "start lookup-table --hypothesis 'classify bytes by a table'");
  AddApproach(*command, options->approach);
  command->add_option("--hypothesis", options->hypothesis,
                      "what should make it faster, and why");
  command->add_option("--targets", options->targets,
                      "section or function of the profile that it changes");
  command->add_option("--expect", options->expect,
                      "what it saves of that part, such as 35%");
  command->add_option("--no-profile", options->no_profile,
                      "why the task goes without a profile");
  AddList(*command, "--include", options->include,
          "file of the tip whose text the prompt holds");
  command->add_flag("--preserve", options->preserve,
                    "the prompt holds the kept changes");
  command->add_option("--details", options->details,
                      "further text for the prompt (Markdown)");
  return RunOnTask(command, options, &Start);
}

Verb AddCheck(CLI::App& program) {
  auto approach = std::make_shared<std::string>();
  CLI::App* command =
      AddCommand(program, "check", "scope, build and test of an attempt",
                 "check lookup-table");
  AddApproach(*command, *approach);
  return RunOnTask(command, approach, &Check);
}

Verb AddDecide(CLI::App& program) {
  auto options = std::make_shared<DecideOptions>();
  CLI::App* command = AddCommand(
      program, "decide", "measure an attempt against the tip and record it",
      "decide lookup-table");
  AddApproach(*command, options->approach);
  command->add_option("--crash", options->crash,
                      "record it as a crash for this reason instead");
  return RunOnTask(command, options, &Decide);
}

Verb AddStatus(CLI::App& program) {
  CLI::App* command =
      AddCommand(program, "status", "the task, its attempts and what is left",
                 "status --json");
  return RunOnTask(command, &Status);
}

Verb AddRework(CLI::App& program) {
  auto approach = std::make_shared<std::string>();
  CLI::App* command =
      AddCommand(program, "rework", "bring an open attempt onto the tip",
                 "rework lookup-table");
  AddApproach(*command, *approach);
  return RunOnTask(command, approach, &Rework);
}

Verb AddAdopt(CLI::App& program) {
  auto options = std::make_shared<AdoptOptions>();
  CLI::App* command =
      AddCommand(program, "adopt", "take commits made elsewhere as an attempt",
                 "adopt my-branch --as lookup-table");
  command->add_option("BRANCH", options->branch, "branch or commit")
      ->required();
  command->add_option("--as", options->approach, "name of the attempt");
  command->add_option("--hypothesis", options->hypothesis,
                      "what should make it faster, and why");
  return RunOnTask(command, options, &Adopt);
}

Verb AddRecord(CLI::App& program) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command =
      AddCommand(program, "record", "record a decision made elsewhere",
                 "record lookup-table --evidence run.json");
  AddApproach(*command, options->approach);
  command->add_option("--evidence", options->evidence,
                      "file of bench_compare run --evidence");
  command->add_option("--claim", options->status,
                      "keep or discard, without evidence");
  command->add_option("--reason", options->reason, "why it is claimed");
  return RunOnTask(command, options, &Record);
}

Verb AddRevive(CLI::App& program) {
  auto options = std::make_shared<ReviveOptions>();
  CLI::App* command = AddCommand(
      program, "revive", "try decided attempts again, alone or together",
      "revive lookup-table");
  command->add_option("APPROACH", options->approaches, "decided attempts")
      ->required();
  command->add_option("--as", options->name, "name of the new attempt");
  return RunOnTask(command, options, &Revive);
}

Verb AddRevert(CLI::App& program) {
  auto options = std::make_shared<RevertOptions>();
  CLI::App* command =
      AddCommand(program, "revert", "take an older keep out again",
                 "revert lookup-table --reason 'slower on ARM'");
  AddApproach(*command, options->approach);
  command->add_option("--reason", options->reason, "why");
  return RunOnTask(command, options, &Revert);
}

Verb AddLog(CLI::App& program) {
  auto text = std::make_shared<std::string>();
  CLI::App* command = AddCommand(program, "log", "add a finding to log.md",
                                 "log 'isalnum is a third of the time'");
  command->add_option("TEXT", *text, "what was found")->required();
  return RunOnTask(command, text, &Log);
}

Verb AddShow(CLI::App& program) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = AddCommand(
      program, "show", "log, ledger, task, or an attempt's prompt or state",
      "show ledger");
  command
      ->add_option("WHAT", options->what,
                   "log, ledger, task, prompt or attempt")
      ->required();
  command->add_option("APPROACH", options->approach, "for prompt and attempt");
  return RunOnTask(command, options, &Show);
}

Verb AddNext(CLI::App& program) {
  CLI::App* command = AddCommand(
      program, "next", "the one command worth running now", "next --json");
  return RunOnTask(command, &Next);
}

Verb AddTaskSet(CLI::App& program) {
  auto options = std::make_shared<TaskSetOptions>();
  auto action = std::make_shared<std::string>();
  CLI::App* command =
      AddCommand(program, "task", "change a setting of the task",
                 "task set policy.budget 300s");
  command->add_option("ACTION", *action, "set")
      ->required()
      ->check(CLI::IsMember({"set"}));
  command->add_option("KEY", options->key, "such as policy.budget")->required();
  command->add_option("VALUE", options->values, "several for a list")
      ->required();
  // The word itself is only parsed into.
  return RunOnTask(command, [options, action](const TaskContext& context) {
    return TaskSet(context, *options);
  });
}

Verb AddLoop(CLI::App& program) {
  auto options = std::make_shared<LoopOptions>();
  CLI::App* command = AddCommand(
      program, "loop", "attempt after attempt, without a person",
      "loop --implementer ./implement.sh --ideas ideas.jsonl --for 8h");
  command->add_option("--implementer", options->implementer,
                      "a recipe, or a command that gets the prompt");
  command->add_option("--planner", options->planner,
                      "a command that answers the next idea as JSON");
  command->add_option("--ideas", options->ideas,
                      "a file of ideas, one JSON object a line");
  command->add_option("--for", options->time, "time, such as 8h");
  command->add_option("--attempts", options->attempts, "how many at most")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-failures", options->max_failures,
                   "in a row that could not be measured (default 5)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-usd", options->max_usd,
                   "cost, where the recipe tells it")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-tokens", options->max_tokens,
                   "tokens, where the recipe tells them")
      ->check(CLI::PositiveNumber);
  command->add_option("--jobs", options->jobs,
                      "implementers at once (default 1)");
  command->add_option("--timeout", options->timeout,
                      "of one implementer (default 30m)");
  return RunOnTask(command, options, &Loop);
}

Verb AddStop(CLI::App& program) {
  CLI::App* command = AddCommand(
      program, "stop", "end the loop after the attempt it is at", "stop");
  return RunOnTask(command, &StopLoop);
}

Verb AddSteer(CLI::App& program) {
  auto text = std::make_shared<std::string>();
  CLI::App* command =
      AddCommand(program, "steer", "say something in the prompts to come",
                 "steer 'leave the public headers as they are'");
  command->add_option("TEXT", *text, "what to say")->required();
  return RunOnTask(command, text, &Steer);
}

Verb AddHarvest(CLI::App& program) {
  auto options = std::make_shared<HarvestOptions>();
  CLI::App* command = AddCommand(
      program, "harvest", "measure start against tip, make a branch for review",
      "harvest");
  command->add_option("--rounds", options->rounds, "how many (default 30)")
      ->check(CLI::Range(1, 10000));
  command->add_flag("!--no-branch", options->branch,
                    "measure only, make no branch for review");
  command->add_flag("--split", options->split,
                    "also a branch for each group that shares no file");
  command->add_flag("--pull-request", options->pull_request,
                    "open a draft with gh");
  return RunOnTask(command, options, &Harvest);
}

Verb AddAudit(CLI::App& program) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App* command = AddCommand(
      program, "audit", "recompute decisions and check the ledger and history",
      "audit");
  command->add_flag("--repair", options->repair,
                    "mend a metric.toml that a merge damaged");
  return RunOnTask(command, options, &Audit);
}

Verb AddResume(CLI::App& program) {
  CLI::App* command =
      AddCommand(program, "resume",
                 "finish what an interruption left half done", "resume");
  return RunOnTask(command, &Resume);
}

Verb AddDoctor(CLI::App& program) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = AddCommand(
      program, "doctor", "what would stop a verb or a measurement", "doctor");
  command->add_flag("--install", options->install,
                    "set up the merge driver for metric.toml");
  return RunWith(command, options, &Doctor);
}

Verb AddMergeMetric(CLI::App& program) {
  auto options = std::make_shared<MergeMetricOptions>();
  CLI::App* command =
      AddCommand(program, "merge-metric", "git's merge driver for metric.toml",
                 "merge-metric %O %A %B");
  command->add_option("BASE", options->base)->required();
  command->add_option("OURS", options->ours, "receives the result")->required();
  command->add_option("THEIRS", options->theirs)->required();
  return RunWith(command, options, &MergeMetric);
}

}  // namespace

std::vector<Verb> AddVerbs(CLI::App& program) {
  std::vector<Verb> verbs;
  for (Verb (*add)(CLI::App&) :
       {&AddInit,    &AddBaseline, &AddProfile, &AddStart,      &AddCheck,
        &AddDecide,  &AddStatus,   &AddNext,    &AddShow,       &AddLog,
        &AddTaskSet, &AddRework,   &AddAdopt,   &AddRevive,     &AddRevert,
        &AddRecord,  &AddResume,   &AddLoop,    &AddStop,       &AddSteer,
        &AddHarvest, &AddAudit,    &AddDoctor,  &AddMergeMetric}) {
    verbs.push_back(add(program));
  }
  return verbs;
}

}  // namespace autotune
