// Whole cycles of the program on real repositories.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CycleTest : public AutotuneFixture {};

TEST_F(CycleTest, FasterAttemptIsKept) {
  InitTask();
  CommitAttempt("less work", "src/knob.txt", "300\n");
  const Answer answer = Run({"decide", "less-work"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("keep less-work: -6"));
  EXPECT_THAT(Subjects(), ElementsAre("task: start 2026-01-02-knob",
                                      "task: set policy.error_control",
                                      "plan: autotune iteration less-work",
                                      "merge: autotune iteration less-work",
                                      "ledger: keep less-work"));
  EXPECT_EQ(Git({"show", std::string(kBranch) + ":src/knob.txt"}), "300\n");
  EXPECT_EQ(Rows(), 1);
  ExpectSound();
}

TEST_F(CycleTest, SlowerAttemptIsDiscardedAndReverted) {
  InitTask();
  CommitAttempt("more", "src/knob.txt", "1500\n");
  const Answer answer = Run({"decide", "more"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_THAT(
      Subjects(),
      ElementsAre(
          "task: start 2026-01-02-knob", "task: set policy.error_control",
          "plan: autotune iteration more", "merge: autotune iteration more",
          "Revert \"merge: autotune iteration more\"", "ledger: discard more"));
  EXPECT_EQ(Git({"show", std::string(kBranch) + ":src/knob.txt"}), "900\n");
  const MetricFile ledger = ParseMetricFile(TaskFile("metric.toml"), "m");
  ASSERT_EQ(ledger.rows.size(), 1u);
  EXPECT_EQ(ledger.rows[0].status, "discard");
  EXPECT_THAT(ledger.rows[0].description, HasSubstr("more: less work"));
  EXPECT_THAT(TaskFile("more/evidence.json"), HasSubstr("\"discard\""));
}

}  // namespace
}  // namespace autotune
