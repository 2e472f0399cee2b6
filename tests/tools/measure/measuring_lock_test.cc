#include "tools/measure/measuring_lock.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class MeasuringLockTest : public testing::Test {
 protected:
  absl::StatusOr<FileLock> Acquire(bool interrupted) {
    return AcquireMeasuringLock(
        {environment_, *clock_, [interrupted] { return interrupted; },
         [this](std::string_view line) { said_.emplace_back(line); }});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Clock> clock_ = MakeSystemClock();
  std::map<std::string, std::string> environment_ = {
      {"AUTOTUNE_MEASURE_LOCK", folder_.Join("lock")}};
  std::vector<std::string> said_;
};

TEST_F(MeasuringLockTest, IsTakenAtOnceWhenFree) {
  EXPECT_OK(Acquire(false));
  EXPECT_OK(Acquire(false)) << "released";
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(MeasuringLockTest, SaysThatItWaitsAndHeedsAnInterrupt) {
  ASSERT_OK_AND_ASSIGN(const auto held, Acquire(false));
  EXPECT_THAT(Acquire(true),
              StatusIs(absl::StatusCode::kCancelled,
                       "interrupted; run the same command again"));
  EXPECT_THAT(said_, ElementsAre(StartsWith(
                         "waiting: another run measures on this machine (")));
}

}  // namespace
}  // namespace autotune
