#include "tools/autotune/verbs/adopt.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/task.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

absl::StatusOr<std::string> ResolveBranch(const Repository& repository,
                                          const std::string& branch) {
  ASSIGN_OR_RETURN(const auto commit, repository.ResolveCommit(branch));
  if (commit.has_value()) return *commit;
  return WithHint(absl::FailedPreconditionError(
                      absl::StrCat("adopt: \"", branch, "\" names no commit")),
                  "git branch --all lists what there is");
}

absl::StatusOr<std::string> SubjectOf(const Repository& repository,
                                      const std::string& commit) {
  ASSIGN_OR_RETURN(const std::string subject,
                   repository.Git({"log", "-1", "--format=%s", commit}));
  return OneLine(subject, 200);
}

// Brings an open attempt's branch up to the adopted branch's newer commits.
absl::StatusOr<Attempt> Follow(const Repository& repository, Attempt attempt,
                               const std::string& head) {
  if (attempt.head == head) return attempt;
  ASSIGN_OR_RETURN(const bool forward,
                   repository.IsAncestor(attempt.head, head));
  if (!forward) {
    return WithHint(absl::FailedPreconditionError(absl::StrCat(
                        "attempt ", attempt.approach,
                        " has other commits than ", head.substr(0, 12))),
                    "adopt it under another name with --as");
  }
  RETURN_IF_ERROR(repository
                      .Git({"update-ref", "refs/heads/" + attempt.branch, head,
                            attempt.head})
                      .status());
  attempt.head = head;
  return attempt;
}

absl::StatusOr<NewAttempt> Wanted(const Repository& repository,
                                  const AdoptOptions& options,
                                  const std::string& head) {
  NewAttempt wanted;
  const std::size_t slash = options.branch.rfind('/');
  const std::string last =
      options.branch.substr(slash == std::string::npos ? 0 : slash + 1);
  ASSIGN_OR_RETURN(wanted.approach,
                   Slug(options.approach.empty() ? last : options.approach));
  wanted.hypothesis = options.hypothesis;
  if (wanted.hypothesis.empty()) {
    ASSIGN_OR_RETURN(wanted.hypothesis, SubjectOf(repository, head));
  }
  wanted.head = [head](const std::string&) { return head; };
  return wanted;
}

VerbResult AdoptedResult(const Task& task, const Attempt& attempt) {
  VerbResult result;
  result.lines = {absl::StrCat("attempt ", AttemptNumberText(attempt.number),
                               " ", attempt.approach, " is open at ",
                               attempt.head.substr(0, 12))};
  result.fields.Text("task", task.id);
  result.fields.Text("approach", attempt.approach);
  result.fields.Count("number", attempt.number);
  result.fields.Text("branch", attempt.branch);
  result.fields.Text("commit", attempt.head);
  result.next = {{Autotune({"decide", attempt.approach}),
                  "measure it against the working branch"}};
  return result;
}

}  // namespace

absl::StatusOr<VerbResult> Adopt(const TaskContext& context,
                                 const AdoptOptions& options) {
  const auto& [session, repository, task] = context;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const std::string head,
                   ResolveBranch(repository, options.branch));
  ASSIGN_OR_RETURN(const NewAttempt wanted, Wanted(repository, options, head));
  RETURN_IF_ERROR(CheckNotDecided(repository, state, wanted.approach));
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(const auto existing,
                   ExistingAttempt(repository, task, wanted.approach));
  const Attempt candidate =
      existing.value_or(Attempt{0, wanted.approach, options.branch, head});
  RETURN_IF_ERROR(
      BaseOf(repository, state,
             {candidate.number, candidate.approach, candidate.branch, head})
          .status());
  if (session.dry_run) return AdoptedResult(task, candidate);
  ASSIGN_OR_RETURN(const Attempt attempt,
                   EnsureAttempt(session, repository, task, wanted));
  ASSIGN_OR_RETURN(const Attempt followed, Follow(repository, attempt, head));
  return AdoptedResult(task, followed);
}

}  // namespace autotune
