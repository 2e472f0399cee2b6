#ifndef AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_
#define AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/system/unique_fd.h"

namespace autotune {

// An exclusive flock(2) on a file, held while it lives. The kernel releases it
// when the holder dies, however it dies.
class FileLock {
 public:
  explicit FileLock(UniqueFd locked) : locked_(std::move(locked)) {}

 private:
  UniqueFd locked_;  // closing it releases the lock
};

// Takes the lock on `path` (created when missing), waiting at most `patience`;
// writes pid, host and boot id into it. Unavailable, naming the holder, when
// another process keeps it: exit code 75.
absl::StatusOr<FileLock> AcquireFileLock(const std::string& path,
                                         absl::Duration patience);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_FILE_LOCK_H_
