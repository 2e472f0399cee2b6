#include "tools/system/clock.h"

#include <memory>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"

namespace autotune {
namespace {

TEST(SystemClockTest, SleepingAdvancesBothTimesAtLeastAsFar) {
  const std::unique_ptr<Clock> clock = MakeSystemClock();
  const absl::Duration before = clock->Monotonic();
  clock->SleepFor(absl::Milliseconds(5));
  EXPECT_GE(clock->Monotonic() - before, absl::Milliseconds(5));
}

TEST(SystemClockTest, NowIsAfterThisTestWasWritten) {
  EXPECT_GT(MakeSystemClock()->Now(), absl::FromUnixSeconds(1577836800));
}

TEST(FakeClockTest, MovesOnlyByHandAndBySleeping) {
  FakeClock clock;
  const absl::Time start = clock.Now();
  EXPECT_EQ(clock.Now(), start);
  clock.Advance(absl::Seconds(2));
  clock.SleepFor(absl::Seconds(3));
  EXPECT_EQ(clock.Now() - start, absl::Seconds(5));
  EXPECT_EQ(clock.Monotonic(), absl::Seconds(5));
}

}  // namespace
}  // namespace autotune
