#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_LOCKS_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_LOCKS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/git/repository.h"
#include "tools/system/file_lock.h"

namespace autotune {

// Serialises everything that moves refs of one repository, whatever worktree it
// is called from: a flock on <common git folder>/autotune/integrate.lock, held
// for moments. Waits up to 30 s, then Unavailable (exit code 75).
absl::StatusOr<FileLock> LockIntegration(const Repository& repository);

// One decision per attempt at a time: a flock on
// <common git folder>/autotune/<name>.lock ("-" for "/"). Does not wait.
absl::StatusOr<FileLock> LockAttempt(const Repository& repository,
                                     std::string_view branch);

// Serialises the making and removing of worktrees of one repository: git has no
// lock of its own for it. Waits up to 10 minutes, for a large tree takes long.
absl::StatusOr<FileLock> LockWorktrees(const Repository& repository);

// Serialises measuring on this machine, whatever the repository: a flock on
// $AUTOTUNE_MEASURE_LOCK, else /tmp/autotune-measure.lock (with the user's id
// in the name when that one belongs to somebody else). Says so and waits up to
// an hour while another run measures.
absl::StatusOr<FileLock> LockMeasuring(const Session& session);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_LOCKS_H_
