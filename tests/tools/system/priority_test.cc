#include "tools/system/priority.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tools/system/process_runner.h"

namespace autotune {
namespace {

TEST(RaisedPriorityTest, LastsForItsLifeAndReachesChildren) {
  const int before = getpriority(PRIO_PROCESS, 0);
  {
    const RaisedPriority priority(-3);
    const int expected = priority.raised() ? std::max(-20, before - 3) : before;
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
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), priority.raised() ? -20 : before);
  }
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

}  // namespace
}  // namespace autotune
