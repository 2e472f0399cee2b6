// The ledger among people and tools: audited, repaired, merged between clones,
// written by others before.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/ledger/metric_file.h"

namespace autotune {
namespace {

using testing::HasSubstr;

class LedgerTest : public AutotuneFixture {
 protected:
  // An attempt that is kept without measuring.
  void Claim(const std::string& approach, const std::string& status) {
    const Answer answer = Run({"record", approach, "--claim", status});
    ASSERT_EQ(answer.exit_code, status == "keep" ? 0 : 1) << answer.err;
  }
};

TEST_F(LedgerTest, AuditSeesForgedNumbersAndRewrittenRows) {
  InitTask();
  CommitAttempt("first", "src/knob.txt", "300\n");
  ASSERT_EQ(Run({"decide", "first"}).exit_code, 0);
  EXPECT_EQ(Run({"audit"}).exit_code, 0);
  Git({"switch", "-q", kBranch});
  const std::string folder = "docs/autotune/2026-01-02-knob/";
  std::string row = Read(folder + "metric.toml");
  row.replace(row.find("\"keep\""), 6, "\"crash\"");
  Write(folder + "metric.toml", row);
  std::string evidence = Read(folder + "first/evidence.json");
  const std::size_t coin = evidence.find("\"value\":");
  ASSERT_NE(coin, std::string::npos);
  evidence.replace(coin, 8, "\"value\":1");
  Write(folder + "first/evidence.json", evidence);
  Git({"commit", "-q", "-a", "-m", "improve the numbers"});
  const Answer answer = Run({"audit"});
  EXPECT_EQ(answer.exit_code, 65);
  EXPECT_THAT(answer.out, HasSubstr("decided keep but its row says crash"));
  EXPECT_THAT(answer.out, HasSubstr("rewrote earlier rows"));
  EXPECT_THAT(answer.out, testing::ContainsRegex("findings\n.*first: "));
}

TEST_F(LedgerTest, AuditRepairMendsAUnionMerge) {
  InitTask();
  CommitAttempt("first", "src/a.cc", "a\n");
  Claim("first", "keep");
  CommitAttempt("second", "src/b.cc", "b\n");
  Claim("second", "keep");
  Git({"switch", "-q", kBranch});
  const std::string path = "docs/autotune/2026-01-02-knob/metric.toml";
  std::string text = Read(path);
  const std::size_t second = text.find("\n[[metric]]", 1);
  ASSERT_NE(second, std::string::npos);
  text.erase(second, 12);  // two tables become one with duplicate keys
  Write(path, text);
  Git({"commit", "-q", "-a", "-m", "union merge"});
  EXPECT_EQ(Run({"audit"}).exit_code, 65);
  Run({"audit", "--repair"});
  EXPECT_EQ(ParseMetricFile(TaskFile("metric.toml"), "m").rows.size(), 2u);
}

TEST_F(LedgerTest, MergeDriverJoinsWholeEntries) {
  Write("base", "");
  Write("ours",
        "[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"a\"\n\n");
  Write("theirs",
        "[[metric]]\n\"status\" = \"crash\"\n\"description\" = \"b\"\n\n");
  EXPECT_EQ(Run({"merge-metric", "base", "ours", "theirs"}).exit_code, 0);
  EXPECT_EQ(ParseMetricFile(Read("ours"), "ours").rows.size(), 2u);
}

// Two clones recorded an attempt each: the merge driver that init names and
// doctor sets up keeps both rows whole.
TEST_F(LedgerTest, ClonesLedgersMergeByWholeEntries) {
  InitTask();
  const std::string folder = "docs/autotune/2026-01-02-knob/";
  EXPECT_EQ(TaskFile(".gitattributes"), "metric.toml merge=autotune-metric\n");
  const std::string clone = state() + "-clone";
  Git({"clone", "-q", "-b", kBranch, repository(), clone});
  GitIn(clone, {"config", "user.name", "B"});
  GitIn(clone, {"config", "user.email", "b@example.org"});
  CommitAttempt("mine", "src/a.cc", "a\n");
  Claim("mine", "keep");
  ASSERT_EQ(RunIn(clone, {"start", "theirs", "--hypothesis", "less"}).exit_code,
            0);
  ASSERT_EQ(RunIn(clone, {"record", "theirs", "--claim", "discard"}).exit_code,
            1);
  ASSERT_EQ(Run({"doctor", "--install"}).exit_code, 0);
  const std::string tools =
      std::string(AUTOTUNE_PROGRAM)
          .substr(0, std::string(AUTOTUNE_PROGRAM).rfind('/'));
  Git({"switch", "-q", kBranch});
  ProcessSpec pull;
  pull.argv = {"git",
               "-c",
               "merge.autotune-metric.driver=\"" + tools +
                   "/autotune\" merge-metric %O %A %B",
               "pull",
               "-q",
               "--no-rebase",
               "--no-edit",
               clone,
               kBranch};
  pull.working_directory = repository();
  const auto pulled = MakePosixProcessRunner()->Run(pull);
  ASSERT_OK(pulled);
  // log.md of both sides is for a person; metric.toml is whole.
  const MetricFile merged =
      ParseMetricFile(Read(folder + "metric.toml"), "metric.toml");
  ASSERT_EQ(merged.rows.size(), 2u) << pulled->standard_error;
  EXPECT_THAT(merged.warnings, testing::IsEmpty());
  EXPECT_EQ(merged.rows[0].status, AttemptStatus::kKeep);
  EXPECT_EQ(merged.rows[1].status, AttemptStatus::kDiscard);
}

// A ledger as other writers leave it: read, shown, appended to, never
// rewritten.
TEST_F(LedgerTest, LedgersOfOtherWritersAreKeptByteForByte) {
  InitTask();
  const std::string foreign =
      "\xEF\xBB\xBF# kept\r\ntitle = \"old\"\r\n[[result]]\r\niteration = "
      "\"a\"\r\ncommit = \"12345678\"\r\noutcome = \"Reverted\"\r\nnotes = "
      "\"x \\ud83d\\ude80\"\r\n[result.metrics]\r\nns = 1_000\r\n[[other]]\nz "
      "= "
      "1\n[[metric]]\n\"status\" = \"keep\"\n\"description\" = \"torn\n"
      "[[metric]]\n\"commit\" = \"(pending)\"\n\"status\" = \"baseline\"\n"
      "\"description\" = \"the start\"\n\"ns\" = 5";
  Git({"switch", "-q", kBranch});
  Write("docs/autotune/2026-01-02-knob/metric.toml", foreign);
  Git({"commit", "-q", "-a", "-m", "an old ledger"});
  Git({"switch", "-q", "main"});
  const Answer status = Run({"status"});
  EXPECT_EQ(status.exit_code, 0);
  EXPECT_THAT(status.err, HasSubstr("metric.toml:14: "));
  EXPECT_EQ(Run({"show", "ledger"}).exit_code, 0);
  CommitAttempt("mine", "src/a.cc", "a\n");
  Claim("mine", "keep");
  const std::string now = TaskFile("metric.toml");
  EXPECT_EQ(now.substr(0, foreign.size() + 1), foreign + "\n");
  const MetricFile ledger = ParseMetricFile(now, "m");
  ASSERT_EQ(ledger.rows.size(), 4u);
  EXPECT_EQ(ledger.rows[0].status, AttemptStatus::kDiscard);
  EXPECT_TRUE(IsBaseline(ledger.rows[2]));
  EXPECT_EQ(ledger.rows[3].status, AttemptStatus::kKeep);
  // Placeholders are no commits, and audit says which.
  const Answer audit = Run({"audit"});
  EXPECT_EQ(audit.exit_code, 65);
  EXPECT_THAT(audit.out, HasSubstr("commit (pending) is not here"));
}

// A ledger that other tools and hands wrote, with every deviation they are
// known for, is read by every verb and never rewritten.
TEST_F(LedgerTest, LedgerOfOtherToolsIsReadAndOnlyAppendedTo) {
  InitTask();
  StartAttempt("open");
  const std::string foreign =
      "\xEF\xBB\xBF# made by hand\r\ntitle = \"old\"\r\n"
      "[[result]]\r\niteration = 1\r\noutcome = \"baseline\"\r\n"
      "notes = \"\\ud83d\\ude00 \\ud83d\"\r\n[result.metrics]\r\nx = 1\r\n"
      "[[metric]] # bare keys\nname = 'b'\nstatus = \"reverted\"\n"
      "commit = \"7d8fd967\"\ny = 2\n"
      "[[metric]]\nstatus = \"keep\"\ncommit = \"pending\"\n"
      "description = \"caf\xC3\xA9 \\u00e9\"\nx = 2_0\n"
      "[[other]]\nstatus = \"keep\"\n"
      "[[metric]]\nstatus = \"great\"\nz = nan\n"
      "<<<<<<< ours\n[[metric]]\nstatus = \"crash\"";
  Git({"switch", "-q", kBranch});
  Write(absl::StrCat("docs/autotune/", kTask, "/metric.toml"), foreign);
  Git({"add", "-A"});
  Git({"commit", "-q", "-m", "an older ledger"});
  Git({"switch", "-q", "main"});
  const std::vector<std::vector<std::string>> reading = {
      {"status"}, {"next"}, {"show", "ledger"}, {"show", "log"}};
  for (const std::vector<std::string>& verb : reading) {
    const Answer answer = Run(verb);
    EXPECT_EQ(answer.exit_code, 0) << verb[0] << answer.err;
    EXPECT_EQ(answer.out.find('\r'), std::string::npos);
  }
  EXPECT_EQ(Rows(), 5);
  EXPECT_EQ(Run({"log", "a finding"}).exit_code, 0);
  CommitAttempt("more", "src/code.cc", "int Code() { return 2; }\n");
  EXPECT_EQ(Run({"decide", "more"}).exit_code, 1);
  CommitAttempt("less", "src/knob.txt", "300\n");
  EXPECT_EQ(Run({"record", "less", "--claim", "keep"}).exit_code, 0);
  EXPECT_THAT(TaskFile("metric.toml"), testing::StartsWith(foreign + "\n[["));
  EXPECT_EQ(Rows(), 7);
  EXPECT_EQ(Run({"revert", "less"}).exit_code, 0);
  EXPECT_THAT(TaskFile("metric.toml"), testing::StartsWith(foreign));
  // What is wrong with it is named, row by row.
  const Answer audit = Run({"audit"});
  EXPECT_EQ(audit.exit_code, 65) << audit.out;
  EXPECT_THAT(audit.out + audit.err, HasSubstr("metric.toml"));
}

}  // namespace
}  // namespace autotune
