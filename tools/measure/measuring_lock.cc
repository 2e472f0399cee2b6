#include "tools/measure/measuring_lock.h"

#include <unistd.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace autotune {
namespace {

constexpr absl::Duration kPatience = absl::Hours(1);
// Several tries while waiting, so that Ctrl-C is heeded.
constexpr absl::Duration kAsk = absl::Milliseconds(500);

absl::StatusOr<FileLock> WaitForLock(const LockWait& wait,
                                     const std::string& path) {
  auto lock = AcquireFileLock(path, absl::ZeroDuration());
  if (!absl::IsUnavailable(lock.status())) return lock;
  wait.say(absl::StrCat("waiting: another run measures on this machine (",
                        lock.status().message(), ")"));
  const absl::Duration start = wait.clock.Monotonic();
  while (absl::IsUnavailable(lock.status()) &&
         wait.clock.Monotonic() - start < kPatience) {
    if (wait.interrupted()) {
      return absl::CancelledError("interrupted; run the same command again");
    }
    lock = AcquireFileLock(path, kAsk);
  }
  return lock;
}

}  // namespace

absl::StatusOr<FileLock> AcquireMeasuringLock(const LockWait& wait) {
  const auto chosen = wait.environment.find("AUTOTUNE_MEASURE_LOCK");
  if (chosen != wait.environment.end() && !chosen->second.empty()) {
    return WaitForLock(wait, chosen->second);
  }
  auto lock = WaitForLock(wait, "/tmp/autotune-measure.lock");
  if (!absl::IsPermissionDenied(lock.status())) return lock;
  return WaitForLock(wait,
                     absl::StrCat("/tmp/autotune-measure-", getuid(), ".lock"));
}

}  // namespace autotune
