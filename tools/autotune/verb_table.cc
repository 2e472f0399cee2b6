#include "tools/autotune/verb_table.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/did_you_mean.h"
#include "base/status_macros.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task_context.h"
#include "tools/autotune/verbs/adopt.h"
#include "tools/autotune/verbs/audit.h"
#include "tools/autotune/verbs/baseline.h"
#include "tools/autotune/verbs/candidates.h"
#include "tools/autotune/verbs/check.h"
#include "tools/autotune/verbs/decide.h"
#include "tools/autotune/verbs/doctor.h"
#include "tools/autotune/verbs/harvest.h"
#include "tools/autotune/verbs/init.h"
#include "tools/autotune/verbs/log.h"
#include "tools/autotune/verbs/loop.h"
#include "tools/autotune/verbs/mcp.h"
#include "tools/autotune/verbs/merge_metric.h"
#include "tools/autotune/verbs/next.h"
#include "tools/autotune/verbs/profile.h"
#include "tools/autotune/verbs/record.h"
#include "tools/autotune/verbs/report.h"
#include "tools/autotune/verbs/resume.h"
#include "tools/autotune/verbs/revert.h"
#include "tools/autotune/verbs/revive.h"
#include "tools/autotune/verbs/rework.h"
#include "tools/autotune/verbs/show.h"
#include "tools/autotune/verbs/skill.h"
#include "tools/autotune/verbs/start.h"
#include "tools/autotune/verbs/status.h"
#include "tools/autotune/verbs/task_set.h"
#include "tools/program/command_line.h"
#include "tools/program/program.h"
#include "tools/program/report_flags.h"
#include "tools/program/shell_verbs.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

using SessionVerb = std::function<absl::StatusOr<VerbResult>(const Session&)>;

// The shell stands in a folder that was removed under it.
absl::Status NoDirectory() {
  return WithHint(absl::FailedPreconditionError(
                      "the current folder is gone, as after an attempt's "
                      "worktree was removed"),
                  "cd to the repository, or name it with -C DIR");
}

Session SessionOf(const Invocation& invocation) {
  const ProgramWorld& world = invocation.world;
  const CommonFlags& flags = invocation.common;
  Session session{invocation.terminal,
                  {world.processes, world.files, world.clock, world.entropy},
                  world.directory,
                  world.environment};
  if (!flags.directory.empty()) {
    session.directory = JoinPath(world.directory, flags.directory);
    session.given_directory = flags.directory;
  }
  session.task = flags.task;
  session.quiet = flags.quiet;
  session.dry_run = flags.dry_run;
  session.interrupted = world.interrupted;
  return session;
}

// Runs a verb where the user stands and prints its answer.
Action InSession(SessionVerb run) {
  return [run = std::move(run)](
             const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    const Session session = SessionOf(invocation);
    if (session.directory.empty()) return NoDirectory();
    ASSIGN_OR_RETURN(const VerbResult result, run(session));
    PrintResult(result, invocation.verb, invocation.common.json,
                invocation.terminal);
    return result.exit_code;
  };
}

template <typename Options>
Action InSession(std::shared_ptr<Options> options,
                 absl::StatusOr<VerbResult> (*run)(const Session&,
                                                   const Options&)) {
  return InSession([options = std::move(options), run](const Session& session) {
    return run(session, *options);
  });
}

absl::Status Led(const Session& session, const absl::Status& status) {
  return WithHint(status, LedHint(session, HintOf(status)));
}

// The same for a verb on a task.
Action OnTask(
    std::function<absl::StatusOr<VerbResult>(const TaskContext&)> run) {
  return InSession([run = std::move(run)](
                       const Session& session) -> absl::StatusOr<VerbResult> {
    const auto context = OpenTask(session);
    if (!context.ok()) return Led(session, context.status());
    return CompleteResult(*context, run(*context));
  });
}

template <typename Options>
Action OnTask(std::shared_ptr<Options> options,
              absl::StatusOr<VerbResult> (*run)(const TaskContext&,
                                                const Options&)) {
  return OnTask(
      [options = std::move(options), run](const TaskContext& context) {
        return run(context, *options);
      });
}

// A verb on a task that takes nothing.
template <absl::StatusOr<VerbResult> (*run)(const TaskContext&)>
Action Plain(CommandLine&) {
  return OnTask(run);
}

void AddApproach(CommandLine& line, std::string& approach) {
  line.AddWord("APPROACH", approach, "name of the attempt");
}

// A verb on one attempt that takes nothing else.
template <absl::StatusOr<VerbResult> (*run)(const TaskContext&,
                                            const std::string&)>
Action OnAttempt(CommandLine& line) {
  auto approach = std::make_shared<std::string>();
  AddApproach(line, *approach);
  return OnTask(approach, run);
}

void AddHypothesis(CommandLine& line, std::string& hypothesis) {
  line.AddText("--hypothesis", "TEXT", hypothesis,
               "what should make it faster, and why");
}

Action DeclareInit(CommandLine& line) {
  auto options = std::make_shared<InitOptions>();
  AddInitOptions(line, *options);
  return InSession(options, &Init);
}

Action DeclareProfile(CommandLine& line) {
  auto options = std::make_shared<ProfileOptions>();
  line.AddText("--filter", "REGEX", options->filter,
               "benchmarks (the target's)");
  line.AddNumber("--visits", "N", options->visits, 1, 100,
                 "runs of the program (3)");
  line.AddText("--by", "auto|sections|samples|instructions", options->by,
               "what time is told by (auto)");
  return OnTask(options, &Profile);
}

Action DeclareStart(CommandLine& line) {
  auto options = std::make_shared<StartOptions>();
  AddApproach(line, options->approach);
  AddHypothesis(line, options->hypothesis);
  line.AddText("--targets", "PART", options->targets,
               "section or function of the profile that it changes");
  line.AddText("--expect", "FRACTION", options->expect,
               "what it saves of that part, such as 35%");
  line.AddText("--no-profile", "REASON", options->no_profile,
               "why the task goes without a profile");
  line.AddTexts("--include", "FILE", options->include,
                "file of the tip whose text the prompt holds");
  line.AddFlag("--preserve", options->preserve,
               "the prompt holds the kept changes");
  line.AddText("--details", "TEXT", options->details,
               "further text for the prompt (Markdown)");
  return OnTask(options, &Start);
}

Action DeclareDecide(CommandLine& line) {
  auto options = std::make_shared<DecideOptions>();
  AddApproach(line, options->approach);
  line.AddText("--crash", "REASON", options->crash,
               "record it as a crash for this reason instead");
  return OnTask(options, &Decide);
}

Action DeclareAdopt(CommandLine& line) {
  auto options = std::make_shared<AdoptOptions>();
  line.AddWord("BRANCH", options->branch, "branch or commit");
  line.AddText("--as", "APPROACH", options->approach, "name of the attempt");
  AddHypothesis(line, options->hypothesis);
  return OnTask(options, &Adopt);
}

Action DeclareRecord(CommandLine& line) {
  auto options = std::make_shared<RecordOptions>();
  AddApproach(line, options->approach);
  line.AddText("--evidence", "FILE", options->evidence,
               "file of bench_compare run --evidence");
  line.AddText("--claim", "keep|discard", options->status,
               "what is claimed, without evidence");
  line.AddText("--reason", "TEXT", options->reason, "why it is claimed");
  return OnTask(options, &Record);
}

Action DeclareRevive(CommandLine& line) {
  auto options = std::make_shared<ReviveOptions>();
  line.AddWords("APPROACH...", options->approaches, "decided attempts");
  line.AddText("--as", "APPROACH", options->name, "name of the new attempt");
  return OnTask(options, &Revive);
}

Action DeclareRevert(CommandLine& line) {
  auto options = std::make_shared<RevertOptions>();
  AddApproach(line, options->approach);
  line.AddText("--reason", "TEXT", options->reason, "why");
  return OnTask(options, &Revert);
}

Action DeclareLog(CommandLine& line) {
  auto text = std::make_shared<std::string>();
  line.AddWord("TEXT", *text, "what was found");
  return OnTask(text, &Log);
}

Action DeclareShow(CommandLine& line) {
  auto options = std::make_shared<ShowOptions>();
  line.AddWord("WHAT", options->what, AlternativesText(ShowSubjects()));
  line.AddWord("APPROACH", options->approach, "for prompt and attempt")
      .required = false;
  return OnTask(options, &Show);
}

struct ReportOptions {
  std::string task;
  ReportFlags flags;
};

absl::StatusOr<ExitCode> WriteTaskReport(const ReportOptions& options,
                                         const Invocation& invocation) {
  ASSIGN_OR_RETURN(const ReportPlan plan,
                   MakeReportPlan(options.flags, invocation.common));
  Session session = SessionOf(invocation);
  if (session.directory.empty()) return NoDirectory();
  if (!options.task.empty()) {
    if (!session.task.empty() && session.task != options.task) {
      return UsageError("the task is named twice, by a word and by --task");
    }
    session.task = options.task;
  }
  ASSIGN_OR_RETURN(const TaskContext context, OpenTask(session));
  ASSIGN_OR_RETURN(const TaskReport report, ReportTask(context));
  RETURN_IF_ERROR(WriteForms(
      plan,
      [&report](ReportFormat format, const TextLayout& layout) {
        return RenderTaskReport(report, format, layout);
      },
      TaskGainText(report) + "\n", invocation.world.files,
      invocation.terminal));
  return kExitKeep;
}

Action DeclareReport(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  line.AddWord("TASK", options->task, "its id or name (the one you are on)")
      .required = false;
  AddReportFlags(line, options->flags, TaskReportForms());
  return [options](const Invocation& invocation) {
    return WriteTaskReport(*options, invocation);
  };
}

Action DeclareTaskSet(CommandLine& line) {
  auto options = std::make_shared<TaskSetOptions>();
  line.AddWord("KEY", options->key, "such as policy.budget");
  line.AddWords("VALUE...", options->values, "several for a list");
  return OnTask(options, &TaskSet);
}

Action DeclareLoop(CommandLine& line) {
  auto options = std::make_shared<LoopOptions>();
  line.AddText("--implementer", "RECIPE|COMMAND", options->implementer,
               "a recipe, or a command that gets the prompt");
  line.AddText("--planner", "COMMAND", options->planner,
               "a command that answers the next idea as JSON");
  line.AddText("--ideas", "FILE", options->ideas,
               "a file of ideas, one JSON object a line");
  line.AddText("--for", "DURATION", options->time, "time, such as 8h");
  line.AddNumber("--attempts", "N", options->attempts, 1, INT64_MAX,
                 "how many at most");
  line.AddNumber("--max-failures", "N", options->max_failures, 1, INT64_MAX,
                 "in a row that could not be measured (5)");
  line.AddAmount("--max-usd", "USD", options->max_usd,
                 "cost, where the recipe tells it");
  line.AddNumber("--max-tokens", "N", options->max_tokens, 1, INT64_MAX,
                 "tokens, where the recipe tells them");
  line.AddNumber("--jobs", "N", options->jobs, 1, 16,
                 "implementers at once (1)");
  line.AddText("--timeout", "DURATION", options->timeout,
               "of one implementer (30m)");
  return OnTask(options, &Loop);
}

Action DeclareSteer(CommandLine& line) {
  auto text = std::make_shared<std::string>();
  line.AddWord("TEXT", *text, "what to say");
  return OnTask(text, &Steer);
}

Action DeclareHarvest(CommandLine& line) {
  auto options = std::make_shared<HarvestOptions>();
  line.AddNumber("--rounds", "N", options->rounds, 1, 10000, "how many (30)");
  line.AddFlag("--no-branch", options->branch,
               "measure only, make no branch for review", false);
  line.AddFlag("--split", options->split,
               "also a branch for each group that shares no file");
  line.AddFlag("--pull-request", options->pull_request, "open a draft with gh");
  return OnTask(options, &Harvest);
}

Action DeclareAudit(CommandLine& line) {
  auto options = std::make_shared<AuditOptions>();
  line.AddFlag("--repair", options->repair,
               "mend a metric.toml that a merge damaged");
  return OnTask(options, &Audit);
}

Action DeclareDoctor(CommandLine& line) {
  auto options = std::make_shared<DoctorOptions>();
  line.AddFlag("--install", options->install,
               "set up the merge driver for metric.toml");
  line.AddText("--implementer", "RECIPE|COMMAND", options->implementer,
               "let it make a trivial change and look at how it does");
  line.AddText("--timeout", "DURATION", options->timeout, "of that trial (5m)");
  return InSession(options, &Doctor);
}

Action DeclareMergeMetric(CommandLine& line) {
  auto options = std::make_shared<MergeMetricOptions>();
  line.AddWord("BASE", options->base, "the common ancestor's file");
  line.AddWord("OURS", options->ours, "our file, which receives the result");
  line.AddWord("THEIRS", options->theirs, "their file");
  return InSession(options, &MergeMetric);
}

void AddSkillPlaces(CommandLine& line, SkillOptions& options) {
  line.AddFlag("--claude", options.claude, "in .claude/skills");
  line.AddFlag("--agents", options.agents, "in .agents/skills (the default)");
  line.AddText("--dir", "DIR", options.folder, "in this folder");
  line.AddFlag("--user", options.user, "the user's, not the repository's");
}

Action DeclareSkillInstall(CommandLine& line) {
  auto options = std::make_shared<SkillOptions>();
  AddSkillPlaces(line, *options);
  line.AddFlag("--force", options->force, "replace what a person changed");
  return InSession(options, &InstallSkill);
}

Action DeclareSkillCheck(CommandLine& line) {
  auto options = std::make_shared<SkillOptions>();
  AddSkillPlaces(line, *options);
  return InSession(options, &CheckSkill);
}

Action DeclareMcp(CommandLine&) {
  return [](const Invocation& invocation) -> absl::StatusOr<ExitCode> {
    const Session session = SessionOf(invocation);
    if (session.directory.empty()) return NoDirectory();
    return ServeMcp(session, AutotuneProgram());
  };
}

// Of one attempt after the other, as a person takes them.
std::vector<Verb> AttemptVerbs() {
  return {
      {"init", "start a tuning task on a new branch",
       "autotune init tokenizer --target '^BM_Tokenize/' --benchmark bench",
       &DeclareInit},
      {"baseline", "record the tip's own numbers", "autotune baseline",
       &Plain<Baseline>},
      {"profile", "where the tip's time goes: by sections, else by functions",
       "autotune profile --filter '^BM_Tokenize/64$'", &DeclareProfile},
      {"start", "open an attempt with its own branch and worktree",
       "autotune start lookup-table --hypothesis 'classify bytes by a table'",
       &DeclareStart},
      {"check", "scope, build and test of an attempt",
       "autotune check lookup-table", &OnAttempt<Check>},
      {"decide", "measure an attempt against the tip and record it",
       "autotune decide lookup-table", &DeclareDecide},
      {"status", "the task, its attempts and what is left",
       "autotune status --json", &Plain<Status>},
      {"next", "the one command worth running now", "autotune next --json",
       &Plain<Next>},
      {"show", "log, ledger, task, or an attempt's prompt or state",
       "autotune show ledger", &DeclareShow},
      {"report", "every attempt, what it was expected to bring and brought",
       "autotune report --report html=task.html", &DeclareReport},
      {"log", "add a finding to log.md",
       "autotune log 'isalnum is a third of the time'", &DeclareLog},
      {"task set", "change a setting of the task",
       "autotune task set policy.budget 300s", &DeclareTaskSet},
      {"rework", "bring an open attempt onto the tip",
       "autotune rework lookup-table", &OnAttempt<Rework>},
      {"adopt", "take commits made elsewhere as an attempt",
       "autotune adopt my-branch --as lookup-table", &DeclareAdopt},
      {"revive", "try decided attempts again, alone or together",
       "autotune revive lookup-table", &DeclareRevive},
      {"revert", "take an older keep out again",
       "autotune revert lookup-table --reason 'slower on ARM'", &DeclareRevert},
      {"record", "record a decision made elsewhere",
       "autotune record lookup-table --evidence run.json", &DeclareRecord},
  };
}

// Of the loop, the task as a whole and the machine.
std::vector<Verb> TaskVerbs() {
  return {
      {"resume", "finish what an interruption left half done",
       "autotune resume", &Plain<Resume>},
      {"loop", "attempt after attempt, without a person",
       "autotune loop --implementer ./implement.sh --ideas ideas.jsonl --for "
       "8h",
       &DeclareLoop},
      {"stop", "end the loop after the attempt it is at", "autotune stop",
       &Plain<StopLoop>},
      {"steer", "say something in the prompts to come",
       "autotune steer 'leave the public headers as they are'", &DeclareSteer},
      {"harvest", "measure the task's start against its tip",
       "autotune harvest", &DeclareHarvest},
      {"audit", "recompute decisions and check the ledger and history",
       "autotune audit", &DeclareAudit},
      {"doctor", "what would stop a verb or a measurement", "autotune doctor",
       &DeclareDoctor},
      {"skill install", "copy the skill to where agents look for it",
       "autotune skill install --claude", &DeclareSkillInstall},
      {"skill check", "whether the copies are the program's own",
       "autotune skill check --claude", &DeclareSkillCheck},
      {"mcp", "serve the verbs of the loop to an agent's host", "autotune mcp",
       &DeclareMcp,
       "Tools next, start, check, decide, status and log of the Model Context "
       "Protocol,\nJSON-RPC on standard input and output. Ends with its "
       "input."},
      {"merge-metric", "git's merge driver for metric.toml",
       "autotune merge-metric %O %A %B", &DeclareMergeMetric},
  };
}

}  // namespace

Program AutotuneProgram() {
  Program program = {
      .name = "autotune",
      .description =
          "Measures each attempt at a speed-up so that noise cannot fool it, "
          "keeps what is\nproven faster, and lets git history keep every "
          "attempt.",
      .exit_codes =
          "0 done or keep, 1 discard, 2 crash or failed test, 3 inconclusive,\n"
          "4 outside the scope, 64 usage, 65 bad input, 69 precondition, 70 "
          "our "
          "bug,\n75 busy, 130 interrupted.",
      .example =
          "autotune init tokenizer --target '^BM_Tokenize/' --benchmark bench",
      .verbs = AttemptVerbs(),
      .on_repository = true,
      .candidates = [](const std::string& kind, CommandLine&,
                       const Invocation& invocation) {
        return TaskCandidates(kind, invocation.verb, SessionOf(invocation));
      }};
  AddVerbs(TaskVerbs(), program);
  AddShellVerbs(&AutotuneProgram, program);
  return program;
}

}  // namespace autotune
