#include "tools/autotune/task/locks.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/measure/measuring_lock.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr absl::Duration kIntegrationPatience = absl::Seconds(30);
constexpr absl::Duration kWorktreePatience = absl::Minutes(10);

absl::StatusOr<std::string> LockPath(const Repository& repository,
                                     const std::string& name) {
  const std::string folder = JoinPath(repository.common_dir(), "autotune");
  RETURN_IF_ERROR(repository.files().MakeDirectories(folder));
  return JoinPath(folder, name + ".lock");
}

}  // namespace

absl::StatusOr<FileLock> LockIntegration(const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string path, LockPath(repository, "integrate"));
  return AcquireFileLock(path, kIntegrationPatience);
}

absl::StatusOr<FileLock> LockAttempt(const Repository& repository,
                                     std::string_view branch) {
  ASSIGN_OR_RETURN(
      const std::string path,
      LockPath(repository, absl::StrReplaceAll(
                               absl::string_view(branch.data(), branch.size()),
                               {{"/", "-"}})));
  return AcquireFileLock(path, absl::ZeroDuration());
}

absl::StatusOr<FileLock> LockWorktrees(const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string path, LockPath(repository, "worktrees"));
  return AcquireFileLock(path, kWorktreePatience);
}

absl::StatusOr<FileLock> LockMeasuring(const Session& session) {
  return AcquireMeasuringLock(
      {session.environment, session.seams.clock, session.interrupted,
       [&session](std::string_view line) { Say(session, line); }});
}

}  // namespace autotune
