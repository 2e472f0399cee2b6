#ifndef AUTOTUNE_TOOLS_MEASURE_MEASURING_LOCK_H_
#define AUTOTUNE_TOOLS_MEASURE_MEASURING_LOCK_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/system/clock.h"
#include "tools/system/file_lock.h"

namespace autotune {

// Who waits for the lock, and how it is told.
struct LockWait {
  const std::map<std::string, std::string>& environment;
  Clock& clock;
  std::function<bool()> interrupted;          // asked while waiting
  std::function<void(std::string_view)> say;  // once, when it has to wait
};

// Serialises measuring on this machine, whatever the program or repository: a
// flock on $AUTOTUNE_MEASURE_LOCK, else /tmp/autotune-measure.lock (with the
// user's id in the name when that one belongs to somebody else). Waits up to an
// hour while another run measures: then Unavailable (exit code 75), Cancelled
// when interrupted.
absl::StatusOr<FileLock> AcquireMeasuringLock(const LockWait& wait);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_MEASURE_MEASURING_LOCK_H_
