#include "comparator/evidence/evidence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

VisitEvidence Visit(int file_copy, double start, double value, double other) {
  VisitEvidence visit;
  visit.file_copy = file_copy;
  visit.start_seconds = start;
  visit.wall_seconds = 0.25;
  visit.user_cpu_seconds = 0.2;
  visit.peak_rss_bytes = 1 << 20;
  visit.threads = 1;
  visit.program_bytes = 12345;
  visit.benchmarks = {
      {.name = "BM_A",
       .iterations = {100, 100},
       .values = {value, value * 1.01},
       .value = value},
      {.name = "BM_G", .iterations = {50}, .values = {other}, .value = other}};
  return visit;
}

// A run of `rounds` rounds in which the contender takes 5 % less time.
Evidence RunOf(int rounds) {
  Evidence evidence;
  evidence.tool_version = "0.1.0";
  evidence.started = "2026-05-01T12:00:00Z";
  evidence.policy.metric = "cpu_time";
  evidence.policy.direction = Direction::kLowerIsBetter;
  evidence.policy.guards = {{.benchmark_pattern = "BM_G",
                             .metric = "",
                             .margin = 0.02,
                             .mode = GuardMode::kProve}};
  evidence.policy.margins = {{.benchmark_pattern = "BM_", .margin = 0.03}};
  evidence.policy.waivers = {
      {.name = "BM_A", .ceiling = 0.1, .until = "2027-01-31", .reason = "r"}};
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings = MakeJudgeSettings(evidence.policy, {"BM_A"},
                                        {JudgedGuard{.name = "BM_G"}});
  evidence.baseline = {.argv = {"./bench", "--benchmark_filter=BM_A"},
                       .sha256 = "ab",
                       .build_id = "cd",
                       .commit = "ef",
                       .tree = "01"};
  evidence.machine = {{"cpu", "some \"CPU\""}, {"governor", "powersave"}};
  evidence.entropy = "system";
  evidence.repetitions = 2;
  evidence.repetition_min_time_seconds = 0.01;
  for (int i = 0; i < rounds; ++i) {
    RoundEvidence round;
    round.index = i;
    round.baseline_first = i % 2 == 0;
    round.baseline_copy = i % 3 == 0 ? 1 : 0;
    const double noise = 1.0 + 0.001 * ((i * 7) % 5 - 2);
    round.baseline = Visit(0, i, 100.0, 50.0);
    round.contender = Visit(1, i + 0.3, 95.0 * noise, 50.0 * noise);
    round.ratios = {.targets = {std::log(100.0 / (95.0 * noise))},
                    .guards = {std::log(1.0 / noise)}};
    evidence.rounds.push_back(round);
  }
  return evidence;
}

// With the outcome that the rounds give.
Evidence Finished(Evidence evidence) {
  const absl::StatusOr<SequentialJudge> judge = Recompute(evidence);
  EXPECT_OK(judge);
  SetOutcome(*judge, evidence);
  return evidence;
}

std::string Journal(const Evidence& evidence) {
  std::string text = EvidenceHeaderLine(evidence);
  for (const RoundEvidence& round : evidence.rounds) {
    text += EvidenceRoundLine(round);
  }
  return text;
}

TEST(EvidenceTest, TheWholeFormReadsBackToTheSameBytes) {
  Evidence evidence = Finished(RunOf(12));
  evidence.rounds[3].use = RoundUse::kVoid;
  evidence.rounds[3].why = "stalled";
  evidence.rounds[3].turn_seconds = 0.005;
  evidence.bias = {{0.005, 0.0005, TurnBias{0.001, 0.0005}, 9, Decision::kKeep,
                    Decision::kInconclusive}};
  evidence.rounds[3].ratios = {};
  evidence.warnings = {"load above cores"};
  evidence.review = {"src/a.cc: was sealed"};
  evidence.downgrade = "carry-over";
  evidence.pilot = {{"bias", "0.1 %"}};
  const std::string text = EvidenceToJson(evidence);
  ASSERT_OK_AND_ASSIGN(const Evidence read, ParseEvidence(text, "e.json"));
  EXPECT_EQ(EvidenceToJson(read), text);
  EXPECT_EQ(read.rounds.size(), 12u);
  EXPECT_EQ(read.rounds[3].use, RoundUse::kVoid);
  EXPECT_EQ(read.rounds[3].why, "stalled");
  EXPECT_EQ(read.overall.log_e_keep, evidence.overall.log_e_keep);
  EXPECT_EQ(read.machine.at("cpu"), "some \"CPU\"");
}

TEST(EvidenceTest, TheWholeFormIsOneJsonObjectWithItsVersionFirst) {
  const std::string text = EvidenceToJson(Finished(RunOf(2)));
  EXPECT_THAT(text, StartsWith("{\n\"schema_version\": 3,\n\"format\": "
                               "\"autotune evidence\",\n"));
  EXPECT_TRUE(absl::EndsWith(text, "}\n"));
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json["rounds"].size(), 2u);
  EXPECT_EQ(json["rounds"][0]["mode"], "alternate");
  EXPECT_TRUE(json["overall"]["estimate"]["interval"]["lower"].is_null());
}

TEST(EvidenceTest, AJournalReadsBackWithoutOutcome) {
  const Evidence evidence = RunOf(7);
  const std::string journal = Journal(evidence);
  EXPECT_EQ(std::count(journal.begin(), journal.end(), '\n'), 8);
  ASSERT_OK_AND_ASSIGN(const Evidence read, ParseEvidence(journal, "j"));
  EXPECT_EQ(Journal(read), journal);
  EXPECT_EQ(read.reason, "");
  EXPECT_THAT(read.warnings, ElementsAre());
  EXPECT_DOUBLE_EQ(read.measuring_seconds, 6.0 + 0.3 + 0.25);
}

TEST(EvidenceTest, AJournalsHeaderAloneIsARunWithoutRounds) {
  ASSERT_OK_AND_ASSIGN(const Evidence read,
                       ParseEvidence(EvidenceHeaderLine(RunOf(0)), "j"));
  EXPECT_TRUE(read.rounds.empty());
  EXPECT_EQ(read.measuring_seconds, 0.0);
}

TEST(EvidenceTest, ATornLastLineIsDroppedWhereverItWasCut) {
  const std::string journal = Journal(RunOf(3));
  const std::string last = EvidenceRoundLine(RunOf(3).rounds.back());
  for (std::size_t cut = 1; cut + 1 < last.size(); cut += 17) {
    const std::string torn =
        journal.substr(0, journal.size() - last.size() + cut);
    ASSERT_OK_AND_ASSIGN(const Evidence read, ParseEvidence(torn, "j"));
    EXPECT_EQ(read.rounds.size(), 2u);
    EXPECT_THAT(
        read.warnings,
        ElementsAre("dropped the torn last line of the journal (line 4)"));
  }
  // All but the newline: nothing is lost.
  ASSERT_OK_AND_ASSIGN(
      const Evidence whole,
      ParseEvidence(journal.substr(0, journal.size() - 1), "j"));
  EXPECT_EQ(whole.rounds.size(), 3u);
  EXPECT_THAT(whole.warnings, ElementsAre());
}

TEST(EvidenceTest, DamageElsewhereInAJournalIsAnErrorWithItsLine) {
  std::vector<std::string> lines = absl::StrSplit(Journal(RunOf(3)), '\n');
  const std::string header = lines[0] + "\n";
  EXPECT_THAT(ParseEvidence(header + "{\"index\": oops}\n" + lines[2] + "\n",
                            "j.jsonl"),
              StatusIs(kInvalid,
                       "j.jsonl: line 2, column 11: expected JSON, the text is "
                       "damaged here"));
  EXPECT_THAT(ParseEvidence(header + lines[1] + "\n" + lines[3] + "\n", "j"),
              StatusIs(kInvalid,
                       "j: rounds[1]: index: expected 1, got 2; a round is "
                       "missing or out of order"));
  EXPECT_THAT(ParseEvidence(
                  header + absl::StrReplaceAll(
                               lines[1], {{"\"threads\":1", "\"threads\":-1"}}),
                  "j"),
              IsOk());  // torn: no newline follows
  EXPECT_THAT(
      ParseEvidence(header +
                        absl::StrReplaceAll(
                            lines[1], {{"\"threads\":1", "\"threads\":-1"}}) +
                        "\n",
                    "j"),
      StatusIs(kInvalid,
               "j: line 2: baseline.threads: expected a whole number of at "
               "least 0, got -1"));
}

// A whole form in which `from` is replaced by `to`.
std::string Edited(std::string_view from, std::string_view to) {
  const std::string text = EvidenceToJson(Finished(RunOf(2)));
  EXPECT_THAT(text, HasSubstr(std::string(from)));
  return absl::StrReplaceAll(text, {{std::string(from), std::string(to)}});
}

TEST(EvidenceTest, EveryErrorNamesItsPath) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"\"schema_version\": 3", "\"schema_version\": 2",
       "e: schema_version: expected 3, got 2; use the version that wrote the "
       "file"},
      {"\"format\": \"autotune evidence\"", "\"format\": \"other\"",
       "e: expected evidence as bench_compare run --evidence writes it, got "
       "format \"other\""},
      {"\"started\"", "\"startet\"",
       "e: expected the key \"started\", got none"},
      {"\"reason\": \"undecided after 2 rounds\"",
       "\"reason\": \"\",\n\"reasom\": 1",
       "e: unknown key \"reasom\"; did you mean \"reason\"?"},
      {"\"index\":1", "\"index\":1,\"index\":1",
       "e: line 1: the key \"index\" is repeated"},
      {"\"index\":1", "\"index\":\"1\"",
       "e: rounds[1].index: expected a whole number of at least 0, got \"1\""},
      {"\"index\":1", "\"index\":1.5",
       "e: rounds[1].index: expected a whole number of at least 0, got 1.5"},
      {"\"index\":1", "\"index\":18446744073709551615",
       "e: rounds[1].index: expected a whole number of at least 0, got "
       "18446744073709551615"},
      {"\"baseline_copy\":1", "\"baseline_copy\":2",
       "e: rounds[0].baseline_copy: expected a whole number from 0 to 1, got "
       "2"},
      {"\"mode\":\"alternate\"", "\"mode\":\"twist\"",
       "e: rounds[0].mode: expected one of auto, turns, alternate, duet, got "
       "\"twist\""},
      {"\"values\":[50.0]", "\"values\":[true]",
       "e: rounds[0].baseline.benchmarks[1].values[0]: expected a number, got "
       "true"},
      {"\"values\":[50.0]", "\"values\":[1e999]",
       "e: line 1: a number is too large for a double"},
      {"\"values\":[50.0]", "\"values\":{}",
       "e: rounds[0].baseline.benchmarks[1].values: expected a list, got an "
       "object"},
      {"\"baseline_first\":false", "\"baseline_first\":0",
       "e: rounds[1].baseline_first: expected true or false, got 0"},
      {"\"cpu\":\"some", "\"cpu\":[],\"z\":\"some",
       "e: machine.cpu: expected a string, got a list"},
      {"\"alpha\":0.05", "\"alpha\":0.0",
       "e: policy: alpha: expected a probability in (0, 1) such as 0.05 or 5%, "
       "got "
       "0"},
      {"\"min_log_improvement\":0.01", "\"min_log_improvement\":-0.01",
       "e: settings: min_log_improvement: expected a number above 0, got "
       "-0.010050335853501442"},
      {"\"target_margins\":[0.03]", "\"target_margins\":[0.03,0.03]",
       "e: settings: target_margins: expected none or one a target, got 2 for "
       "1"},
      {"\"target_margins\":[0.03]", "\"target_margins\":[-1.0]",
       "e: settings: target_margins[0]: expected a fraction above 0, got -1"},
      {"\"targets\":[\"BM_A\"]", "\"targets\":[]",
       "e: settings: targets: expected at least one benchmark, got none"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ParseEvidence(Edited(c.from, c.to), "e"),
                StatusIs(kInvalid, c.message))
        << c.to;
  }
}

TEST(EvidenceTest, OtherFilesAreNamedAsWhatTheyAre) {
  EXPECT_THAT(ParseEvidence("", "e"),
              StatusIs(kInvalid,
                       "e: expected evidence as bench_compare run --evidence "
                       "writes it, got an empty file"));
  EXPECT_THAT(ParseEvidence("{\"benchmarks\": []}", "e"),
              StatusIs(kInvalid,
                       "e: expected evidence as bench_compare run --evidence "
                       "writes it, got another JSON object"));
  EXPECT_THAT(ParseEvidence("[1]", "e"),
              StatusIs(kInvalid,
                       "e: expected evidence as bench_compare run --evidence "
                       "writes it, got a list"));
  EXPECT_THAT(ParseEvidence("hello", "e"),
              StatusIs(kInvalid,
                       "e: line 1, column 1: expected JSON, the text is "
                       "damaged here"));
}

TEST(EvidenceTest, AWholeFileCutAnywhereIsAnErrorNeverACrash) {
  const std::string text = EvidenceToJson(Finished(RunOf(2)));
  for (std::size_t size = 1; size + 1 < text.size(); size += 13) {
    EXPECT_THAT(ParseEvidence(text.substr(0, size), "e"),
                StatusIs(kInvalid, HasSubstr("cut off here")))
        << size;
  }
}

TEST(EvidenceTest, DeeplyNestedTextIsRefused) {
  EXPECT_THAT(ParseEvidence(std::string(200'000, '['), "e"),
              StatusIs(kInvalid, HasSubstr("cut off here")));
  std::string nested = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_THAT(ParseEvidence(nested, "e"),
              StatusIs(kInvalid, HasSubstr("got a list")));
}

TEST(EvidenceTest, HostileNamesAreWrittenAsValidJson) {
  Evidence evidence = RunOf(6);
  const std::string name = std::string("BM_\xff\xfe\"\\\n\x1b[31m") + '\0';
  evidence.settings.targets = {name};
  for (RoundEvidence& round : evidence.rounds) {
    round.baseline.benchmarks[0].name = name;
    round.contender.benchmarks[0].name = name;
  }
  const std::string text = EvidenceToJson(Finished(evidence));
  EXPECT_FALSE(absl::StrContains(text, "\x1b"));
  ASSERT_OK_AND_ASSIGN(const Evidence read, ParseEvidence(text, "e"));
  EXPECT_THAT(read.settings.targets[0], StartsWith("BM_\xef\xbf\xbd"));
  EXPECT_OK(Recompute(read));
}

TEST(EvidenceTest, RecomputingUsesTheVisitsAlone) {
  ASSERT_OK_AND_ASSIGN(const SequentialJudge judge, Recompute(RunOf(40)));
  EXPECT_EQ(judge.decision(), Decision::kKeep);
  EXPECT_EQ(judge.ruling().reason, "BM_A improved, 1 guard unharmed");
  EXPECT_NEAR(judge.overall().estimate->ratio, 0.95, 0.002);
}

TEST(EvidenceTest, VoidedRoundsDoNotCount) {
  Evidence evidence = RunOf(6);
  evidence.rounds[2].use = RoundUse::kVoid;
  evidence.rounds[2].ratios = {};
  evidence.rounds[2].baseline.benchmarks.clear();
  ASSERT_OK_AND_ASSIGN(const SequentialJudge judge, Recompute(evidence));
  EXPECT_EQ(judge.rounds(), 5u);
}

TEST(EvidenceTest, RecomputingRefusesRatiosThatTheVisitsDoNotGive) {
  Evidence evidence = RunOf(3);
  evidence.rounds[1].ratios.targets[0] = 0.5;
  EXPECT_THAT(Recompute(evidence),
              StatusIs(kInvalid,
                       "rounds[1]: ratios.targets[0]: the visits give "
                       "0.05129329438755048, the file says 0.5"));
  evidence = RunOf(3);
  evidence.rounds[2].contender.benchmarks[1].value = 40.0;
  EXPECT_THAT(Recompute(evidence),
              StatusIs(kInvalid,
                       "rounds[2]: contender: BM_G: value 40 is outside its "
                       "repetitions, 50.1 to 50.1"));
  evidence = RunOf(3);
  evidence.rounds[2].contender.benchmarks.pop_back();
  EXPECT_THAT(Recompute(evidence),
              StatusIs(kInvalid, StartsWith("rounds[2]: ")));
  evidence = RunOf(3);
  evidence.rounds[0].ratios.guards.clear();
  EXPECT_THAT(Recompute(evidence),
              StatusIs(kInvalid,
                       "rounds[0]: ratios.guards: expected 1 numbers, got 0"));
}

TEST(EvidenceTest, VerifyAcceptsWhatTheRoundsGive) {
  EXPECT_OK(VerifyEvidence(Finished(RunOf(40))));
  EXPECT_OK(VerifyEvidence(Finished(RunOf(3))));
  ASSERT_OK_AND_ASSIGN(const Evidence read,
                       ParseEvidence(EvidenceToJson(Finished(RunOf(40))), "e"));
  EXPECT_OK(VerifyEvidence(read));
}

TEST(EvidenceTest, VerifyNamesTheFirstDifference) {
  constexpr absl::StatusCode kDiffers = absl::StatusCode::kFailedPrecondition;
  Evidence evidence = Finished(RunOf(40));
  evidence.decision = Decision::kDiscard;
  EXPECT_THAT(
      VerifyEvidence(evidence),
      StatusIs(kDiffers,
               "decision: the rounds give keep, the file says discard"));
  evidence = Finished(RunOf(40));
  evidence.overall.log_e_keep += 1e-6;
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kDiffers, StartsWith("overall: log_e_keep: the rounds "
                                            "give ")));
  evidence = Finished(RunOf(40));
  evidence.targets[0].estimate->interval.lower.reset();
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kDiffers,
                       StartsWith("targets[0]: interval.lower: the rounds give "
                                  "0.")));
  evidence = Finished(RunOf(40));
  evidence.guards[0].standing = MarginStanding::kUndecided;
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kDiffers,
                       "guards[0]: standing: the rounds give within, the file "
                       "says undecided"));
  evidence = Finished(RunOf(40));
  evidence.guards.clear();
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(kDiffers,
                       "guards: the rounds give 1 entries, the file says 0 "
                       "entries"));
  evidence = Finished(RunOf(40));
  evidence.overall.estimate->ratio *= 1.0 + 1e-12;
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(EvidenceTest, ADowngradedDecisionIsInconclusive) {
  Evidence evidence = Finished(RunOf(40));
  evidence.downgrade = "carry-over";
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "decision: the rounds give inconclusive, the file says "
                       "keep"));
  evidence.decision = Decision::kInconclusive;
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "code: the rounds give objection, the file says "
                       "improved"));
  evidence.code = ReasonCode::kObjection;
  EXPECT_OK(VerifyEvidence(evidence));
}

TEST(EvidenceTest, IdenticalProgramsAreADiscardWithoutRounds) {
  Evidence evidence = Finished(RunOf(0));
  evidence.identical = true;
  static_cast<Ruling&>(evidence) = UnchangedRuling(PolicyKind::kTune);
  EXPECT_OK(VerifyEvidence(evidence));
  evidence.decision = Decision::kKeep;
  EXPECT_THAT(VerifyEvidence(evidence),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "decision: the rounds give discard, the file says "
                       "keep"));
  Evidence measured = Finished(RunOf(40));
  measured.identical = true;
  EXPECT_THAT(VerifyEvidence(measured),
              StatusIs(kInvalid,
                       "identical: expected no rounds of identical programs, "
                       "got 40"));
}

}  // namespace
}  // namespace autotune
