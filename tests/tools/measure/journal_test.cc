#include "tools/measure/journal.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_folder.h"

namespace autotune {
namespace {

using absl::StatusCode;

Evidence Header() {
  Evidence evidence;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings = MakeJudgeSettings(evidence.policy, {"BM_X"}, {});
  evidence.started = "2026-01-02T03:04:05Z";
  evidence.baseline.sha256 = std::string(64, 'a');
  evidence.contender.sha256 = std::string(64, 'b');
  return evidence;
}

RoundEvidence Round(std::int64_t index, double baseline, double contender) {
  RoundEvidence round;
  round.index = index;
  for (auto [visit, value] : {std::pair(&round.baseline, baseline),
                              std::pair(&round.contender, contender)}) {
    visit->benchmarks.resize(1);
    visit->benchmarks[0].name = "BM_X";
    visit->benchmarks[0].iterations = {10};
    visit->benchmarks[0].values = {value};
    visit->benchmarks[0].value = value;
  }
  round.use = RoundUse::kVoid;
  return round;
}

TEST(JournalTest, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  Journal journal(folder.Join("j"), folder.files());
  ASSERT_OK(journal.Begin(Header()));
  ASSERT_OK(journal.Append(Round(0, 2, 1)));
  ASSERT_OK(journal.Append(Round(1, 3, 1)));
  ASSERT_OK_AND_ASSIGN(const std::optional<Evidence> read, journal.Read());
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->rounds.size(), 2U);
  EXPECT_EQ(read->rounds[1].baseline.benchmarks[0].value, 3.0);
  EXPECT_EQ(read->started, "2026-01-02T03:04:05Z");
}

TEST(JournalTest, BeginWritesTheRoundsThatAreThereAlready) {
  const TemporaryFolder folder;
  Journal journal(folder.Join("j"), folder.files());
  Evidence evidence = Header();
  evidence.rounds = {Round(0, 2, 1)};
  ASSERT_OK(journal.Begin(evidence));
  ASSERT_OK(journal.Append(Round(1, 2, 1)));
  ASSERT_OK_AND_ASSIGN(const std::optional<Evidence> read, journal.Read());
  EXPECT_EQ(read->rounds.size(), 2U);
}

TEST(JournalTest, ATornLastLineIsDropped) {
  const TemporaryFolder folder;
  Journal journal(folder.Join("j"), folder.files());
  ASSERT_OK(journal.Begin(Header()));
  ASSERT_OK(journal.Append(Round(0, 2, 1)));
  ASSERT_OK(folder.files().AppendFile(folder.Join("j"), "{\"index\":1,"));
  ASSERT_OK_AND_ASSIGN(const std::optional<Evidence> read, journal.Read());
  EXPECT_EQ(read->rounds.size(), 1U);
}

TEST(JournalTest, NoFileAndAnEmptyFileAreNoEarlierRun) {
  const TemporaryFolder folder;
  Journal journal(folder.Join("j"), folder.files());
  ASSERT_OK_AND_ASSIGN(const std::optional<Evidence> read, journal.Read());
  EXPECT_FALSE(read.has_value());
  EXPECT_OK(journal.CheckFree());
  ASSERT_OK(folder.files().WriteFile(folder.Join("j"), ""));
  EXPECT_OK(journal.CheckFree());
}

TEST(JournalTest, AJournalWithRoundsIsNotFree) {
  const TemporaryFolder folder;
  Journal journal(folder.Join("j"), folder.files());
  ASSERT_OK(journal.Begin(Header()));
  EXPECT_OK(journal.CheckFree());
  ASSERT_OK(journal.Append(Round(0, 2, 1)));
  EXPECT_THAT(
      journal.CheckFree(),
      StatusIs(StatusCode::kFailedPrecondition,
               folder.Join("j") + ": holds 1 measured rounds: continue it with "
                                  "--resume, or name another file"));
}

TEST(JournalTest, WithoutAPathNothingIsWritten) {
  const TemporaryFolder folder;
  Journal journal("", folder.files());
  EXPECT_OK(journal.CheckFree());
  EXPECT_OK(journal.Begin(Header()));
  EXPECT_OK(journal.Append(Round(0, 2, 1)));
}

TEST(CheckResumableTest, BudgetsMayDiffer) {
  Evidence now = Header();
  now.policy.budget_seconds = 7;
  now.policy.max_rounds = 8;
  EXPECT_OK(CheckResumable(Header(), now, "j"));
}

TEST(CheckResumableTest, WhatASideRunsAndOnWhatTermsMayNot) {
  const auto refused = [](const std::string& what) {
    return StatusIs(StatusCode::kFailedPrecondition,
                    "j: was measured with " + what +
                        ": give it again to continue, or another evidence "
                        "file to begin anew");
  };
  Evidence earlier = Header();
  for (EvidenceSide* side : {&earlier.baseline, &earlier.contender}) {
    side->argv = {"/t/bench", "--size=1"};
    side->environment = {{"A", "1"}};
    side->working_directory = "/t";
    side->libraries = {{"libx.so", "aa"}};
  }
  Evidence now = earlier;
  now.baseline.argv[0] = "/elsewhere/bench";
  EXPECT_OK(CheckResumable(earlier, now, "j"));
  now = earlier;
  now.baseline.argv[1] = "--size=2";
  EXPECT_THAT(CheckResumable(earlier, now, "j"),
              refused("other arguments of the baseline"));
  now = earlier;
  now.contender.environment["B"] = "2";
  EXPECT_THAT(CheckResumable(earlier, now, "j"),
              refused("another environment of the contender"));
  now = earlier;
  now.contender.working_directory = "/t/data";
  EXPECT_THAT(CheckResumable(earlier, now, "j"),
              refused("another working folder of the contender"));
  now = earlier;
  now.baseline.libraries["libx.so"] = "bb";
  EXPECT_THAT(CheckResumable(earlier, now, "j"),
              refused("other libraries of the baseline"));
  now = earlier;
  now.settings.targets = {"BM_Y"};
  EXPECT_THAT(CheckResumable(earlier, now, "j"), refused("other benchmarks"));
}

TEST(CheckResumableTest, ProgramsAndRulesMayNot) {
  Evidence now = Header();
  now.baseline.sha256 = std::string(64, 'c');
  EXPECT_THAT(CheckResumable(Header(), now, "j"),
              StatusIs(StatusCode::kFailedPrecondition,
                       "j: was measured with another baseline program: give "
                       "it again to continue, or another evidence file to "
                       "begin anew"));
  now = Header();
  now.contender.sha256 = std::string(64, 'c');
  EXPECT_FALSE(CheckResumable(Header(), now, "j").ok());
  now = Header();
  now.policy.alpha = 0.01;
  EXPECT_FALSE(CheckResumable(Header(), now, "j").ok());
}

}  // namespace
}  // namespace autotune
