#ifndef AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_
#define AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace autotune {

// An exclusive flock(2) on a file, held until destroyed. The kernel releases it
// when the holder dies, however it dies.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// Takes the lock on `path` (created when missing), waiting at most `patience`;
// writes pid, host and boot id into it. Unavailable, naming the holder, when
// another process keeps it: exit code 75.
absl::StatusOr<std::unique_ptr<FileLock>> AcquireFileLock(
    const std::string& path, absl::Duration patience);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_
