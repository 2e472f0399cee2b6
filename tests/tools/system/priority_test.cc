#include "tools/system/priority.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

// Whether this process may run at the highest priority, found by a child that
// tries.
bool MayRaise() {
  ProcessSpec spec;
  spec.argv = {"nice", "-n", "-40", "nice"};
  const auto result = MakePosixProcessRunner()->Run(spec);
  return result.ok() && result->standard_output == "-20\n";
}

TEST(RaisedPriorityTest, LastsForItsLifeAndReachesChildren) {
  const int before = getpriority(PRIO_PROCESS, 0);
  {
    const RaisedPriority priority(-3);
    const int expected = MayRaise() ? std::max(-20, before - 3) : before;
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), expected);
    ProcessSpec spec;
    spec.argv = {"nice"};
    ASSERT_OK_AND_ASSIGN(const ProcessResult child,
                         MakePosixProcessRunner()->Run(spec));
    EXPECT_EQ(child.standard_output, std::to_string(expected) + "\n");
  }
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

TEST(RaisedPriorityTest, NeverGoesBeyondTheHighest) {
  const int before = getpriority(PRIO_PROCESS, 0);
  {
    const RaisedPriority priority(-100);
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), MayRaise() ? -20 : before);
  }
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

}  // namespace
}  // namespace autotune
