#ifndef AUTOTUNE_TOOLS_SYSTEM_CLOCK_H_
#define AUTOTUNE_TOOLS_SYSTEM_CLOCK_H_

#include <memory>

#include "absl/time/time.h"

namespace autotune {

// Seam for time: tests pass a clock they turn by hand.
class Clock {
 public:
  virtual ~Clock() = default;

  // Wall-clock time, for dates and logs.
  virtual absl::Time Now() = 0;
  // Time since an arbitrary fixed point; never goes back. For intervals.
  virtual absl::Duration Monotonic() = 0;
  virtual void SleepFor(absl::Duration duration) = 0;
};

// The machine's own clock.
std::unique_ptr<Clock> MakeSystemClock();

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_SYSTEM_CLOCK_H_
