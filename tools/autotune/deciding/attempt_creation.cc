#include "tools/autotune/deciding/attempt_creation.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/history.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/prompt.h"
#include "tools/git/integration.h"
#include "tools/git/names.h"
#include "tools/ledger/log_file.h"

namespace autotune {
namespace {

// Numbers tried when others create attempts at the same time, each taking one.
// Creation is serialised, so only refs made by hand or fetched are in the way.
constexpr int kNumberTries = 50;

// Without a profile: the reason, where the profile would stand.
void AddNoProfile(const Session& session, const TaskState& state,
                  const std::string& reason, LedgerCommit& commit) {
  TaskProfile none;
  none.commit = state.tip;
  none.date = LocalDate(session);
  none.rows = static_cast<std::int64_t>(state.ledger.rows.size());
  none.reason = OneLine(reason, 400);
  commit.edits.push_back(
      {state.task.File("profile.json"), FormatTaskProfile(none)});
  commit.edits.push_back(
      LogEdit(state, kArchitectureNotes,
              absl::StrCat(none.date, ", no profile: ", none.reason)));
}

absl::StatusOr<LedgerCommit> PlanCommit(const Session& session,
                                        const Repository& repository,
                                        const TaskState& state,
                                        const NewAttempt& wanted) {
  ASSIGN_OR_RETURN(const PromptInput input,
                   GatherPrompt(repository, state, wanted));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  AttemptPlan plan;
  plan.phase = ProgressOf(state, history).phase;
  plan.part = wanted.part;
  if (wanted.end_to_end.has_value()) {
    plan.predicted_ratio = 1.0 - *wanted.end_to_end;
  }
  LedgerCommit commit;
  commit.message = PlanMessage(wanted.approach, plan);
  commit.edits = {
      {state.task.File(wanted.approach + "/prompts.md"), PromptText(input)}};
  if (wanted.no_profile.has_value() && !input.profile.has_value()) {
    AddNoProfile(session, state, *wanted.no_profile, commit);
  }
  return commit;
}

// Commits the prompt unless the tip has one; returns the tip.
absl::StatusOr<std::string> EnsurePlan(const Session& session,
                                       const Repository& repository,
                                       const Task& task,
                                       const NewAttempt& wanted) {
  return CommitToTask(
      session, repository, task,
      [&](const TaskState& state) -> absl::StatusOr<LedgerCommit> {
        ASSIGN_OR_RETURN(const std::string prompt,
                         ReadTaskFile(repository, task, state.tip,
                                      wanted.approach + "/prompts.md"));
        if (!prompt.empty()) return LedgerCommit{};
        if (wanted.hypothesis.empty()) {
          return absl::OutOfRangeError(
              "--hypothesis is required: what should make it faster, and why");
        }
        return PlanCommit(session, repository, state, wanted);
      });
}

// The commit of the working branch's own line that brought the prompt.
absl::StatusOr<std::string> PlanOf(const Repository& repository,
                                   const Task& task, const std::string& tip,
                                   const std::string& approach) {
  ASSIGN_OR_RETURN(const std::string commit,
                   repository.Git({"log", "--first-parent", "-1",
                                   "--diff-filter=A", "--format=%H", tip, "--",
                                   task.File(approach + "/prompts.md")}));
  const std::string sha(absl::StripAsciiWhitespace(commit));
  if (!sha.empty()) return sha;
  return absl::FailedPreconditionError(
      absl::StrCat(task.branch(), ": no commit of its own adds ",
                   task.File(approach + "/prompts.md")));
}

}  // namespace

absl::StatusOr<std::optional<Attempt>> ExistingAttempt(
    const Repository& repository, const Task& task,
    const std::string& approach) {
  ASSIGN_OR_RETURN(const std::vector<Attempt> attempts,
                   ListAttempts(repository, task));
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend();
       ++attempt) {
    if (attempt->approach == approach) return *attempt;
  }
  return std::nullopt;
}

absl::Status CheckNotDecided(const Repository& repository,
                             const TaskState& state,
                             const std::string& approach) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  const auto entry = FindEntry(history, approach);
  if (!entry.has_value()) return absl::OkStatus();
  return WithHint(absl::FailedPreconditionError(absl::StrCat(
                      "attempt ", approach,
                      " was already decided: ", DecisionText(*entry))),
                  {"choose another name, or ", Autotune({"revive", approach})});
}

absl::StatusOr<Attempt> CreateAttempt(const Repository& repository,
                                      const Task& task,
                                      const std::string& approach,
                                      const std::string& head) {
  ASSIGN_OR_RETURN(const int first, NextAttemptNumber(repository, task));
  for (int number = first; number < first + kNumberTries; ++number) {
    const std::string branch = AttemptBranch(task.id, number, approach);
    const absl::Status made =
        CreateRef(repository, "refs/heads/" + branch, head);
    if (made.ok()) return Attempt{number, approach, branch, head};
    if (!absl::IsAlreadyExists(made)) return made;
  }
  return absl::UnavailableError("other attempts take every number; try again");
}

absl::StatusOr<Attempt> EnsureAttempt(const Session& session,
                                      const Repository& repository,
                                      const Task& task,
                                      const NewAttempt& wanted) {
  ASSIGN_OR_RETURN(const auto existing,
                   ExistingAttempt(repository, task, wanted.approach));
  if (existing.has_value()) return *existing;
  ASSIGN_OR_RETURN(const std::string tip,
                   EnsurePlan(session, repository, task, wanted));
  FaultPoint("plan-committed");
  ASSIGN_OR_RETURN(const FileLock lock, LockIntegration(repository));
  ASSIGN_OR_RETURN(const auto made_meanwhile,
                   ExistingAttempt(repository, task, wanted.approach));
  if (made_meanwhile.has_value()) return *made_meanwhile;
  ASSIGN_OR_RETURN(const std::string plan,
                   PlanOf(repository, task, tip, wanted.approach));
  ASSIGN_OR_RETURN(const std::string head, wanted.head(plan));
  return CreateAttempt(repository, task, wanted.approach, head);
}

VerbResult StartedResult(const Task& task, const Attempt& attempt,
                         const std::string& worktree) {
  VerbResult result;
  result.lines = {absl::StrCat("attempt ", AttemptNumberText(attempt.number),
                               " ", attempt.approach, " is open"),
                  absl::StrCat("  worktree: ", worktree),
                  absl::StrCat("  branch:   ", attempt.branch),
                  absl::StrCat("  prompt:   ",
                               task.File(attempt.approach + "/prompts.md"))};
  result.fields.Text("task", task.id);
  result.fields.Text("approach", attempt.approach);
  result.fields.Count("number", attempt.number);
  result.fields.Text("branch", attempt.branch);
  result.fields.Text("worktree", worktree);
  result.worktree = worktree;
  result.fields.Text("prompt", task.File(attempt.approach + "/prompts.md"));
  result.next = {{Autotune({"check", attempt.approach}),
                  "after committing in the worktree: scope, build and test"},
                 {Autotune({"decide", attempt.approach}),
                  "measure against the working branch and record"}};
  return result;
}

}  // namespace autotune
