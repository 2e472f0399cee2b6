#include "tools/autotune/deciding/open_attempt.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/autotune/deciding/outcome.h"
#include "tools/autotune/deciding/preparation.h"
#include "tools/autotune/measuring/build.h"
#include "tools/autotune/task/attempt_worktree.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/preflight.h"
#include "tools/autotune/task/prompt.h"
#include "tools/autotune/walls/scope_check.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

// Removes what only an open attempt needs; repeated after a crash.
absl::Status CleanUp(const Session& session, const Repository& repository,
                     const TaskState& state, const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, state.task));
  RETURN_IF_ERROR(
      RemoveAttemptWorktree(session, repository, state.task, attempt));
  FaultPoint("worktree-removed");
  return session.seams.files.RemoveAll(
      DecideDirectory(directory, attempt.number));
}

// An attempt without a commit gets an empty one, so that history can hold it.
absl::StatusOr<std::string> EmptyCommit(const Repository& repository,
                                        const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(attempt.head));
  return CommitTree(
      repository, tree, {attempt.head},
      absl::StrCat("autotune: ", attempt.approach, " changes nothing\n"));
}

// The uncommitted files that an attempt may bring, and the others.
struct Leftovers {
  std::vector<std::string> ours;
  std::vector<std::string> others;
};

// A file as a change that has no other fault than where it lies: whether its
// contents are allowed is judged once it is committed.
TreeChange ChangeAt(FileSystem& files, const std::string& worktree,
                    const std::string& path) {
  TreeChange change;
  change.path = path;
  const auto info = files.Info(JoinPath(worktree, path));
  const bool link = info.ok() && info->kind == FileInfo::Kind::kSymlink;
  change.old_mode = change.new_mode = link ? "120000" : "100644";
  return change;
}

absl::StatusOr<Leftovers> FindLeftovers(const Repository& repository,
                                        const Scope& scope,
                                        const std::string& worktree) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                   UncommittedFiles(repository, worktree));
  Leftovers leftovers;
  for (const std::string& path : paths) {
    const TreeChange change = ChangeAt(repository.files(), worktree, path);
    const auto violations = FindScopeViolations(scope, {change});
    const bool folder = path.ends_with('/');  // a repository of its own
    const bool ours = !folder && (violations.empty() ||
                                  violations.front().may_be_source_list);
    (ours ? leftovers.ours : leftovers.others).push_back(path);
  }
  return leftovers;
}

// What else is staged there stays staged and out of the commit.
absl::Status CommitFiles(const Repository& repository,
                         const std::string& worktree,
                         const std::vector<std::string>& paths,
                         const std::string& message) {
  std::string list;
  for (const std::string& path : paths) list.append(path).push_back('\0');
  RETURN_IF_ERROR(repository
                      .Output({{"update-index", "--add", "--remove",
                                "--replace", "-z", "--stdin"},
                               list,
                               {},
                               worktree})
                      .status());
  return repository
      .Output({{"commit", "-q", "-m", message, "--only",
                "--pathspec-from-file=-", "--pathspec-file-nul"},
               list,
               {},
               worktree})
      .status();
}

}  // namespace

absl::Status CommitLeftovers(const Session& session,
                             const Repository& repository,
                             const TaskState& state, Attempt& attempt) {
  RETURN_IF_ERROR(CheckAttemptAtRest(repository, attempt.branch));
  ASSIGN_OR_RETURN(const auto worktree,
                   FindAttemptWorktree(repository, attempt));
  // A folder that was deleted by hand left nothing.
  if (!worktree.has_value() || !session.seams.files.Exists(*worktree)) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(
      const Leftovers left,
      FindLeftovers(repository, AttemptScope(state, attempt), *worktree));
  if (!left.others.empty()) {
    Say(session,
        absl::StrCat("left out of ", attempt.approach,
                     ", for it may not bring them: ", FileList(left.others)));
  }
  if (left.ours.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(CommitFiles(
      repository, *worktree, left.ours,
      absl::StrCat("autotune: what ", attempt.approach, " left uncommitted")));
  Say(session, absl::StrCat("committed what ", attempt.approach,
                            " left uncommitted: ", FileList(left.ours)));
  ASSIGN_OR_RETURN(const auto head,
                   repository.ResolveCommit(BranchRef(attempt.branch)));
  attempt.head = head.value_or(attempt.head);
  return absl::OkStatus();
}

absl::Status CompleteAttempt(const TaskState& state, OpenAttempt& open,
                             bool& has_commit) {
  RETURN_IF_ERROR(
      CommitLeftovers(open.session, open.repository, state, open.attempt));
  ASSIGN_OR_RETURN(const std::string prompt,
                   ReadTaskFile(open.repository, open.task, state.tip,
                                open.attempt.approach + "/prompts.md"));
  open.hypothesis = HypothesisOf(prompt);
  ASSIGN_OR_RETURN(const bool empty,
                   HasNoCommit(open.repository, state, open.attempt));
  has_commit = !empty;
  if (has_commit) {
    ASSIGN_OR_RETURN(open.base, BaseOf(open.repository, state, open.attempt));
    return absl::OkStatus();
  }
  open.base = open.attempt.head;
  ASSIGN_OR_RETURN(open.attempt.head,
                   EmptyCommit(open.repository, open.attempt));
  return absl::OkStatus();
}

absl::StatusOr<HistoryEntry> IntegrateAnyway(const OpenAttempt& open,
                                             const AttemptRecord& record) {
  ASSIGN_OR_RETURN(const auto entry,
                   Integrate(open.session, open.repository, open.task, record));
  if (entry.has_value()) return *entry;
  return absl::UnavailableError("the working branch keeps moving; try again");
}

absl::StatusOr<HistoryEntry> RecordUnmeasured(const OpenAttempt& open,
                                              const TaskState& state,
                                              AttemptStatus decision,
                                              std::string_view reason,
                                              bool merge_trees) {
  AttemptRecord record = UnmeasuredRecord(state, open.attempt, open.base,
                                          open.hypothesis, decision, reason);
  record.merge_trees = merge_trees;
  return IntegrateAnyway(open, record);
}

absl::StatusOr<VerbResult> FinishRecorded(const Session& session,
                                          const Repository& repository,
                                          const Task& task,
                                          const Attempt& attempt,
                                          const HistoryEntry& entry) {
  ASSIGN_OR_RETURN(const TaskState state, LoadTask(repository, task));
  const absl::Status cleaned = CleanUp(session, repository, state, attempt);
  if (!cleaned.ok()) {
    Say(session, absl::StrCat("warning: not everything was cleaned up: ",
                              cleaned.message()));
  }
  return RecordedResult(repository, state, entry);
}

}  // namespace autotune
