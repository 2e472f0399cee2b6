#include "tools/autotune/task/attempt_worktree.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/autotune/task/fault_point.h"
#include "tools/autotune/task/locks.h"
#include "tools/git/worktree.h"

namespace autotune {
namespace {

struct Place {
  std::string worktree;
  std::string ready;  // a file that says the worktree was made whole
};

absl::StatusOr<Place> AttemptPlace(const Session& session,
                                   const Repository& repository,
                                   const Task& task, const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::string directory,
                   TaskStateDirectory(session, repository, task));
  const std::string path = JoinPath(
      directory, absl::StrCat("attempt-", AttemptNumberText(attempt.number)));
  return Place{path, path + ".ready"};
}

absl::Status MakeWorktree(const Session& session, const Repository& repository,
                          const Attempt& attempt, const Place& place) {
  FileSystem& files = session.seams.files;
  RETURN_IF_ERROR(RemoveWorktree(repository, place.worktree));
  RETURN_IF_ERROR(files.RemoveAll(place.worktree));
  FaultPoint("worktree-cleared");
  RETURN_IF_ERROR(AddWorktree(repository, place.worktree, attempt.branch));
  FaultPoint("worktree-added");
  return files.WriteFile(place.ready, attempt.branch + "\n");
}

}  // namespace

absl::StatusOr<std::string> TaskStateDirectory(const Session& session,
                                               const Repository& repository,
                                               const Task& task) {
  ASSIGN_OR_RETURN(const std::string state,
                   StateDirectory(session, repository));
  const std::string directory = JoinPath(state, task.id);
  RETURN_IF_ERROR(session.seams.files.MakeDirectories(directory));
  return directory;
}

absl::StatusOr<std::optional<std::string>> FindAttemptWorktree(
    const Repository& repository, const Attempt& attempt) {
  ASSIGN_OR_RETURN(const std::vector<Worktree> worktrees,
                   ListWorktrees(repository));
  for (const Worktree& worktree : worktrees) {
    if (worktree.branch == "refs/heads/" + attempt.branch) return worktree.path;
  }
  return std::nullopt;
}

absl::StatusOr<std::string> EnsureAttemptWorktree(const Session& session,
                                                  const Repository& repository,
                                                  const Task& task,
                                                  const Attempt& attempt) {
  FileSystem& files = session.seams.files;
  ASSIGN_OR_RETURN(const Place place,
                   AttemptPlace(session, repository, task, attempt));
  ASSIGN_OR_RETURN(const FileLock lock, LockWorktrees(repository));
  ASSIGN_OR_RETURN(const auto existing,
                   FindAttemptWorktree(repository, attempt));
  const bool elsewhere = existing.has_value() && *existing != place.worktree;
  if (elsewhere && files.Exists(*existing)) return *existing;
  const bool whole = existing.has_value() && files.Exists(place.worktree) &&
                     files.Exists(place.ready);
  if (!whole) {
    RETURN_IF_ERROR(MakeWorktree(session, repository, attempt, place));
  }
  return place.worktree;
}

absl::Status RemoveAttemptWorktree(const Session& session,
                                   const Repository& repository,
                                   const Task& task, const Attempt& attempt) {
  ASSIGN_OR_RETURN(const Place place,
                   AttemptPlace(session, repository, task, attempt));
  ASSIGN_OR_RETURN(const FileLock lock, LockWorktrees(repository));
  RETURN_IF_ERROR(RemoveWorktree(repository, place.worktree));
  return session.seams.files.RemoveAll(place.ready);
}

}  // namespace autotune
