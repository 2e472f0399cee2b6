#include "comparator/results/result_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

// A file as Google Benchmark 1.7 writes it, with these rows.
std::string File(const std::string& rows) {
  return R"({
  "context": {
    "date": "2026-01-02T03:04:05+00:00",
    "host_name": "lab",
    "executable": "./bench",
    "num_cpus": 8,
    "mhz_per_cpu": 2400,
    "cpu_scaling_enabled": false,
    "caches": [
    ],
    "load_avg": [0.5,0.25,0.125],
    "library_build_type": "release",
    "compiler": "gcc 12"
  },
  "benchmarks": [
)" + rows +
         "\n  ]\n}\n";
}

std::string Row(const std::string& name, const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "repetitions": 1,
      "repetition_index": 0, "threads": 1, "iterations": 5000000000,
      "real_time": 2.5000000000000000e+00, "cpu_time": 2.0000000000000000e+00,
      "time_unit": "us")" +
         more + "}";
}

TEST(ResultFileTest, ReadsContextAndMeasurements) {
  const std::string text = File(Row(
      "BM_A/8", R"(, "items_per_second": 4.0e+08, "label": "a \"b\" \u00e9")"));
  ASSERT_OK_AND_ASSIGN(const ResultFile file,
                       ParseResultFile(text, "new.json"));
  EXPECT_EQ(file.source_name, "new.json");
  EXPECT_EQ(file.context.date, "2026-01-02T03:04:05+00:00");
  EXPECT_EQ(file.context.host_name, "lab");
  EXPECT_EQ(file.context.executable, "./bench");
  EXPECT_EQ(file.context.num_cpus, 8);
  EXPECT_EQ(file.context.mhz_per_cpu, 2400);
  EXPECT_EQ(file.context.cpu_scaling_enabled, false);
  EXPECT_EQ(file.context.aslr_enabled, std::nullopt);
  EXPECT_EQ(file.context.library_build_type, "release");
  EXPECT_THAT(file.context.load_avg, ElementsAre(0.5, 0.25, 0.125));
  EXPECT_THAT(file.context.custom, ElementsAre(Pair("compiler", "gcc 12")));
  ASSERT_THAT(file.measurements, SizeIs(1));
  const Measurement& row = file.measurements[0];
  EXPECT_EQ(row.name, "BM_A/8");
  EXPECT_EQ(row.iterations, 5000000000);
  EXPECT_EQ(row.repetition_index, 0);
  EXPECT_EQ(row.threads, 1);
  EXPECT_EQ(row.real_time_ns, 2500.0);
  EXPECT_EQ(row.cpu_time_ns, 2000.0);
  EXPECT_EQ(row.label, "a \"b\" \u00e9");
  EXPECT_THAT(row.counters, ElementsAre(Pair("items_per_second", 4e8)));
  EXPECT_TRUE(file.complete);
  EXPECT_THAT(file.suspicions, IsEmpty());
  EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(ResultFileTest, ReadsVisitAndCompletenessOfOurReporter) {
  std::string text = File(Row("BM_A"));
  text.insert(1, R"("autotune": {"format_version": 1, "visit_id": "v7",
      "rusage": {"x": [1, {"y": null}]}, "complete": true},)");
  ASSERT_OK_AND_ASSIGN(const ResultFile file, ParseResultFile(text, "a.json"));
  EXPECT_EQ(file.visit_id, "v7");
  EXPECT_EQ(file.measurements.at(0).visit_id, "v7");
  EXPECT_TRUE(file.complete);
}

TEST(ResultFileTest, RefusesARunThatEndedEarlyUnlessPartial) {
  std::string text = File(Row("BM_A"));
  text.insert(1, R"("autotune": {"complete": false},)");
  EXPECT_THAT(ParseResultFile(text, "a.json"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a.json: its run was ended early, after 1 complete "
                       "benchmark; measure again, or use what is complete with "
                       "--partial"));
  ASSERT_OK_AND_ASSIGN(const ResultFile file,
                       ParseResultFile(text, "a.json", {.partial = true}));
  EXPECT_FALSE(file.complete);
  EXPECT_THAT(file.measurements, SizeIs(1));
}

TEST(ResultFileTest, ListsErroredAndSkippedRowsWithTheirReason) {
  ASSERT_OK_AND_ASSIGN(
      const ResultFile file,
      ParseResultFile(File(R"({"name": "BM_E", "error_occurred": true,
                "error_message": "no data", "iterations": 1,
                "real_time": 0.0, "cpu_time": 0.0, "time_unit": "ns"},
                {"name": "BM_S", "skipped": true, "skip_message": "no GPU"})"),
                      "a.json"));
  EXPECT_THAT(file.measurements, IsEmpty());
  ASSERT_THAT(file.unusable, SizeIs(2));
  EXPECT_EQ(file.unusable[0].name, "BM_E");
  EXPECT_EQ(file.unusable[0].kind, UnusableRow::Kind::kErrored);
  EXPECT_EQ(file.unusable[0].reason, "no data");
  EXPECT_EQ(file.unusable[1].kind, UnusableRow::Kind::kSkipped);
  EXPECT_EQ(file.unusable[1].reason, "no GPU");
}

TEST(ResultFileTest, NamesRowKeyAndTypesOfAWrongValue) {
  EXPECT_THAT(
      ParseResultFile(R"({"benchmarks": [
  {"name": "BM_A", "iterations": 1, "real_time": "fast"}]})",
                      "new.json"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "new.json:2:50: benchmarks[0]: real_time: expected a number, "
               "got a string"));
}

}  // namespace
}  // namespace autotune
