// Decisions made elsewhere: evidence of other runs, and claims without any.

#include <string>
#include <vector>

#include "comparator/evidence/evidence.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class RecordTest : public AutotuneFixture {};

TEST_F(RecordTest, ClaimsCountForNothing) {
  InitTask();
  CommitAttempt("said", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"record", "said", "--claim", "keep"}).exit_code, 0);
  EXPECT_THAT(TaskFile("metric.toml"), HasSubstr("claimed"));
  EXPECT_THAT(Run({"status"}).out, HasSubstr("level 0.05 (per decision)"));
  EXPECT_THAT(Run({"status", "--json"}).out,
              HasSubstr("\"measured_decisions\": 0"));
  EXPECT_EQ(Run({"record", "said"}).exit_code, 64);
  EXPECT_EQ(Run({"record", "said", "--claim", "maybe"}).exit_code, 64);
}

TEST_F(RecordTest, TakesEvidenceOfAnotherRun) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
  const std::string evidence = TaskFile("first/evidence.json");
  Write("../run.json", evidence);
  CommitAttempt("second", "src/knob.txt", "100\n");
  const std::vector<std::string> record = {"record", "second", "--evidence",
                                           "../run.json"};
  // Evidence of another commit is no evidence.
  const Answer stolen = Run(record);
  EXPECT_EQ(stolen.exit_code, 69);
  EXPECT_THAT(stolen.err, HasSubstr("../run.json: evidence of commit "));
  // bench_compare knows of no commits; one measurement is one attempt's.
  auto foreign = ParseEvidence(evidence, "run.json");
  ASSERT_OK(foreign);
  foreign->baseline.commit = foreign->contender.commit = "";
  foreign->baseline.tree = foreign->contender.tree = "";
  Write("../run.json", EvidenceToJson(*foreign));
  EXPECT_EQ(Run(record).err,
            "autotune: error: ../run.json: expected a measurement of its own, "
            "found the one in docs/autotune/2026-01-02-knob/first/"
            "evidence.json (row 1 of metric.toml, first)\n"
            "autotune: hint: measure this attempt: autotune decide APPROACH, "
            "or bench_compare run with --evidence and another FILE\n");
  EXPECT_EQ(Rows(), 1);
  // As of another run.
  for (RoundEvidence& round : foreign->rounds) {
    round.baseline.start_seconds += 0.001;
  }
  Write("../run.json", EvidenceToJson(*foreign));
  const Answer answer = Run(record);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(Run(record).out, answer.out);
  EXPECT_EQ(Rows(), 2);
  EXPECT_THAT(Run({"audit"}).out, HasSubstr("2 attempts, 2 rows: all agree"));
  CommitAttempt("third", "src/knob.txt", "33\n");
  const Answer again = Run({"record", "third", "--evidence", "../run.json"});
  EXPECT_EQ(again.exit_code, 69);
  EXPECT_THAT(again.err, HasSubstr("second/evidence.json (row 2 of"));
  // A round less is no other measurement; a number changed by hand is none.
  foreign->rounds[0].contender.benchmarks[0].value *= 0.5;
  Write("../run.json", EvidenceToJson(*foreign));
  EXPECT_NE(Run({"record", "third", "--evidence", "../run.json"}).exit_code, 0);
  EXPECT_EQ(Rows(), 2);
}

TEST_F(RecordTest, HoldsEvidenceToTheTasksLevel) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
  EXPECT_THAT(Run({"audit"}).out, HasSubstr("1 attempt, 1 row: all agree"));
  auto foreign = ParseEvidence(TaskFile("first/evidence.json"), "run.json");
  ASSERT_OK(foreign);
  foreign->baseline.commit = foreign->contender.commit = "";
  for (RoundEvidence& round : foreign->rounds) {
    round.baseline.start_seconds += 0.001;
  }
  Write("../run.json", EvidenceToJson(*foreign));
  ASSERT_EQ(Run({"task", "set", "policy.error_control", "fdr"}).exit_code, 0);
  ASSERT_EQ(Run({"task", "set", "policy.horizon", "50"}).exit_code, 0);
  CommitAttempt("second", "src/knob.txt", "33\n");
  const Answer strict = Run({"record", "second", "--evidence", "../run.json"});
  EXPECT_EQ(strict.exit_code, 69);
  EXPECT_THAT(strict.err, HasSubstr("measured at alpha 0.05"));
}

}  // namespace
}  // namespace autotune
