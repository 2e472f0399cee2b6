#include "tools/autotune/verbs/revive.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/attempt_creation.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/prompt.h"
#include "tools/autotune/task/task.h"
#include "tools/git/integration.h"
#include "tools/git/tree_merge.h"
#include "tools/ledger/slug.h"

namespace autotune {
namespace {

// A decided attempt and the commit its own commits start after.
struct Revived {
  HistoryEntry entry;
  std::string base;
};

absl::StatusOr<Revived> FindRevived(const Repository& repository,
                                    const std::vector<HistoryEntry>& history,
                                    const std::string& name) {
  ASSIGN_OR_RETURN(const std::string approach, Slug(name));
  const auto entry = FindEntry(history, approach);
  if (!entry.has_value()) {
    return WithHint(absl::FailedPreconditionError(
                        absl::StrCat("no decided attempt \"", approach, "\"")),
                    {Autotune({"status"}), " lists the attempts"});
  }
  ASSIGN_OR_RETURN(
      const std::string base,
      repository.Git({"merge-base", entry->mainline, entry->attempt_commit}));
  return Revived{*entry, base.substr(0, base.find('\n'))};
}

// The first of NAME-2, NAME-3, ... that was not decided yet: an interrupted or
// still open revival is continued.
absl::StatusOr<std::string> NameFor(const std::vector<HistoryEntry>& history,
                                    const ReviveOptions& options,
                                    const std::string& first) {
  if (!options.name.empty()) return Slug(options.name);
  std::vector<std::string> taken = {first};
  for (const HistoryEntry& entry : history) taken.push_back(entry.approach);
  return UniqueSlug(first, taken);
}

absl::StatusOr<std::string> Hypothesis(const Repository& repository,
                                       const TaskState& state,
                                       const std::vector<Revived>& revived) {
  std::vector<std::string> parts;
  for (const Revived& one : revived) {
    ASSIGN_OR_RETURN(const std::string prompt,
                     ReadTaskFile(repository, state.task, state.tip,
                                  one.entry.approach + "/prompts.md"));
    parts.push_back(
        absl::StrCat(one.entry.approach, " again: ", HypothesisOf(prompt)));
  }
  return absl::StrJoin(parts, "\n");
}

absl::Status ConflictOf(const Revived& revived,
                        const std::vector<std::string>& files) {
  return WithHint(absl::FailedPreconditionError(absl::StrCat(
                      revived.entry.approach,
                      " conflicts with the tip: ", absl::StrJoin(files, ", "))),
                  "start a new attempt and make the change by hand");
}

// The code change of one attempt as a single commit on `onto`, its notes left
// where they are. By the author of its last commit.
absl::StatusOr<std::string> PickOne(const Repository& repository,
                                    const Revived& revived,
                                    const std::string& onto) {
  const std::string& head = revived.entry.attempt_commit;
  ASSIGN_OR_RETURN(const std::string base_code,
                   CodeTree(repository, revived.base));
  ASSIGN_OR_RETURN(const std::string head_code, CodeTree(repository, head));
  ASSIGN_OR_RETURN(const std::string onto_code, CodeTree(repository, onto));
  ASSIGN_OR_RETURN(const TreeMerge merge,
                   MergeTreesOver(repository, base_code, onto_code, head_code));
  if (!merge.clean()) return ConflictOf(revived, merge.conflicts);
  ASSIGN_OR_RETURN(const std::string tree,
                   WithLedgerOf(repository, merge.tree, onto));
  ASSIGN_OR_RETURN(const std::vector<CommitInfo> author,
                   repository.History({"-1", head}));
  return CommitTree(repository, tree, {onto},
                    absl::StrCat(revived.entry.approach,
                                 " again\n\nThe change of ", head, ".\n"),
                    author.front());
}

absl::StatusOr<std::string> PickAll(const Repository& repository,
                                    const std::vector<Revived>& revived,
                                    const std::string& onto) {
  std::string head = onto;
  for (const Revived& one : revived) {
    ASSIGN_OR_RETURN(head, PickOne(repository, one, head));
  }
  return head;
}

absl::StatusOr<std::vector<Revived>> FindAll(
    const Repository& repository, const std::vector<HistoryEntry>& history,
    const std::vector<std::string>& names) {
  std::vector<Revived> revived;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const Revived one, FindRevived(repository, history, name));
    revived.push_back(one);
  }
  return revived;
}

}  // namespace

absl::StatusOr<VerbResult> Revive(const TaskContext& context,
                                  const ReviveOptions& options) {
  const Session& session = context.session;
  const Repository& repository = context.repository;
  const Task& task = context.task;
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  ASSIGN_OR_RETURN(const std::vector<Revived> revived,
                   FindAll(repository, history, options.approaches));
  NewAttempt wanted;
  ASSIGN_OR_RETURN(wanted.approach,
                   NameFor(history, options, revived.front().entry.approach));
  RETURN_IF_ERROR(CheckNotDecided(repository, state, wanted.approach));
  RETURN_IF_ERROR(CheckReadyToWrite(repository, task.branch()));
  ASSIGN_OR_RETURN(wanted.hypothesis, Hypothesis(repository, state, revived));
  // Conflicts are found before the prompt is committed.
  RETURN_IF_ERROR(PickAll(repository, revived, state.tip).status());
  wanted.head = [&](const std::string& plan) {
    return PickAll(repository, revived, plan);
  };
  if (session.dry_run) {
    VerbResult result;
    result.lines = {absl::StrCat("would open ", wanted.approach)};
    return result;
  }
  ASSIGN_OR_RETURN(const Attempt attempt,
                   EnsureAttempt(session, repository, task, wanted));
  ASSIGN_OR_RETURN(const std::string worktree,
                   EnsureAttemptWorktree(session, repository, task, attempt));
  return StartedResult(task, attempt, worktree);
}

}  // namespace autotune
