#include "tools/report/evidence_report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "comparator/evidence/evidence.h"
#include "comparator/judge/sequential_judge.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kWide = 200;

VisitEvidence Visit(double target, double guard) {
  VisitEvidence visit;
  visit.benchmarks = {
      {.name = "BM_A", .iterations = {1}, .values = {target}, .value = target},
      {.name = "BM_G", .iterations = {1}, .values = {guard}, .value = guard}};
  return visit;
}

// A finished run in which the contender takes `ratio` of the baseline's time,
// with a guard that stays.
Evidence RunOf(int rounds, double ratio, PolicyKind kind = PolicyKind::kTune) {
  Evidence evidence;
  evidence.policy.kind = kind;
  evidence.metric = {"cpu_time", Direction::kLowerIsBetter};
  evidence.settings =
      kind == PolicyKind::kGate
          ? MakeJudgeSettings(evidence.policy, {"BM_A", "BM_G"}, {})
          : MakeJudgeSettings(evidence.policy, {"BM_A"},
                              {JudgedGuard{.name = "BM_G"}});
  evidence.measuring_seconds = 5.25;
  SequentialJudge judge(evidence.settings);
  for (int i = 0; i < rounds; ++i) {
    const double noise = 1.0 + 0.001 * ((i * 7) % 5 - 2);
    RoundEvidence round;
    round.index = i;
    round.mode = MeasureMode::kTurns;
    round.baseline = Visit(100.0, 50.0);
    round.contender = Visit(100.0 * ratio * noise, 50.0 * noise);
    const double target = -std::log(ratio * noise);
    const double guard = -std::log(noise);
    if (kind == PolicyKind::kGate) {
      round.ratios.targets = {target, guard};
    } else {
      round.ratios.targets = {target};
      round.ratios.guards = {guard};
    }
    judge.Add(round.ratios);
    evidence.rounds.push_back(round);
  }
  evidence.decision = judge.decision();
  evidence.reason = judge.reason();
  evidence.overall = judge.overall();
  evidence.targets = judge.targets();
  evidence.guards = judge.guards();
  return evidence;
}

TEST(EvidenceTableTest, AKeepShowsTargetGuardEffortAndDecision) {
  EXPECT_EQ(
      EvidenceTable(RunOf(20, 0.93), kWide, false),
      R"(benchmark     baseline  contender   change            interval  verdict
BM_A          100.0 ns   93.00 ns  -7.00 %  [-8.70 %, -3.97 %]  improved
BM_G (guard)  50.00 ns   50.00 ns  -0.03 %  [-0.94 %, +1.37 %]  within 2 %
20 rounds, 5.2 s, mode turns, cpu_time
keep: target improved, 1 guard unharmed
)");
}

TEST(EvidenceTableTest, MediansGiveWayOnANarrowTerminal) {
  const std::string table = EvidenceTable(RunOf(20, 0.93), 60, false);
  EXPECT_THAT(table, Not(HasSubstr("contender")));
  EXPECT_THAT(table, HasSubstr("BM_G (guard)"));
}

TEST(EvidenceTableTest, AGateSpeaksOfMargins) {
  EXPECT_EQ(
      EvidenceTable(RunOf(30, 1.1, PolicyKind::kGate), kWide, false),
      R"(benchmark  baseline  contender    change            interval  verdict
BM_A       100.0 ns   110.0 ns  +10.00 %        [+3.07 %, ?]  worse than its margin
BM_G       50.00 ns   50.00 ns   -0.00 %  [-6.45 %, +6.55 %]  inconclusive
geomean                          +4.88 %        [+3.81 %, ?]
30 rounds, 5.2 s, mode turns, cpu_time
regression: BM_A worse than 2 %
)");
}

TEST(EvidenceTableTest, HostileNamesAreMadePrintable) {
  Evidence evidence = RunOf(20, 0.93);
  evidence.targets[0].name = "BM_\x1b[31m";
  evidence.warnings = {"odd\nline"};
  const std::string table = EvidenceTable(evidence, kWide, false);
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_THAT(table, HasSubstr("\nnote: odd\\nline\n"));
}

TEST(EvidenceTableTest, EqualProgramsNeedNoTable) {
  Evidence evidence = RunOf(0, 1.0);
  evidence.identical = true;
  evidence.decision = Decision::kDiscard;
  evidence.reason = "unchanged";
  EXPECT_EQ(EvidenceTable(evidence, kWide, false), "discard: unchanged\n");
  evidence.settings.kind = PolicyKind::kGate;
  evidence.decision = Decision::kKeep;
  EXPECT_EQ(EvidenceTable(evidence, kWide, false), "pass: unchanged\n");
}

TEST(EvidenceSummaryLineTest, IsTheWholeOutcomeOnOneLine) {
  EXPECT_EQ(
      EvidenceSummaryLine(RunOf(20, 0.93)),
      R"(keep: -7.00 % [-8.70 %, -3.97 %], 20 rounds, 5.2 s: target improved, 1 guard unharmed)");
}

TEST(EvidenceReportJsonTest, HasTheOutcomeStatesAndEffort) {
  Evidence evidence = RunOf(20, 0.93);
  evidence.rounds[3].use = RoundUse::kVoid;
  const auto json = nlohmann::json::parse(EvidenceReportJson(evidence));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["decision"], "keep");
  EXPECT_EQ(json["rounds"], 19);
  EXPECT_EQ(json["voided_rounds"], 1);
  EXPECT_EQ(json["mode"], "turns");
  EXPECT_EQ(json["targets"][0]["name"], "BM_A");
  EXPECT_EQ(json["guards"][0]["standing"], "unharmed");
  EXPECT_EQ(json["next"].size(), 0U);
}

TEST(EvidenceReportJsonTest, AnOpenRunSaysHowToGoOn) {
  const Evidence evidence = RunOf(2, 0.99);
  const auto with_file =
      nlohmann::json::parse(EvidenceReportJson(evidence, "run.json"));
  EXPECT_EQ(with_file["decision"], "inconclusive");
  EXPECT_EQ(with_file["next"][0]["command"],
            "bench_compare run ... --evidence run.json --resume --budget 5m");
  const auto without = nlohmann::json::parse(EvidenceReportJson(evidence));
  EXPECT_EQ(without["next"][0]["command"],
            "bench_compare run ... --budget 5m --evidence FILE");
}

}  // namespace
}  // namespace autotune
