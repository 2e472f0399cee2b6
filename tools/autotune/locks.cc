#include "tools/autotune/locks.h"

#include <unistd.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "base/annotate.h"
#include "base/status_macros.h"
#include "tools/system/file_system.h"

namespace autotune {
namespace {

constexpr absl::Duration kIntegrationPatience = absl::Seconds(30);
constexpr absl::Duration kWorktreePatience = absl::Minutes(10);
constexpr absl::Duration kMeasuringPatience = absl::Hours(1);
// Several tries while waiting, so that Ctrl-C is heeded.
constexpr absl::Duration kAsk = absl::Milliseconds(500);

absl::StatusOr<std::string> LockPath(const Repository& repository,
                                     const std::string& name) {
  const std::string folder = JoinPath(repository.common_dir(), "autotune");
  RETURN_IF_ERROR(MakePosixFileSystem()->MakeDirectories(folder));
  return JoinPath(folder, name + ".lock");
}

absl::StatusOr<HeldLock> WaitForMeasuring(const Session& session,
                                          const std::string& path) {
  absl::StatusOr<HeldLock> lock = AcquireFileLock(path, absl::ZeroDuration());
  if (!absl::IsUnavailable(lock.status())) return lock;
  Say(session, absl::StrCat("waiting: another run measures on this machine (",
                            lock.status().message(), ")"));
  const absl::Duration start = session.seams.clock.Monotonic();
  while (absl::IsUnavailable(lock.status()) &&
         session.seams.clock.Monotonic() - start < kMeasuringPatience) {
    if (session.interrupted()) {
      return absl::CancelledError("interrupted; run the same command again");
    }
    lock = AcquireFileLock(path, kAsk);
  }
  return lock;
}

}  // namespace

absl::StatusOr<HeldLock> LockIntegration(const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string path, LockPath(repository, "integrate"));
  return AcquireFileLock(path, kIntegrationPatience);
}

absl::StatusOr<HeldLock> LockAttempt(const Repository& repository,
                                     std::string_view branch) {
  ASSIGN_OR_RETURN(
      const std::string path,
      LockPath(repository, absl::StrReplaceAll(
                               absl::string_view(branch.data(), branch.size()),
                               {{"/", "-"}})));
  return AcquireFileLock(path, absl::ZeroDuration());
}

absl::StatusOr<HeldLock> LockWorktrees(const Repository& repository) {
  ASSIGN_OR_RETURN(const std::string path, LockPath(repository, "worktrees"));
  return AcquireFileLock(path, kWorktreePatience);
}

absl::StatusOr<HeldLock> LockMeasuring(const Session& session) {
  const auto chosen = session.environment.find("AUTOTUNE_MEASURE_LOCK");
  if (chosen != session.environment.end() && !chosen->second.empty()) {
    return WaitForMeasuring(session, chosen->second);
  }
  absl::StatusOr<HeldLock> lock =
      WaitForMeasuring(session, "/tmp/autotune-measure.lock");
  if (!absl::IsPermissionDenied(lock.status())) return lock;
  return WaitForMeasuring(
      session, absl::StrCat("/tmp/autotune-measure-", getuid(), ".lock"));
}

}  // namespace autotune
