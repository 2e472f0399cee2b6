#include "tools/report/report.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;
using ::testing::StartsWith;

Comparison Judged(const std::string& name, double ratio, Verdict verdict) {
  Comparison comparison;
  comparison.name = name;
  comparison.metric = {"cpu_time", Direction::kLowerIsBetter};
  comparison.baseline_visits = 5;
  comparison.contender_visits = 5;
  comparison.baseline_size = 5;
  comparison.contender_size = 5;
  comparison.baseline_median = 100.0;
  comparison.contender_median = 100.0 * ratio;
  comparison.estimate = RatioEstimate{ratio, {0.99 * ratio, {}, 0.86}};
  comparison.p_value = 0.0079;
  comparison.adjusted_p_value = 0.0158;
  comparison.probability_of_superiority = 1.0;
  comparison.verdict = verdict;
  return comparison;
}

// A table with one row of every kind.
ComparisonTable Example() {
  ComparisonTable table;
  table.comparisons.push_back(Judged("BM_Fast", 0.9, Verdict::kImproved));
  table.comparisons.push_back(Judged("BM_Slow", 1.2, Verdict::kRegressed));
  Comparison undecided = Judged("BM_Open", 1.0, Verdict::kInconclusive);
  undecided.reason = "neither proven";
  table.comparisons.push_back(undecided);
  Comparison suspect = Judged("BM_<odd>|", 0.5, Verdict::kInconclusive);
  suspect.suspicion = "the loop was removed";
  table.comparisons.push_back(suspect);
  Comparison failed;
  failed.name = "BM_Failed";
  failed.metric = {"cpu_time", Direction::kLowerIsBetter};
  failed.cannot_judge = "contender: errored: boom";
  table.comparisons.push_back(failed);
  Comparison guard = Judged("BM_Guard", 1.0, Verdict::kEquivalent);
  guard.role = ComparisonRole::kGuard;
  guard.margin = 0.02;
  guard.standing = MarginStanding::kWithin;
  table.comparisons.push_back(guard);
  table.only_in_baseline = {"BM_Old"};
  table.unusable_contender = {
      {"BM_Failed", UnusableRow::Kind::kErrored, "boom"}};
  table.overall = Judged("geomean", 1.04, Verdict::kRegressed);
  table.overall->estimate->interval = {1.01, 1.07, 0.85};
  table.overall_size = 3;
  table.code = ReasonCode::kUnjudgeable;
  table.reason = "BM_Failed: contender: errored: boom";
  table.warnings = {"load 9.00 on 2 CPUs"};
  return table;
}

TEST(ComparisonTextTest, EveryKindOfRowIsSaidInWords) {
  EXPECT_EQ(
      RenderReport(ReportOf(Example()), ReportFormat::kTable),
      R"(benchmark         baseline  contender    change            interval       two-sided  verdict
BM_Fast           100.0 ns   90.00 ns  -10.00 %       [-10.90 %, ?]  p=0.0079 n=5+5  improved
BM_Slow           100.0 ns   120.0 ns  +20.00 %       [+18.80 %, ?]  p=0.0079 n=5+5  regressed
BM_Open           100.0 ns   100.0 ns   +0.00 %        [-1.00 %, ?]  p=0.0079 n=5+5  inconclusive
BM_<odd>|         100.0 ns   50.00 ns  -50.00 %       [-50.50 %, ?]  p=0.0079 n=5+5  suspect ¹
BM_Failed                                                                            cannot judge ²
BM_Guard (guard)  100.0 ns   100.0 ns   +0.00 %        [-1.00 %, ?]  p=0.0079 n=5+5  within 2 %
geomean of 3                            +4.00 %  [+1.00 %, +7.00 %]                  regressed
¹ the loop was removed
² contender: errored: boom
only in the baseline (1): BM_Old
unusable in the contender (1): BM_Failed errored: boom
note: load 9.00 on 2 CPUs
note: recorded files: the order of the runs was not randomised, so drift counts as change
cannot judge: BM_Failed: contender: errored: boom
)");
}

TEST(ComparisonMarkdownTest, NamesCannotBecomeMarkup) {
  EXPECT_EQ(RenderReport(ReportOf(Example()), ReportFormat::kMarkdown),
            R"(**cannot judge**: BM\_Failed: contender: errored: boom

| benchmark | baseline | contender | change | interval | verdict |
| :--- | ---: | ---: | ---: | ---: | :--- |
| BM\_Failed |  |  |  |  | cannot judge |
| BM\_Slow | 100.0 ns | 120.0 ns | +20.00 % | [+18.80 %, ?] | regressed |
| BM\_Open | 100.0 ns | 100.0 ns | +0.00 % | [-1.00 %, ?] | inconclusive |
| BM\_\<odd\>\| | 100.0 ns | 50.00 ns | -50.00 % | [-50.50 %, ?] | suspect |
| BM\_Guard (guard) | 100.0 ns | 100.0 ns | +0.00 % | [-1.00 %, ?] | within 2 % |
| BM\_Fast | 100.0 ns | 90.00 ns | -10.00 % | [-10.90 %, ?] | improved |
| **geomean of 3** |  |  | **+4.00 %** | [+1.00 %, +7.00 %] | regressed |

<details><summary>6 notes</summary>

- only in the baseline: BM\_Old
- unusable in the contender: BM\_Failed errored: boom
- load 9\.00 on 2 CPUs
- BM\_\<odd\>\|: the loop was removed
- BM\_Failed: contender: errored: boom
- recorded files: the order of the runs was not randomised, so drift counts as change

</details>
)");
}

TEST(ComparisonJunitTest, LossesFailAndWhatIsUndecidedIsSkipped) {
  EXPECT_EQ(RenderReport(ReportOf(Example()), ReportFormat::kJunit),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="bench_compare" tests="8" failures="1" errors="3" skipped="2">
    <testcase classname="bench_compare" name="BM_Fast">
      <system-out>cpu_time: 100.0 ns -&gt; 90.00 ns, -10.00 % [-10.90 %, ?]</system-out>
    </testcase>
    <testcase classname="bench_compare" name="BM_Slow">
      <failure message="regressed"/>
      <system-out>cpu_time: 100.0 ns -&gt; 120.0 ns, +20.00 % [+18.80 %, ?]</system-out>
    </testcase>
    <testcase classname="bench_compare" name="BM_Open">
      <skipped message="neither proven"/>
      <system-out>cpu_time: 100.0 ns -&gt; 100.0 ns, +0.00 % [-1.00 %, ?]</system-out>
    </testcase>
    <testcase classname="bench_compare" name="BM_&lt;odd&gt;|">
      <skipped message="the loop was removed"/>
      <system-out>cpu_time: 100.0 ns -&gt; 50.00 ns, -50.00 % [-50.50 %, ?]</system-out>
    </testcase>
    <testcase classname="bench_compare" name="BM_Failed">
      <error message="contender: errored: boom"/>
    </testcase>
    <testcase classname="bench_compare" name="BM_Guard [cpu_time]">
      <system-out>cpu_time: 100.0 ns -&gt; 100.0 ns, +0.00 % [-1.00 %, ?]</system-out>
    </testcase>
    <testcase classname="bench_compare" name="BM_Old">
      <error message="only in the baseline"/>
    </testcase>
    <testcase classname="bench_compare" name="decision">
      <error message="cannot judge: BM_Failed: contender: errored: boom"/>
      <system-out>cannot judge: BM_Failed: contender: errored: boom</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(ComparisonSarifTest, LossesDoubtsAndTheWholeAreResults) {
  const auto log = nlohmann::json::parse(
      RenderReport(ReportOf(Example()), ReportFormat::kSarif));
  EXPECT_EQ(log["version"], "2.1.0");
  const auto& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0]["ruleId"], "performance-regression");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["message"]["text"],
            "BM_Slow: regressed: cpu_time: 100.0 ns -> 120.0 ns, +20.00 % "
            "[+18.80 %, ?]");
  EXPECT_EQ(
      results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"],
      "BM_Slow");
  EXPECT_EQ(results[1]["ruleId"], "suspect-numbers");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[2]["ruleId"], "cannot-judge");
  EXPECT_EQ(results[3]["message"]["text"],
            "BM_Failed: contender: errored: boom");
  // GitHub refuses the whole file when one result names no file, and takes
  // results of one fingerprint for the same.
  std::set<std::string> fingerprints;
  for (const auto& result : results) {
    EXPECT_EQ(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        ".bench_compare.toml");
    fingerprints.insert(
        result["partialFingerprints"]["primaryLocationLineHash"]);
  }
  EXPECT_EQ(fingerprints.size(), 4U);
  EXPECT_FALSE(results[3]["locations"][0].contains("logicalLocations"));
}

TEST(ComparisonJsonTest, ReadsBackWithNullForWhatIsAbsent) {
  const auto json = nlohmann::json::parse(
      RenderReport(ReportOf(Example()), ReportFormat::kJson));
  EXPECT_EQ(json["decision"], "cannot_judge");
  EXPECT_EQ(json["benchmarks"].size(), 6U);
  EXPECT_TRUE(json["benchmarks"][0]["ratio_high"].is_null());
  EXPECT_TRUE(json["benchmarks"][4]["ratio"].is_null());
  EXPECT_TRUE(json["benchmarks"][4]["verdict"].is_null());
  EXPECT_EQ(json["benchmarks"][4]["cannot_judge"], "contender: errored: boom");
  EXPECT_EQ(json["benchmarks"][5]["role"], "guard");
  EXPECT_EQ(json["benchmarks"][5]["standing"], "within");
  EXPECT_EQ(json["unusable_contender"][0]["kind"], "errored");
  EXPECT_EQ(json["overall"]["benchmarks"], 3);
}

TEST(ReportFormatTest, EveryNameReadsBackAsItsFormat) {
  for (const auto& one : NameTable<ReportFormat>::kAll) {
    EXPECT_THAT(ValueNamed<ReportFormat>(one.name), Optional(Eq(one.value)));
  }
  EXPECT_EQ(ValueNamed<ReportFormat>("pdf"), std::nullopt);
}

// Whatever is said of benchmarks, once each and kind: what is said of files and
// machines stands.
TEST(ReportTextTest, NotesOnTheWholeAreNeverLeftOutForThoseOnBenchmarks) {
  ComparisonTable table = Example();
  for (int i = 0; i < 30; ++i) {
    table.comparisons.push_back(
        Judged("BM_" + std::to_string(i), 1.0, Verdict::kEquivalent));
    table.comparisons.back().warnings = {"it waits",
                                         "digits " + std::to_string(i)};
  }
  table.warnings = {"different Google Benchmark versions: 1.7 against 1.9",
                    "load 9.00 on 2 CPUs"};
  const std::string text =
      RenderReport(ReportOf(std::move(table)), ReportFormat::kTable);
  EXPECT_THAT(text, ContainsRegex("\nBM_0 [^\n]* equivalent ³⁴\n"));
  EXPECT_THAT(text, ContainsRegex("\nBM_29 [^\n]* equivalent ³\n"));
  EXPECT_THAT(text, HasSubstr("\n³ it waits\n⁴ digits 0\n⁵ digits 1\n"
                              "⁶ digits 2\n⁷ digits 3\n⁸ digits 4\n"
                              "25 more footnotes; see --json\n"));
  EXPECT_THAT(
      text,
      HasSubstr("note: different Google Benchmark versions: 1.7 against 1.9\n"
                "note: load 9.00 on 2 CPUs\n"
                "note: recorded files: the order of the runs"));
}

TEST(ReportTextTest, WhoReadsNoUtf8GetsAsciiOfTheSameWidth) {
  ComparisonTable table;
  table.comparisons = {Judged("BM_\u00c4/\u6f22", 1.0, Verdict::kEquivalent),
                       Judged("BM_B", 0.9, Verdict::kImproved)};
  table.comparisons[0].warnings = {"it waits", "it is \u00fcber"};
  TextLayout layout;
  layout.utf8 = false;
  const std::string text =
      RenderReport(ReportOf(std::move(table)), ReportFormat::kTable, layout);
  EXPECT_THAT(text, HasSubstr(R"(
BM_\u00c4/\u6f22  100.0 ns   100.0 ns   +0.00 %   [-1.00 %, ?]  p=0.0079 n=5+5  equivalent [1] [2]
BM_B              100.0 ns   90.00 ns  -10.00 %  [-10.90 %, ?]  p=0.0079 n=5+5  improved
[1] it waits
[2] it is \u00fcber
)"));
}

TEST(ReportTextTest, ANarrowTerminalDoesWithoutWhatIsMissedLeast) {
  ComparisonTable table;
  table.comparisons = {
      Judged("BM_ALongNameOfABenchmark/4096", 0.9, Verdict::kImproved)};
  const Report report = ReportOf(std::move(table));
  const auto rows = [&report](int width) {
    TextLayout layout;
    layout.width = width;
    const std::string text = RenderReport(report, ReportFormat::kTable, layout);
    return text.substr(0, text.find("note: "));
  };
  EXPECT_EQ(
      rows(1000),
      R"(benchmark                      baseline  contender    change       interval       two-sided  verdict
BM_ALongNameOfABenchmark/4096  100.0 ns   90.00 ns  -10.00 %  [-10.90 %, ?]  p=0.0079 n=5+5  improved
)");
  EXPECT_EQ(
      rows(97),
      R"(benchmark                      baseline  contender    change       interval  verdict
BM_ALongNameOfABenchmark/4096  100.0 ns   90.00 ns  -10.00 %  [-10.90 %, ?]  improved
)");
  EXPECT_EQ(rows(80),
            R"(benchmark                        change       interval  verdict
BM_ALongNameOfABenchmark/4096  -10.00 %  [-10.90 %, ?]  improved
)");
  EXPECT_EQ(rows(60), R"(benchmark                        change  verdict
BM_ALongNameOfABenchmark/4096  -10.00 %  improved
)");
  EXPECT_EQ(rows(40), R"(benchmark               change  verdict
BM_ALongNa…mark/4096  -10.00 %  improved
)");
}

TEST(ReportTextTest, WhatIsLeftOutIsSaidOnce) {
  ComparisonTable table = Example();
  const UnusableRow skipped = {"BM_S", UnusableRow::Kind::kSkipped, "no AVX"};
  const UnusableRow failed = {"BM_F", UnusableRow::Kind::kErrored, "boom"};
  table.unusable_baseline = {skipped, skipped, skipped};
  table.unusable_contender = {skipped, skipped, failed, skipped, failed};
  const Report report = ReportOf(std::move(table));
  EXPECT_THAT(RenderReport(report, ReportFormat::kTable),
              HasSubstr("unusable in the contender (1): BM_F errored 2 times: "
                        "boom\nunusable on both sides (1): BM_S skipped 6 "
                        "times: no AVX\n"));
  const auto json =
      nlohmann::json::parse(RenderReport(report, ReportFormat::kJson));
  EXPECT_EQ(json["unusable_baseline"].size(), 1U);
  EXPECT_EQ(json["unusable_baseline"][0]["rows"], 3);
  EXPECT_EQ(json["unusable_contender"].size(), 2U);
}

TEST(ReportMarkdownTest, ALongOneIsCutButNeverItsWorstRows) {
  ComparisonTable table = Example();
  for (int i = 0; i < 3000; ++i) {
    table.comparisons.push_back(
        Judged("BM_" + std::to_string(i), 1.0, Verdict::kEquivalent));
    table.comparisons.back().warnings = {std::to_string(i) +
                                         std::string(2000, '<')};
  }
  table.comparisons.push_back(Judged("BM_Last", 1.5, Verdict::kRegressed));
  const std::string text =
      RenderReport(ReportOf(std::move(table)), ReportFormat::kMarkdown);
  EXPECT_LT(text.size(), 65536U);
  EXPECT_THAT(text, HasSubstr("|\n| BM\\_Failed |  |  |  |  | cannot judge |\n"
                              "| BM\\_Last | "));
  EXPECT_THAT(text, ContainsRegex("\n[|] [0-9]+ more [|]\n"));
  EXPECT_THAT(text, ContainsRegex("\n- [0-9]+ more\n"));
  EXPECT_THAT(text, EndsWith("so drift counts as change\n\n</details>\n"));
}

TEST(ReportMarkdownTest, WhatPassedIsFoldedInALongTable) {
  ComparisonTable table = Example();
  for (int i = 0; i < 20; ++i) {
    table.comparisons.push_back(
        Judged("BM_" + std::to_string(i), 1.0, Verdict::kEquivalent));
  }
  const std::string text =
      RenderReport(ReportOf(std::move(table)), ReportFormat::kMarkdown);
  const std::string fold =
      "<details><summary>16 more, none worse</summary>\n\n";
  ASSERT_THAT(text, HasSubstr("| regressed |\n\n" + fold + "| benchmark |"));
  EXPECT_LT(text.find("BM\\_Slow"), text.find(fold));
  EXPECT_GT(text.find("BM\\_19"), text.find(fold));
}

TEST(ReportSummaryTest, HoldsTenThousandBelowHalfAMegabyte) {
  ComparisonTable table = Example();
  for (int i = 0; i < 10'000; ++i) {
    table.comparisons.push_back(
        Judged("BM_" + std::to_string(i), 1.5, Verdict::kRegressed));
  }
  const Report report = ReportOf(std::move(table));
  const std::string text = RenderReport(report, ReportFormat::kSummary);
  EXPECT_LT(text.size(), 500'000U);
  EXPECT_GT(text.size(), 200'000U);
  EXPECT_LT(RenderReport(report, ReportFormat::kMarkdown).size(), 65'536U);
}

TEST(ReportGithubTest, AnnotatesTheWholeThenTheWorst) {
  const std::string text =
      RenderReport(ReportOf(Example()), ReportFormat::kGithub);
  EXPECT_THAT(text, StartsWith("benchmark  "));
  EXPECT_THAT(text, EndsWith(R"(
cannot judge: BM_Failed: contender: errored: boom
::error title=bench_compare::cannot judge: BM_Failed: contender: errored: boom
::error title=BM_Failed::contender: errored: boom
::error title=BM_Slow::regressed: cpu_time: 100.0 ns -> 120.0 ns, +20.00 %25 [+18.80 %25, ?]
::warning title=BM_Open::neither proven: cpu_time: 100.0 ns -> 100.0 ns, +0.00 %25 [-1.00 %25, ?]
::warning title=BM_<odd>|::the loop was removed: cpu_time: 100.0 ns -> 50.00 ns, -50.00 %25 [-50.50 %25, ?]
)"));
}

TEST(ReportGithubTest, TenAnnotationsAtMostAndNoneForAPass) {
  ComparisonTable table = Example();
  for (int i = 0; i < 100; ++i) {
    table.comparisons.push_back(
        Judged("BM:,%" + std::to_string(i), 1.5, Verdict::kRegressed));
  }
  const std::string text = RenderReport(ReportOf(table), ReportFormat::kGithub);
  std::size_t commands = 0;
  for (std::size_t i = 0; (i = text.find("\n::", i)) != std::string::npos;
       ++i) {
    ++commands;
  }
  EXPECT_EQ(commands, 10U);
  EXPECT_THAT(text, HasSubstr("\n::error title=BM%3A%2C%250::regressed: "));
  EXPECT_THAT(text, EndsWith("\n::error title=bench_compare::96 more "
                             "benchmarks; see the report\n"));
  table.code = ReasonCode::kImproved;
  table.decision = Decision::kKeep;
  EXPECT_THAT(RenderReport(ReportOf(table), ReportFormat::kGithub),
              Not(HasSubstr("\n::")));
}

TEST(ReportSarifTest, ALongOneIsCutToWhatIsShown) {
  ComparisonTable table = Example();
  table.comparisons.resize(1);
  for (int i = 0; i < 6000; ++i) {
    table.comparisons.push_back(
        Judged("BM_" + std::to_string(i), 1.5, Verdict::kRegressed));
  }
  const auto log = nlohmann::json::parse(
      RenderReport(ReportOf(std::move(table)), ReportFormat::kSarif));
  const auto& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 5000U);
  EXPECT_EQ(results[4998]["message"]["text"], "1002 more results");
}

// What GitHub, a CI log or a reader of XML would act on.
TEST(ReportTest, HostileNamesAreInertInEveryForm) {
  ComparisonTable table = Example();
  const std::string name =
      "::error::x ##[error]y @team #12 `code` |cell| <b> https://e.x \x1b[2J";
  for (Comparison& comparison : table.comparisons) comparison.name = name;
  table.only_in_baseline = {name};
  table.reason = name + ": errored";
  const Report report = ReportOf(std::move(table));
  for (const auto& one : NameTable<ReportFormat>::kAll) {
    const std::string text = RenderReport(report, one.value);
    SCOPED_TRACE(text);
    EXPECT_THAT(text, Not(ContainsRegex("(^|\n)[ \t]*::error::")));
    EXPECT_THAT(text, Not(ContainsRegex("(^|\n)[ \t]+::")));
    EXPECT_THAT(text, Not(HasSubstr("##[")));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
  const std::string markdown = RenderReport(report, ReportFormat::kMarkdown);
  for (const char* active :
       {"@team", "#12", "<b>", "|cell|", " `code`", "https://"}) {
    EXPECT_THAT(markdown, Not(HasSubstr(active)));
  }
  const std::string junit = RenderReport(report, ReportFormat::kJunit);
  EXPECT_THAT(junit, Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace autotune
