#include "tools/measure/visit.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using absl::StatusCode;
using testing::ElementsAre;

const Metric kCpuTime = {"cpu_time", Direction::kLowerIsBetter};

Measurement Row(const std::string& name, std::int64_t iterations,
                double cpu_time_ns) {
  Measurement row;
  row.name = name;
  row.iterations = iterations;
  row.cpu_time_ns = cpu_time_ns;
  row.real_time_ns = 2 * cpu_time_ns;
  row.counters = {{"hits", cpu_time_ns / 10}};
  return row;
}

FinishedVisit VisitWith(std::vector<Measurement> rows) {
  FinishedVisit visit;
  visit.results.measurements = std::move(rows);
  visit.process.usage.user_cpu = absl::Milliseconds(500);
  visit.process.usage.system_cpu = absl::Milliseconds(100);
  visit.process.wall = absl::Seconds(2);
  return visit;
}

TEST(ExactFilterTest, SelectsTheNamesAndNothingElse) {
  EXPECT_EQ(ExactFilter({"BM_A"}), "^(BM_A)$");
  EXPECT_EQ(ExactFilter({"BM_A<int*>/8", "b.c"}), "^(BM_A<int\\*>/8|b\\.c)$");
}

TEST(ExactFilterTest, EscapesEveryCharacterOfAnExpression) {
  EXPECT_EQ(ExactFilter({"\\^$.[]|()?*+{}"}),
            "^(\\\\\\^\\$\\.\\[\\]\\|\\(\\)\\?\\*\\+\\{\\})$");
}

TEST(VisitProcessTest, AddsOurFlagsAfterTheCommandsOwn) {
  SideCommand command;
  command.arguments = {"data.txt", "--benchmark_repetitions=99"};
  command.environment = {{"A", "1"}};
  command.working_directory = "/w";
  VisitRequest request;
  request.command = &command;
  request.program = "/p/bench";
  request.filter = "^(X)$";
  request.result_path = "/p/r.json";
  request.size = {0.015, 7};
  request.padding_bytes = 3;
  request.cpu = 1;
  const ProcessSpec spec = VisitProcess(request);
  EXPECT_THAT(
      spec.argv,
      ElementsAre("/p/bench", "data.txt", "--benchmark_repetitions=99",
                  "--benchmark_filter=^(X)$", "--benchmark_min_time=0.015",
                  "--benchmark_repetitions=7", "--benchmark_out_format=json",
                  "--benchmark_out=/p/r.json"));
  EXPECT_EQ(spec.environment.at("A"), "1");
  EXPECT_EQ(spec.environment.at("_"), "xxx");
  EXPECT_THAT(spec.unset_environment_prefixes,
              ElementsAre("BENCHMARK_", "AUTOTUNE_"));
  EXPECT_EQ(spec.working_directory, "/w");
  EXPECT_EQ(spec.cpu, 1);
}

TEST(VisitProcessTest, PutsTheFilterWhereTheCommandWantsIt) {
  SideCommand command;
  command.arguments = {"--only={filter}"};
  VisitRequest request;
  request.command = &command;
  request.filter = "X";
  EXPECT_EQ(VisitProcess(request).argv[1], "--only=X");
  EXPECT_EQ(VisitProcess(request).argv[2], "--benchmark_min_time=0.015");
}

TEST(SummarizeVisitTest, TheMeanIsTotalTimeOverTotalIterations) {
  const FinishedVisit visit = VisitWith({Row("A", 100, 10), Row("A", 300, 20)});
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 2, {}}},
                                      kCpuTime, Summary::kMean));
  ASSERT_EQ(evidence.benchmarks.size(), 1U);
  EXPECT_DOUBLE_EQ(evidence.benchmarks[0].value, 17.5);
  EXPECT_THAT(evidence.benchmarks[0].values, ElementsAre(10, 20));
  EXPECT_THAT(evidence.benchmarks[0].iterations, ElementsAre(100, 300));
}

TEST(SummarizeVisitTest, TheMedianIgnoresIterations) {
  const FinishedVisit visit =
      VisitWith({Row("A", 1, 30), Row("A", 999, 10), Row("A", 1, 20)});
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 3, {}}},
                                      kCpuTime, Summary::kMedian));
  EXPECT_EQ(evidence.benchmarks[0].value, 20);
}

TEST(SummarizeVisitTest, ExcessIsTheProcessesCpuLessWhatTheRowsCount) {
  // 0.6 s of CPU, of which 2e7 iterations of 10 ns are counted.
  const FinishedVisit visit = VisitWith({Row("A", 20'000'000, 10)});
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 1, {}}},
                                      kCpuTime, Summary::kMean));
  EXPECT_NEAR(evidence.excess_cpu_seconds, 0.4, 1e-12);
  EXPECT_EQ(evidence.wall_seconds, 2.0);
}

TEST(SummarizeVisitTest, CountersGetEntriesOfTheirOwn) {
  const FinishedVisit visit = VisitWith({Row("A", 1, 10), Row("A", 1, 30)});
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 2, {"hits"}}},
                                      kCpuTime, Summary::kMean));
  ASSERT_EQ(evidence.benchmarks.size(), 2U);
  EXPECT_EQ(evidence.benchmarks[1].name, "A [hits]");
  EXPECT_EQ(evidence.benchmarks[1].value, 2.0);
}

TEST(SummarizeVisitTest, PublishedMedianStandsInForRows) {
  FinishedVisit visit = VisitWith({});
  for (const auto& [name, value] :
       {std::pair<std::string, double>("mean", 50.0), {"median", 40.0}}) {
    Aggregate aggregate;
    aggregate.row = Row("A", 3, value);
    aggregate.aggregate_name = name;
    visit.results.aggregates.push_back(aggregate);
  }
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 3, {}}},
                                      kCpuTime, Summary::kMean));
  EXPECT_EQ(evidence.benchmarks[0].value, 40.0);
}

TEST(SummarizeVisitTest, SaysWhatIsMissing) {
  const auto summarize = [](const FinishedVisit& visit,
                            const ExpectedBenchmark& expected,
                            const Metric& metric) {
    return SummarizeVisit(visit, "contender", {expected}, metric,
                          Summary::kMean);
  };
  const FinishedVisit visit = VisitWith({Row("A", 1, 10)});
  EXPECT_THAT(summarize(visit, {"B", 1, {}}, kCpuTime),
              StatusIs(StatusCode::kAborted,
                       "contender: \"B\": missing from the results, though "
                       "the pilot saw it"));
  EXPECT_THAT(summarize(visit, {"A", 10, {}}, kCpuTime),
              StatusIs(StatusCode::kAborted,
                       "contender: \"A\": expected 10 repetitions in the "
                       "results, got 1"));
  EXPECT_THAT(
      summarize(visit, {"A", 1, {}}, {"misses", Direction::kLowerIsBetter}),
      StatusIs(StatusCode::kAborted,
               "contender: \"A\": the results hold no misses: choose a metric "
               "that this benchmark reports"));
}

TEST(SummarizeVisitTest, ARowTooShortToTimeLeavesNoNumbersButNoError) {
  FinishedVisit visit = VisitWith({});
  visit.results.unusable.push_back(
      {.name = "A", .kind = UnusableRow::Kind::kNotMeasured, .reason = "0 ns"});
  ASSERT_OK_AND_ASSIGN(const VisitEvidence evidence,
                       SummarizeVisit(visit, "baseline", {{"A", 1, {}}},
                                      kCpuTime, Summary::kMean));
  ASSERT_EQ(evidence.benchmarks.size(), 1U);
  EXPECT_EQ(evidence.benchmarks[0].name, "A");
  EXPECT_TRUE(evidence.benchmarks[0].values.empty());
}

TEST(SummarizeVisitTest, AnUnusableRowIsNamedWithItsReason) {
  FinishedVisit visit = VisitWith({Row("A", 1, 10)});
  UnusableRow row;
  row.name = "A";
  row.kind = UnusableRow::Kind::kSkipped;
  row.reason = "no data";
  visit.results.unusable = {row};
  EXPECT_THAT(
      SummarizeVisit(visit, "baseline", {{"A", 1, {}}}, kCpuTime,
                     Summary::kMean),
      StatusIs(StatusCode::kAborted, "baseline: \"A\" skipped: no data"));
}

}  // namespace
}  // namespace autotune
