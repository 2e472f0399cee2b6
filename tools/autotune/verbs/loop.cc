// The loop drives the other verbs; it keeps no state of its own that matters.
//
// What is to be done is read from git each time (Suggestions), so a killed loop
// goes on by being started again: an attempt without a commit is implemented
// again, one with commits is decided, a decision that had begun to measure
// continues its journal. Only budgets (attempts, time, cost) start anew.

#include "tools/autotune/verbs/loop.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "comparator/policy/policy.h"
#include "nlohmann/json.hpp"
#include "tools/autotune/deciding/implementer.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/level.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/verbs/decide.h"
#include "tools/autotune/verbs/harvest.h"
#include "tools/autotune/verbs/idea_source.h"
#include "tools/autotune/verbs/loop_folder.h"
#include "tools/autotune/verbs/next.h"
#include "tools/autotune/verbs/profile.h"
#include "tools/autotune/verbs/start.h"

namespace autotune {
namespace {

using Json = nlohmann::ordered_json;

constexpr absl::Duration kPoll = absl::Milliseconds(50);
constexpr std::size_t kReasonLimit = 300;

// Limits as numbers.
struct Budget {
  std::optional<double> seconds;
  absl::Duration implementer_timeout;
};

absl::StatusOr<double> Seconds(std::string_view flag, const std::string& text) {
  const std::optional<double> seconds = ParseDurationSeconds(text);
  if (seconds.has_value()) return *seconds;
  return absl::OutOfRangeError(
      absl::StrCat("loop: ", std::string(flag),
                   ": expected a time such as 30m or 8h, got \"", text, "\"",
                   SecondsHint(text)));
}

absl::StatusOr<Budget> CheckOptions(const LoopOptions& options) {
  if (options.implementer.empty()) {
    return absl::OutOfRangeError(
        "loop: --implementer is missing: a recipe or a command");
  }
  if (options.planner.has_value() == options.ideas.has_value()) {
    return absl::OutOfRangeError(
        "loop: expected either --planner COMMAND or --ideas FILE");
  }
  Budget budget;
  if (options.time.has_value()) {
    ASSIGN_OR_RETURN(budget.seconds, Seconds("--for", *options.time));
  }
  ASSIGN_OR_RETURN(const double timeout, Seconds("--timeout", options.timeout));
  budget.implementer_timeout = absl::Seconds(timeout);
  return budget;
}

// An attempt whose implementer runs.
struct Working {
  Attempt attempt;
  std::string worktree;
  std::string prompt;
  std::optional<RunningImplementer> running;
  absl::Duration started;
  bool timed_out = false;
};

class LoopRun {
 public:
  LoopRun(const TaskContext& context, const LoopOptions& options, Budget budget,
          ImplementerRecipe recipe, LoopFolder folder)
      : context_(context),
        options_(options),
        budget_(budget),
        recipe_(std::move(recipe)),
        folder_(std::move(folder)),
        ideas_(context, options.planner, options.ideas),
        begun_(Now()) {}

  absl::StatusOr<VerbResult> Run() {
    RETURN_IF_ERROR(Files().RemoveAll(folder_.StopFile()));
    RETURN_IF_ERROR(FinishOpen());
    while (ending_.empty()) {
      if (EndNow()) break;
      RETURN_IF_ERROR(Upkeep());
      if (EndNow()) break;
      RETURN_IF_ERROR(OneBatch());
    }
    Event("end", {{"reason", ending_}});
    return Result();
  }

 private:
  const Session& session() const { return context_.session; }
  FileSystem& Files() { return session().seams.files; }
  absl::Duration Now() { return session().seams.clock.Monotonic(); }

  void Event(std::string_view name, Json fields) {
    Json event;
    event["time"] = absl::FormatTime(
        absl::RFC3339_sec, session().seams.clock.Now(), absl::UTCTimeZone());
    event["event"] = std::string(name);
    for (const auto& [key, value] : fields.items()) event[key] = value;
    // The log is for people; the loop does not end because it cannot write it.
    Files()
        .AppendFile(
            folder_.Events(),
            event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")
        .IgnoreError();
  }

  // Whether to end here; sets the reason.
  bool EndNow() {
    if (!ending_.empty()) return true;
    if (session().interrupted()) {
      ending_ = "interrupted";
    } else if (Files().Exists(folder_.StopFile())) {
      ending_ = "stopped by autotune stop";
    } else if (options_.attempts.has_value() &&
               attempts_ >= *options_.attempts) {
      ending_ = "all attempts used";
    } else if (budget_.seconds.has_value() &&
               Now() - begun_ >= absl::Seconds(*budget_.seconds)) {
      ending_ = "time used up";
    } else if (options_.max_usd.has_value() && usd_ >= *options_.max_usd) {
      ending_ = "cost used up";
    } else if (options_.max_tokens.has_value() &&
               tokens_ >= *options_.max_tokens) {
      ending_ = "tokens used up";
    } else if (failures_ >= options_.max_failures) {
      ending_ =
          absl::StrCat(failures_, " attempts in a row could not be measured");
    }
    return !ending_.empty();
  }

  // Attempts that an earlier loop, or a person, left open.
  absl::Status FinishOpen() {
    ASSIGN_OR_RETURN(const TaskState state,
                     LoadTask(context_.repository, context_.task));
    ASSIGN_OR_RETURN(
        const auto history,
        ReadHistory(context_.repository, state.settings.base, state.tip));
    ASSIGN_OR_RETURN(const auto attempts,
                     OpenAttempts(context_.repository, context_.task, history));
    for (const Attempt& attempt : attempts) {
      if (EndNow()) return absl::OkStatus();
      ASSIGN_OR_RETURN(const bool empty,
                       context_.repository.IsAncestor(attempt.head, state.tip));
      std::vector<Working> batch;
      batch.emplace_back().attempt = attempt;
      RETURN_IF_ERROR(OpenWork(batch.back()));
      if (empty) RETURN_IF_ERROR(Implement(batch));
      RETURN_IF_ERROR(DecideOne(batch.back()));
    }
    return absl::OkStatus();
  }

  // A profile, a harvest: what `next` would have a person do first.
  absl::Status Upkeep() {
    ASSIGN_OR_RETURN(const std::vector<Suggestion> steps,
                     Suggestions(context_));
    for (const Suggestion& step : steps) {
      switch (step.kind) {
        case Suggestion::Kind::kProfile:
          RETURN_IF_ERROR(
              Remember("profile", Profile(context_, ProfileOptions())));
          break;
        case Suggestion::Kind::kHarvest:
          RETURN_IF_ERROR(
              Remember("harvest", Harvest(context_, HarvestOptions())));
          break;
        case Suggestion::Kind::kRaiseHorizon:
          ending_ = step.step.why;
          return absl::OkStatus();
        case Suggestion::Kind::kRaiseBudget:
          Say(session(), absl::StrCat("hint: ", step.step.command.Text(), ": ",
                                      step.step.why));
          break;
        case Suggestion::Kind::kDecide:
        case Suggestion::Kind::kStart:
          break;
      }
    }
    return absl::OkStatus();
  }

  // A profile that cannot be made here does not end the night.
  absl::Status Remember(const char* what,
                        const absl::StatusOr<VerbResult>& did) {
    if (absl::IsCancelled(did.status())) return did.status();
    Event(what,
          {{"ok", did.ok()}, {"message", std::string(did.status().message())}});
    if (!did.ok()) {
      Say(session(), absl::StrCat("warning: ", what, ": ",
                                  std::string(did.status().message())));
    }
    return absl::OkStatus();
  }

  // Up to `jobs` attempts: implemented side by side, then decided one by one.
  absl::Status OneBatch() {
    std::vector<Working> batch;
    while (static_cast<int>(batch.size()) < options_.jobs &&
           !BatchIsFull(batch)) {
      ASSIGN_OR_RETURN(const std::optional<Idea> idea, ideas_.Next());
      if (!idea.has_value()) break;
      ASSIGN_OR_RETURN(const bool opened, Open(*idea, batch));
      if (!opened && failures_ >= options_.max_failures) break;
    }
    if (batch.empty()) {
      if (ideas_.used_up() && ending_.empty()) ending_ = "no idea is left";
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(Implement(batch));
    for (Working& work : batch) RETURN_IF_ERROR(DecideOne(work));
    return absl::OkStatus();
  }

  bool BatchIsFull(const std::vector<Working>& batch) const {
    return ideas_.used_up() ||
           (options_.attempts.has_value() &&
            attempts_ + static_cast<std::int64_t>(batch.size()) >=
                *options_.attempts);
  }

  // Opens the attempt of an idea. False when it cannot be started (it was tried
  // before, the profile has no such part): said and counted, not the end.
  absl::StatusOr<bool> Open(const Idea& idea, std::vector<Working>& batch) {
    StartOptions start;
    start.approach = idea.approach;
    start.hypothesis = idea.hypothesis;
    start.details = idea.details;
    start.targets = idea.targets;
    start.expect = idea.expect;
    ASSIGN_OR_RETURN(const std::string steering, SteeringText());
    if (!steering.empty()) absl::StrAppend(&start.details, "\n\n", steering);
    const auto started = Start(context_, start);
    if (!started.ok()) {
      if (absl::IsCancelled(started.status())) return started.status();
      ++failures_;
      Line(idea.approach,
           absl::StrCat("not started: ",
                        std::string(started.status().message())));
      return false;
    }
    Working work;
    ASSIGN_OR_RETURN(work.attempt, FindAttempt(context_.repository,
                                               context_.task, idea.approach));
    RETURN_IF_ERROR(OpenWork(work));
    Event("start",
          {{"approach", idea.approach}, {"hypothesis", idea.hypothesis}});
    batch.push_back(std::move(work));
    return true;
  }

  absl::Status OpenWork(Working& work) {
    ASSIGN_OR_RETURN(work.worktree,
                     EnsureAttemptWorktree(session(), context_.repository,
                                           context_.task, work.attempt));
    ASSIGN_OR_RETURN(work.prompt,
                     ReadTaskFile(context_.repository, context_.task,
                                  context_.task.branch_ref(),
                                  work.attempt.approach + "/prompts.md"));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> SteeringText() {
    auto text = Files().ReadFile(folder_.Steering());
    if (absl::IsNotFound(text.status())) return std::string();
    return text;
  }

  // Runs the implementer for all of `batch` at once; returns when all ended.
  absl::Status Implement(std::vector<Working>& batch) {
    for (Working& work : batch) RETURN_IF_ERROR(StartImplementer(work));
    for (Working& work : batch) RETURN_IF_ERROR(WaitFor(work));
    return absl::OkStatus();
  }

  absl::Status StartImplementer(Working& work) {
    Say(session(), absl::StrCat("implementing ", work.attempt.approach));
    const std::string prompt_file = JoinPath(
        folder_.path,
        absl::StrCat("prompt-", AttemptNumberText(work.attempt.number), ".md"));
    RETURN_IF_ERROR(Files().WriteFile(prompt_file, work.prompt));
    ASSIGN_OR_RETURN(
        RunningImplementer running,
        RunningImplementer::Start(session(), recipe_, work.worktree,
                                  prompt_file, work.prompt));
    work.running.emplace(std::move(running));
    work.started = Now();
    work.timed_out = false;
    return absl::OkStatus();
  }

  absl::Status WaitFor(Working& work) {
    while (true) {
      ASSIGN_OR_RETURN(const bool ended, work.running->PollEnded(kPoll));
      if (ended) break;
      if (session().interrupted()) {
        work.running->Stop();
        return absl::CancelledError("interrupted");
      }
      if (Now() - work.started >= budget_.implementer_timeout) {
        work.timed_out = true;
        work.running->Stop();
        break;
      }
    }
    ASSIGN_OR_RETURN(
        ImplementerEnd end,
        work.running->Finish(
            session(),
            folder_.File(absl::StrCat(
                "implementer-", AttemptNumberText(work.attempt.number)))));
    work.running.reset();
    usd_ += end.usd.value_or(0.0);
    tokens_ += end.tokens.value_or(0);
    Json fields = {{"approach", work.attempt.approach},
                   {"exit_code", end.exit_code},
                   {"timed_out", work.timed_out},
                   {"seconds", end.seconds}};
    if (end.usd.has_value()) fields["usd"] = *end.usd;
    if (end.tokens.has_value()) fields["tokens"] = *end.tokens;
    Event("implemented", std::move(fields));
    return absl::OkStatus();
  }

  // Decides; gives a failed build or test back once; records a crash then.
  absl::Status DecideOne(Working& work) {
    ++attempts_;
    DecideOptions options;
    options.approach = work.attempt.approach;
    auto decided = Decide(context_, options);
    if (absl::IsAborted(decided.status())) {
      const std::string failure(decided.status().message());
      Say(session(),
          absl::StrCat(work.attempt.approach, ": ",
                       OneLine(failure, kReasonLimit), "; given back once"));
      absl::StrAppend(&work.prompt, "\n## It does not work yet\n\n> ",
                      OneLine(failure, 2000),
                      "\n\nMend it on this branch; everything above holds.\n");
      std::vector<Working> again;
      again.push_back(std::move(work));
      RETURN_IF_ERROR(Implement(again));
      work = std::move(again.front());
      decided = Decide(context_, options);
    }
    if (absl::IsCancelled(decided.status())) return decided.status();
    if (!decided.ok() && !absl::IsUnavailable(decided.status())) {
      options.crash =
          OneLine(std::string(decided.status().message()), kReasonLimit);
      decided = Decide(context_, options);
    }
    if (absl::IsCancelled(decided.status())) return decided.status();
    return Count(work.attempt, decided);
  }

  absl::Status Count(const Attempt& attempt,
                     const absl::StatusOr<VerbResult>& decided) {
    if (!decided.ok()) {
      ++failures_;
      Line(attempt.approach,
           absl::StrCat("open: ", std::string(decided.status().message())));
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const TaskState state,
                     LoadTask(context_.repository, context_.task));
    const bool measured =
        !state.ledger.rows.empty() && IsMeasured(state.ledger.rows.back());
    failures_ = measured ? 0 : failures_ + 1;
    ++counts_[decided->decision];
    Line(attempt.approach,
         absl::StrCat(decided->decision, ": ", decided->reason));
    Event("decided", {{"approach", attempt.approach},
                      {"decision", decided->decision},
                      {"reason", decided->reason}});
    return absl::OkStatus();
  }

  // A line an attempt.
  void Line(const std::string& approach, const std::string& text) {
    lines_.push_back(absl::StrCat(approach, "  ", OneLine(text, 200)));
    Say(session(), lines_.back());
  }

  VerbResult Result() {
    VerbResult result;
    result.lines = lines_;
    std::string counts;
    for (const auto& [decision, count] : counts_) {
      absl::StrAppend(&counts, counts.empty() ? "" : ", ", count, " ",
                      decision);
    }
    result.lines.push_back(
        absl::StrCat("ended: ", ending_, "; ", attempts_, " decided",
                     counts.empty() ? "" : absl::StrCat(" (", counts, ")")));
    result.fields.Text("task", context_.task.id);
    result.fields.Text("ended", ending_);
    result.fields.Count("attempts", attempts_);
    result.fields.Number("usd", usd_);
    result.fields.Count("tokens", tokens_);
    result.fields.Text("events", folder_.Events());
    result.next = {{Autotune({"status"}), "where the task stands"},
                   {Autotune({"harvest"}), "measure start against tip"}};
    return result;
  }

  const TaskContext& context_;
  const LoopOptions& options_;
  Budget budget_;
  ImplementerRecipe recipe_;
  LoopFolder folder_;
  IdeaSource ideas_;
  absl::Duration begun_;
  std::string ending_;  // why it ends; empty: it goes on
  std::int64_t attempts_ = 0;
  std::int64_t failures_ = 0;  // in a row
  double usd_ = 0.0;
  std::int64_t tokens_ = 0;
  std::map<std::string, std::int64_t> counts_;
  std::vector<std::string> lines_;
};

}  // namespace

absl::StatusOr<VerbResult> Loop(const TaskContext& context,
                                const LoopOptions& options) {
  ASSIGN_OR_RETURN(const Budget budget, CheckOptions(options));
  ASSIGN_OR_RETURN(ImplementerRecipe recipe,
                   FindRecipe(context.session, options.implementer));
  ASSIGN_OR_RETURN(LoopFolder folder, LoopFolderOf(context));
  if (context.session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would run ", CommandText(recipe.command),
                                 " for each idea")};
    return result;
  }
  return LoopRun(context, options, budget, std::move(recipe), std::move(folder))
      .Run();
}

}  // namespace autotune
