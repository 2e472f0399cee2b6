#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "base/sha256.h"
#include "comparator/evidence/evidence.h"
#include "comparator/evidence/round_ratios.h"
#include "comparator/judge/sequential_judge.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/report/finished_run.h"
#include "tools/report/report.h"
#include "tools/report/series.h"

namespace autotune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// A run of ten rounds, the last of which is void, in which BM_A takes 0.9 of
// its time and the guard BM_G stays.
Evidence TenRounds() {
  Evidence evidence = RunOf(9, 0.9);
  evidence.baseline.argv = {"old/bench"};
  evidence.machine = {{"cpu", "<cpu>"}};
  RoundEvidence& round = evidence.rounds.emplace_back(evidence.rounds.back());
  round.index = 9;
  round.contender = Visit(90.09, 50.05);
  round.use = RoundUse::kVoid;
  round.ratios = {};
  return evidence;
}

// `count` benchmarks with ten visits a side, the first of which lost.
ComparisonTable Files(std::size_t count) {
  ComparisonTable table;
  table.kind = PolicyKind::kGate;
  table.decision = Decision::kDiscard;
  table.code = ReasonCode::kHarmed;
  table.reason = "BM_Parse/0 is worse by more than 2 %";
  for (std::size_t i = 0; i < count; ++i) {
    Comparison& comparison = table.comparisons.emplace_back();
    comparison.name = "BM_Parse/" + std::to_string(i);
    comparison.metric = {"cpu_time", Direction::kLowerIsBetter};
    comparison.baseline_median = 123.4;
    comparison.contender_median = 124.5;
    comparison.estimate = RatioEstimate{1.009, {1.001, 1.016, 0.86}};
    comparison.p_value = 0.0079;
    comparison.margin = 0.02;
    comparison.standing =
        i == 0 ? MarginStanding::kBeyond : MarginStanding::kWithin;
    PairValues& values = table.values.emplace_back().emplace();
    for (int visit = 0; visit < 10; ++visit) {
      values.baseline.values.push_back(120.0 + visit);
      values.contender.values.push_back(121.0 + 1.1 * visit);
    }
  }
  return table;
}

std::string PageOf(const Report& report) {
  return RenderReport(report, ReportFormat::kHtml);
}

std::string Between(const std::string& text, const std::string& begin,
                    const std::string& end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return "";
  const std::size_t from = first + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::vector<std::string> AllOf(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    found.push_back((*i)[i->size() - 1]);
  }
  return found;
}

TEST(SeriesTest, TheBetsOfARunEndWhereItsComparisonsDo) {
  const Evidence evidence = TenRounds();
  const std::vector<Series> series = SeriesOf(evidence);
  ASSERT_EQ(series.size(), 3U) << "target, guard, overall";
  ASSERT_EQ(series[0].points.size(), 10U);
  EXPECT_DOUBLE_EQ(series[0].log_for_limit, std::log(20.0));
  EXPECT_DOUBLE_EQ(series[0].log_against_limit, std::log(10.0));
  EXPECT_DOUBLE_EQ(series[1].log_against_limit, std::log(10.0));
  const std::size_t last = evidence.targets[0].rounds - 1;
  EXPECT_DOUBLE_EQ(series[0].points[last].log_e_for.value(),
                   evidence.targets[0].log_e_keep);
  EXPECT_FALSE(series[0].points[last + 1].log_e_for.has_value())
      << "frozen when decided";
  const std::size_t guard = evidence.guards[0].rounds - 1;
  EXPECT_DOUBLE_EQ(series[1].points[guard].log_e_for.value(),
                   evidence.guards[0].log_e_keep);
  EXPECT_EQ(series[0].points[9].use, "void");
  EXPECT_EQ(series[0].points[9].index, 10);
  EXPECT_DOUBLE_EQ(series[0].points[2].baseline.value(), 100.0);
  EXPECT_DOUBLE_EQ(series[0].points[2].ratio.value(), 0.9 * 1.002);
}

TEST(SeriesTest, ARoundThatOnlyChecksBetsNothing) {
  Evidence evidence = TenRounds();
  evidence.rounds[1].use = RoundUse::kConfirmation;
  const std::vector<Series> series = SeriesOf(evidence);
  EXPECT_TRUE(series[0].points[0].log_e_for.has_value());
  EXPECT_FALSE(series[0].points[1].log_e_for.has_value());
  EXPECT_EQ(series[0].points[1].use, "confirmation");
  EXPECT_TRUE(series[0].points[5].log_e_for.has_value())
      << "decides a round later";
}

TEST(SeriesTest, RecordedValuesKeepTheirOrder) {
  ComparisonTable table = Files(1);
  table.values.emplace_back();
  const std::vector<Series> series = SeriesOf(table);
  ASSERT_EQ(series.size(), 2U);
  ASSERT_EQ(series[0].points.size(), 10U);
  EXPECT_EQ(series[0].points[3].index, 4);
  EXPECT_EQ(series[0].points[3].baseline, 123.0);
  EXPECT_FALSE(series[0].points[3].log_e_for.has_value());
  EXPECT_TRUE(series[1].points.empty()) << "could not be judged";
}

TEST(ReportHtmlTest, ARunShowsItsDecisionChangesVisitsAndEvidence) {
  const std::string page = PageOf(ReportOf(TenRounds()));
  for (const char* part : {
           "<title>keep: BM_A improved, 1 guard unharmed - bench_compare"
           "</title>",
           "<div class=\"verdict good\"><div class=\"word\">\u2713 keep</div>",
           "<title>Change with its interval</title>",
           "<title>Visits in the order they ran</title><desc>cpu_time of BM_A. "
           "Baseline: 9 values from 100.0 ns to 100.0 ns, median 100.0 ns. "
           "Contender: 9 values from 89.82 ns to 90.18 ns, median 90.00 ns."
           "</desc>",
           "<title>Evidence by round</title><desc>E-values of BM_A, from 1. "
           "&quot;better&quot;: e-value 20.8, needs 20, reached in round 5. "
           "&quot;no gain of 1 %&quot;: e-value "
           "0.00422, needs 10, not reached.</desc>",
           "<tr><th>10 void<td>100.0 ns<td>90.09 ns<td>-9.91 %<td><td>",
           "<a href=\"#b0\">BM_A</a>",
           "<dt>cpu<dd>&lt;cpu&gt;",
       }) {
    EXPECT_NE(page.find(part), std::string::npos)
        << part << Between(page, "E-values of BM_A", "</desc>");
  }
}

TEST(ReportHtmlTest, SaysWhatFilesWereCompared) {
  Report report = ReportOf(Files(1));
  ResultFile file;
  file.source_name = "old<1>.json";
  file.context.date = "2026-01-02T03:04:05+00:00";
  file.context.executable = "./bench";
  AddProvenance("baseline", {&file, 1}, report);
  EXPECT_THAT(PageOf(report), HasSubstr("<dt>baseline<dd>old&lt;1&gt;.json, "
                                        "2026-01-02T03:04:05+00:00, ./bench"));
}

TEST(ReportHtmlTest, SeveralTargetsHaveACardForTheirMean) {
  Evidence evidence = TenRounds();
  evidence.settings = MakeJudgeSettings(evidence.policy, {"BM_A", "BM_G"}, {});
  SequentialJudge judge(evidence.settings);
  for (RoundEvidence& round : evidence.rounds) {
    if (round.use != RoundUse::kCounts) continue;
    round.ratios = ComputeRoundRatios(judge, evidence.metric, round.baseline,
                                      round.contender)
                       .value();
    judge.Add(round.ratios);
  }
  SetOutcome(judge, evidence);
  const std::string page = PageOf(ReportOf(evidence));
  for (const char* part :
       {"<h3>Geometric mean of 2 benchmarks</h3>",
        "<title>Change by round</title><desc>Change of geomean in each of 9 "
        "rounds, and all together -5.1",
        "geometric mean of 2</small>"}) {
    EXPECT_NE(page.find(part), std::string::npos)
        << part << Between(page, "Change by round</title>", "</desc>");
  }
}

TEST(ReportHtmlTest, EveryPlotHasTitleDescriptionAndNumbers) {
  for (const std::string& page :
       {PageOf(ReportOf(TenRounds())), PageOf(ReportOf(Files(3)))}) {
    EXPECT_EQ(
        AllOf(page, "(role=\"img\")").size(),
        AllOf(page, "(role=\"img\"><title>[^<]+</title><desc>[^<]+</desc>)")
            .size());
    EXPECT_EQ(AllOf(page, "(<section)").size(),
              AllOf(page, "(<summary>Numbers</summary><table)").size());
    EXPECT_GT(AllOf(page, "(<figure)").size(), 2U);
  }
}

TEST(ReportHtmlTest, RecordedFilesHaveVisitsAndNoEvidence) {
  const std::string page = PageOf(ReportOf(Files(2)));
  EXPECT_THAT(page,
              HasSubstr("<title>Visits in the order of the files</title>"));
  EXPECT_THAT(page, HasSubstr("<tr><th>10<td>129.0 ns<td>130.9 ns</table>"));
  EXPECT_THAT(page, Not(HasSubstr("Evidence by round")));
  EXPECT_THAT(page, HasSubstr("<li><b class=\"bad\">\u2717 1</b> worse than 2 "
                              "%<li><b class=\"good\">\u2713 1</b> within 2 "
                              "%</ul>"));
}

TEST(ReportHtmlTest, ThePolicyNamesStyleAndScriptByTheirHashes) {
  const std::string page = PageOf(ReportOf(TenRounds()));
  const auto source = [](const std::string& text) {
    return "'sha256-" +
           absl::Base64Escape(absl::HexStringToBytes(Sha256Hex(text))) + "'";
  };
  const std::string script = Between(page, "<script>", "</script>");
  EXPECT_EQ(Between(page, "Content-Security-Policy\" content=\"", "\">"),
            "default-src 'none'; style-src " +
                source(Between(page, "<style>", "</style>")) + "; script-src " +
                source(script) +
                "; img-src data:; base-uri 'none'; form-action 'none'");
  EXPECT_LE(script.size(), 5'000U);
  EXPECT_THAT(page, Not(ContainsRegex("(src|href)=\"[^#d\"]")));
  EXPECT_THAT(page, Not(ContainsRegex("https?:")));
}

TEST(ReportHtmlTest, NamesCannotBecomeElements) {
  ComparisonTable table = Files(2);
  table.comparisons[0].name = "</title><script>alert(1)</script>\" onload=\"x";
  table.reason = table.comparisons[0].name;
  table.only_in_baseline = {"<img src=x>"};
  table.warnings = {"</style><b>"};
  const std::string page = PageOf(ReportOf(std::move(table)));
  EXPECT_EQ(AllOf(page, "(<script)").size(), 1U);
  EXPECT_EQ(AllOf(page, "(</style)").size(), 1U);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("onload=\"x")));
}

TEST(ReportHtmlTest, EveryLinkLeadsToAnElement) {
  const std::string page = PageOf(ReportOf(Files(50)));
  const std::vector<std::string> ids = AllOf(page, " id=\"([^\"]+)\"");
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(known.size(), ids.size()) << "an id stands twice";
  const std::vector<std::string> links = AllOf(page, "href=\"#([^\"]+)\"");
  EXPECT_GT(links.size(), 50U);
  for (const std::string& link : links) EXPECT_TRUE(known.contains(link));
}

TEST(ReportHtmlTest, AThousandBenchmarksAreShownWholeBelowThreeMegabytes) {
  const std::string page = PageOf(ReportOf(Files(1000)));
  EXPECT_LT(page.size(), 3'000'000U);
  EXPECT_THAT(page, HasSubstr("id=\"b999\""));
  EXPECT_THAT(page, Not(HasSubstr("left out")));
}

TEST(ReportHtmlTest, OfTenThousandTheWorstAreShownAndTheRestCounted) {
  ComparisonTable table = Files(10'000);
  std::swap(table.comparisons[0], table.comparisons[9'999]);
  const std::string page = PageOf(ReportOf(std::move(table)));
  EXPECT_LT(page.size(), 3'000'000U);
  EXPECT_THAT(page, HasSubstr("<a href=\"#b9999\">BM_Parse/0</a>"));
  EXPECT_THAT(page, ContainsRegex("<p>[0-9]+ more, none worse than those "
                                  "above; the JSON report has them all."));
  EXPECT_THAT(
      page, ContainsRegex("The plots of [0-9]+ more benchmarks are left out"));
}

TEST(ReportHtmlTest, EqualProgramsAndNothingToCompareHaveAPageToo) {
  Evidence evidence;
  evidence.identical = true;
  static_cast<Ruling&>(evidence) = UnchangedRuling(PolicyKind::kTune);
  EXPECT_THAT(PageOf(ReportOf(evidence)), HasSubstr("\u2717 discard</div>"));
  ComparisonTable nothing;
  nothing.code = ReasonCode::kNothing;
  nothing.reason = "no benchmark is selected on either side";
  EXPECT_THAT(PageOf(ReportOf(nothing)),
              HasSubstr("\u2717 cannot judge</div>"));
}

}  // namespace
}  // namespace autotune
