#ifndef AUTOTUNE_TESTS_SUPPORT_FAKE_CLOCK_H_
#define AUTOTUNE_TESTS_SUPPORT_FAKE_CLOCK_H_

#include "absl/time/time.h"
#include "tools/system/clock.h"

namespace autotune {

// A clock turned by hand; sleeping turns it too. Starts at
// 2026-01-02T03:04:05Z.
class FakeClock : public Clock {
 public:
  absl::Time Now() override {
    return absl::FromUnixSeconds(1767323045) + passed_;
  }
  absl::Duration Monotonic() override { return passed_; }
  void SleepFor(absl::Duration duration) override { passed_ += duration; }

  void Advance(absl::Duration duration) { passed_ += duration; }

 private:
  absl::Duration passed_ = absl::ZeroDuration();
};

}  // namespace autotune

#endif  // AUTOTUNE_TESTS_SUPPORT_FAKE_CLOCK_H_
