#include "reporter/time_text.h"

#include <cstdlib>
#include <ctime>

namespace autotune::internal {
namespace {

using std::chrono::microseconds;
using std::chrono::system_clock;

// 2009-02-13T23:31:30Z; `date -u -d @1234567890`.
constexpr std::int64_t kMicroseconds = 1234567890123456;

system_clock::time_point Time() {
  return system_clock::time_point(microseconds(kMicroseconds));
}

void SetZone(const char* zone) {
  setenv("TZ", zone, 1);
  tzset();
}

TEST(TimeTextTest, UtcHasMicroseconds) {
  EXPECT_EQ(UtcTimeText(Time()), "2009-02-13T23:31:30.123456Z");
  EXPECT_EQ(UtcTimeText(system_clock::time_point()),
            "1970-01-01T00:00:00.000000Z");
}

TEST(TimeTextTest, LocalHasTheOffsetOfItsZone) {
  SetZone("XXX-5:30");  // POSIX counts west of Greenwich: this is +05:30
  EXPECT_EQ(LocalTimeText(Time()), "2009-02-14T05:01:30+05:30");
  SetZone("XXX3:15");
  EXPECT_EQ(LocalTimeText(Time()), "2009-02-13T20:16:30-03:15");
  SetZone("UTC0");
  EXPECT_EQ(LocalTimeText(Time()), "2009-02-13T23:31:30+00:00");
}

TEST(TimeTextTest, UnixSecondsAreToTheMicrosecond) {
  EXPECT_DOUBLE_EQ(UnixSeconds(Time()), 1234567890.123456);
}

}  // namespace
}  // namespace autotune::internal
