#include <nlohmann/json.hpp>
#include <string>

#include "comparator/evidence/evidence.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/report/finished_run.h"
#include "tools/report/report.h"

namespace autotune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TableOf(const Evidence& evidence, const TextLayout& layout = {}) {
  return RenderReport(ReportOf(evidence), ReportFormat::kTable, layout);
}

nlohmann::json JsonOf(const Evidence& evidence, const std::string& path = "") {
  return nlohmann::json::parse(
      RenderReport(ReportOf(evidence, path), ReportFormat::kJson));
}

TEST(RunReportTest, AKeepShowsTargetGuardEffortAndDecision) {
  EXPECT_EQ(
      TableOf(RunOf(20, 0.93)),
      R"(benchmark     baseline  contender   change            interval  verdict
BM_A          100.0 ns   93.00 ns  -7.00 %  [-8.70 %, -3.97 %]  improved
BM_G (guard)  50.00 ns   50.00 ns  -0.03 %  [-0.94 %, +1.37 %]  within 2 %
20 rounds, 5.2 s, mode turns, cpu_time
keep: BM_A improved, 1 guard unharmed
)");
}

TEST(RunReportTest, MediansGiveWayOnANarrowTerminal) {
  const std::string table = TableOf(RunOf(20, 0.93), {.width = 60});
  EXPECT_THAT(table, Not(HasSubstr("contender")));
  EXPECT_THAT(table, HasSubstr("BM_G (guard)"));
}

TEST(RunReportTest, AGateSpeaksOfMargins) {
  EXPECT_EQ(
      TableOf(RunOf(30, 1.1, PolicyKind::kGate)),
      R"(benchmark     baseline  contender    change            interval  verdict
BM_A          100.0 ns   110.0 ns  +10.00 %        [+3.07 %, ?]  worse than 2 %
BM_G          50.00 ns   50.00 ns   -0.00 %  [-6.45 %, +6.55 %]  inconclusive
geomean of 2                        +4.88 %        [+3.81 %, ?]
30 rounds, 5.2 s, mode turns, cpu_time
regression: BM_A is worse by more than 2 %
)");
}

TEST(RunReportTest, HostileNamesAreMadePrintable) {
  Evidence evidence = RunOf(20, 0.93);
  evidence.targets[0].name = "BM_\x1b[31m";
  evidence.warnings = {"odd\nline"};
  const std::string table = TableOf(evidence);
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_THAT(table, HasSubstr("\nnote: odd\\nline\n"));
}

// What GitHub, a CI log, a browser or a reader of XML would act on, in the
// names and sentences of a run and of a gate.
TEST(RunReportTest, HostileNamesAreInertInEveryForm) {
  const std::string hostile =
      "::error::x @team #12 `code` |cell| <b onload=x> https://e.x \x1b[2J";
  for (const PolicyKind kind : {PolicyKind::kTune, PolicyKind::kGate}) {
    Evidence evidence = RunOf(30, 1.1, kind);
    for (Comparison& target : evidence.targets) target.name = hostile;
    for (Comparison& guard : evidence.guards) guard.name = hostile;
    evidence.reason = evidence.machine["cpu"] = hostile;
    evidence.warnings = evidence.review = {hostile};
    evidence.baseline.argv = {hostile};
    const Report report = ReportOf(evidence, hostile);
    for (const auto& one : NameTable<ReportFormat>::kAll) {
      const std::string text = RenderReport(report, one.value);
      SCOPED_TRACE(one.name);
      EXPECT_THAT(text, Not(ContainsRegex("(^|\n)[ \t]*::error::")));
      EXPECT_EQ(text.find('\x1b'), std::string::npos);
    }
    for (const ReportFormat form :
         {ReportFormat::kMarkdown, ReportFormat::kSummary}) {
      const std::string text = RenderReport(report, form);
      for (const char* active :
           {"@team", "#12", " <b ", "|cell|", "https://"}) {
        EXPECT_EQ(text.find(active), std::string::npos) << active;
      }
    }
    for (const ReportFormat form :
         {ReportFormat::kHtml, ReportFormat::kJunit}) {
      EXPECT_EQ(RenderReport(report, form).find("<b onload"),
                std::string::npos);
    }
  }
}

TEST(RunReportTest, EqualProgramsNeedNoTable) {
  Evidence evidence = RunOf(0, 1.0);
  evidence.identical = true;
  evidence.decision = Decision::kDiscard;
  evidence.code = ReasonCode::kUnchanged;
  evidence.reason = "unchanged";
  EXPECT_EQ(TableOf(evidence), "discard: unchanged\n");
  evidence.settings.kind = PolicyKind::kGate;
  evidence.decision = Decision::kKeep;
  EXPECT_EQ(TableOf(evidence), "pass: unchanged\n");
}

TEST(EvidenceSummaryLineTest, IsTheWholeOutcomeOnOneLine) {
  EXPECT_EQ(
      EvidenceSummaryLine(RunOf(20, 0.93)),
      R"(keep: -7.00 % [-8.70 %, -3.97 %], 20 rounds, 5.2 s: BM_A improved, 1 guard unharmed)");
}

TEST(RunReportTest, HasTheOutcomeStatesAndEffort) {
  Evidence evidence = RunOf(20, 0.93);
  evidence.rounds[3].use = RoundUse::kVoid;
  const auto json = JsonOf(evidence);
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["decision"], "keep");
  EXPECT_EQ(json["rounds"], 19);
  EXPECT_EQ(json["voided_rounds"], 1);
  EXPECT_EQ(json["mode"], "turns");
  EXPECT_EQ(json["code"], "improved");
  EXPECT_EQ(json["benchmarks"][0]["name"], "BM_A");
  EXPECT_EQ(json["benchmarks"][0]["rounds"], 5) << "frozen when decided";
  EXPECT_EQ(json["benchmarks"][1]["role"], "guard");
  EXPECT_EQ(json["benchmarks"][1]["standing"], "within");
  EXPECT_EQ(json["next"].size(), 0U);
}

TEST(RunReportTest, AnOpenRunSaysHowToGoOn) {
  const Evidence evidence = RunOf(2, 0.99);
  const auto with_file = JsonOf(evidence, "run.json");
  EXPECT_EQ(with_file["decision"], "inconclusive");
  EXPECT_EQ(with_file["next"][0]["command"],
            "bench_compare run ... --budget 240s --resume");
  const auto without = JsonOf(evidence);
  EXPECT_EQ(without["next"][0]["command"],
            "bench_compare run ... --budget 240s --evidence FILE");
}

TEST(RunReportTest, TheLimitThatARunMetIsTheOneToRaise) {
  Evidence evidence = RunOf(4, 0.99);
  evidence.policy.max_rounds = 4;
  EXPECT_EQ(JsonOf(evidence, "run.json")["next"][0]["command"],
            "bench_compare run ... --max-rounds 8 --resume");
  evidence.settings.stop_when_decided = false;
  EXPECT_EQ(JsonOf(evidence, "run.json")["next"][0]["command"],
            "bench_compare run ... --rounds 8");
}

TEST(RunReportTest, WhatTimeCannotDecideIsNotGivenMore) {
  Evidence evidence = RunOf(20, 0.1);
  EXPECT_EQ(evidence.code, ReasonCode::kGainBeyondBelief);
  EXPECT_EQ(JsonOf(evidence)["next"].size(), 0U);
  evidence.code = ReasonCode::kObjection;
  EXPECT_EQ(JsonOf(evidence)["next"].size(), 0U);
}

TEST(RunReportTest, EveryFormKnowsARun) {
  const Report report = ReportOf(RunOf(30, 1.1, PolicyKind::kGate));
  EXPECT_EQ(RenderReport(report, ReportFormat::kMarkdown),
            R"(**regression**: BM\_A is worse by more than 2 %

| benchmark | baseline | contender | change | interval | verdict |
| :--- | ---: | ---: | ---: | ---: | :--- |
| BM\_A | 100.0 ns | 110.0 ns | +10.00 % | [+3.07 %, ?] | worse than 2 % |
| BM\_G | 50.00 ns | 50.00 ns | -0.00 % | [-6.45 %, +6.55 %] | inconclusive |
| **geomean of 2** |  |  | **+4.88 %** | [+3.81 %, ?] |  |

- 30 rounds, 5\.2 s, mode turns, cpu\_time
)");
  EXPECT_THAT(RenderReport(report, ReportFormat::kJunit),
              HasSubstr(R"(name="BM_A">
      <failure message="worse by more than 2 %"/>)"));
  EXPECT_THAT(RenderReport(report, ReportFormat::kSarif),
              HasSubstr("\"BM_A: worse by more than 2 %: cpu_time: 100.0 ns "
                        "-> 110.0 ns, +10.00 % [+3.07 %, ?]\""));
}

}  // namespace
}  // namespace autotune
