// What becomes of the rows of a result file.

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

ResultFile Parsed(const std::string& rows, const ParseOptions& options = {}) {
  absl::StatusOr<ResultFile> file =
      ParseResultFile("{\"benchmarks\": [" + rows + "]}", "a.json", options);
  EXPECT_OK(file);
  return file.ok() ? *std::move(file) : ResultFile();
}

// A row as before 1.5.0.
std::string OldRow(const std::string& name, const std::string& iterations,
                   const std::string& more = "") {
  return absl::StrCat(R"({"name": ")", name, R"(", "iterations": )", iterations,
                      R"(, "real_time": 1.5e+03, )",
                      R"("cpu_time": 1.25e+03, "time_unit": "ns")", more, "}");
}

// A row as from 1.5.5 on.
std::string Row(const std::string& name, int repetition, int instance = 0) {
  return absl::StrCat(
      R"({"name": ")", name, R"(", "family_index": 3, )",
      R"("per_family_instance_index": )", instance, R"(, "run_name": ")", name,
      R"(", "run_type": "iteration", "repetitions": 3, "repetition_index": )",
      repetition,
      R"(, "threads": 1, "iterations": 1000, "real_time": 1.5e+03, )",
      R"("cpu_time": 1.25e+03, "time_unit": "ns"})");
}

std::vector<std::tuple<std::string, int, int>> NamesAndNumbers(
    const ResultFile& file) {
  std::vector<std::tuple<std::string, int, int>> rows;
  for (const Measurement& row : file.measurements) {
    rows.emplace_back(row.name, row.repetition_index, row.registration);
  }
  return rows;
}

std::vector<std::string> Texts(const std::vector<Suspicion>& suspicions) {
  std::vector<std::string> texts;
  for (const Suspicion& suspicion : suspicions) {
    texts.push_back(absl::StrCat(suspicion.benchmark, ": ",
                                 std::string(SuspicionName(suspicion.kind)),
                                 ": ", suspicion.text));
  }
  return texts;
}

std::vector<std::string> Reasons(const ResultFile& file) {
  std::vector<std::string> reasons;
  for (const UnusableRow& row : file.unusable) {
    reasons.push_back(absl::StrCat(row.name, ": ", row.reason));
  }
  return reasons;
}

TEST(ResultFileRowsTest, TimesAreInNanosecondsWhateverTheUnit) {
  for (const auto& [unit, factor] :
       {std::pair("ns", 1.0), std::pair("us", 1e3), std::pair("ms", 1e6),
        std::pair("s", 1e9)}) {
    const ResultFile file = Parsed(
        absl::StrCat(R"({"name": "A", "iterations": 10000, "real_time": 2.5, )",
                     R"("cpu_time": 1.25, "time_unit": ")", unit, "\"}"));
    EXPECT_EQ(file.measurements.at(0).real_time_ns, 2.5 * factor) << unit;
    EXPECT_EQ(file.measurements.at(0).cpu_time_ns, 1.25 * factor) << unit;
    EXPECT_THAT(file.warnings, IsEmpty());
  }
}

TEST(ResultFileRowsTest, ARowWithoutUnitIsReadAsNanosecondsAndSaid) {
  const ResultFile file = Parsed(
      R"({"name": "A", "iterations": 10000, "real_time": 2.5,
          "cpu_time": 1.25})");
  EXPECT_EQ(file.measurements.at(0).real_time_ns, 2.5);
  EXPECT_THAT(file.warnings,
              ElementsAre("rows without time_unit: 1; their times are read as "
                          "nanoseconds"));
}

TEST(ResultFileRowsTest, IterationCountsMayExceedTheDoublesOfIntegers) {
  EXPECT_EQ(Parsed(OldRow("A", "4294967297")).measurements.at(0).iterations,
            4294967297);
  EXPECT_EQ(
      Parsed(OldRow("A", "9007199254740993")).measurements.at(0).iterations,
      9007199254740993);
  EXPECT_EQ(Parsed(OldRow("A", "1e+06")).measurements.at(0).iterations,
            1000000);
  EXPECT_EQ(Parsed(OldRow("A", "1000000.0")).measurements.at(0).iterations,
            1000000);
}

TEST(ResultFileRowsTest, UnknownNumbersAreCountersAndOtherValuesAreNot) {
  const ResultFile file = Parsed(
      OldRow("A", "1000",
             R"(, "nodes": 12, "bytes_per_second": 1e+300, "tiny": 5e-324,
         "allocs_per_iter": 2.5, "max_bytes_used": 4096, "note": "x",
         "extra": {"deep": [1]}, "CYCLES": 3e3, "on": true)"));
  EXPECT_THAT(
      file.measurements.at(0).counters,
      ElementsAre(Pair("nodes", 12.0), Pair("bytes_per_second", 1e300),
                  Pair("tiny", 5e-324), Pair("allocs_per_iter", 2.5),
                  Pair("max_bytes_used", 4096.0), Pair("CYCLES", 3000.0)));
  EXPECT_EQ(MetricValue(file.measurements.at(0), "nodes"), 12.0);
}

TEST(ResultFileRowsTest, CountersThatAreNotFiniteAreAbsentAndSaidOnce) {
  const std::string counters =
      R"(, "a": NaN, "b": -Infinity, "c": inf, "d": 1, "e": null)";
  const ResultFile file = Parsed(OldRow("A", "1000", counters) + "," +
                                 OldRow("A", "1000", counters));
  ASSERT_THAT(file.measurements, SizeIs(2));
  EXPECT_THAT(file.measurements[0].counters, ElementsAre(Pair("d", 1.0)));
  EXPECT_THAT(Texts(file.suspicions),
              ElementsAre("A: not_finite: a: no finite number",
                          "A: not_finite: b: no finite number",
                          "A: not_finite: c: no finite number",
                          "A: not_finite: e: no finite number"));
}

TEST(ResultFileRowsTest, TimesThatAreNotFiniteAreAbsent) {
  const ResultFile file = Parsed(
      R"({"name": "A", "iterations": 10000, "real_time": -nan,
          "cpu_time": 1.25, "time_unit": "us"},
         {"name": "B", "iterations": 10000, "real_time": Infinity,
          "cpu_time": null, "time_unit": "us"})");
  ASSERT_THAT(file.measurements, SizeIs(1));
  EXPECT_EQ(file.measurements[0].real_time_ns, std::nullopt);
  EXPECT_EQ(file.measurements[0].cpu_time_ns, 1250.0);
  EXPECT_THAT(Reasons(file), ElementsAre("B: no finite number"));
}

TEST(ResultFileRowsTest, ARowMayHaveOneTimeOnly) {
  const ResultFile file = Parsed(
      R"({"name": "A", "iterations": 10000, "real_time": 2.5,
          "time_unit": "us"})");
  EXPECT_EQ(file.measurements.at(0).real_time_ns, 2500.0);
  EXPECT_EQ(file.measurements.at(0).cpu_time_ns, std::nullopt);
  EXPECT_THAT(file.suspicions, IsEmpty());
}

TEST(ResultFileRowsTest, ThreadsComeFromTheNameWhereNoKeyTells) {
  const ResultFile file =
      Parsed(OldRow("A/threads:4", "1000") + "," + OldRow("B", "1000"));
  EXPECT_EQ(file.measurements.at(0).threads, 4);
  EXPECT_EQ(file.measurements.at(1).threads, 1);
}

TEST(ResultFileRowsTest, RowsOfNoIterationsOrNegativeTimeAreNoSamples) {
  const ResultFile file =
      Parsed(OldRow("A", "0") + "," + OldRow("A", "-1") + "," +
             R"({"name": "B", "iterations": 10, "real_time": -2.5e+00,
          "cpu_time": 1.0e+00, "time_unit": "us"})");
  EXPECT_THAT(file.measurements, IsEmpty());
  EXPECT_THAT(Reasons(file),
              ElementsAre("A: iterations: 0", "A: iterations: -1",
                          "B: real_time: -2500 ns"));
  for (const UnusableRow& row : file.unusable) {
    EXPECT_EQ(row.kind, UnusableRow::Kind::kNotMeasured);
  }
}

TEST(ResultFileRowsTest, ASingleIterationOfNanosecondsIsNoSample) {
  const auto row = [](const std::string& name, const std::string& time) {
    return absl::StrCat(R"({"name": ")", name,
                        R"(", "iterations": 1, "real_time": )", time,
                        R"(, "cpu_time": 4.5e+02, "time_unit": "ns"})");
  };
  const ResultFile file =
      Parsed(row("A", "9.9990e+03") + "," + row("B", "1.0000e+04") + "," +
             row("C/manual_time", "5.0e+02"));
  ASSERT_THAT(file.measurements, SizeIs(2));
  EXPECT_EQ(file.measurements[0].name, "B");
  EXPECT_EQ(file.measurements[1].name, "C/manual_time");
  EXPECT_THAT(Reasons(file),
              ElementsAre("A: a single iteration of 9999 ns: too short to "
                          "time"));
}

TEST(ResultFileRowsTest, NothingOfADryRunIsASample) {
  ASSERT_OK_AND_ASSIGN(
      const ResultFile file,
      ParseResultFile(R"({"context": {"dry_run": "true"}, "benchmarks": [)" +
                          OldRow("A", "100000000") + "]}",
                      "a.json"));
  EXPECT_THAT(file.measurements, IsEmpty());
  EXPECT_THAT(Reasons(file), ElementsAre("A: dry run"));
  EXPECT_THAT(Texts(file.suspicions),
              ElementsAre(": dry_run: --benchmark_dry_run measures nothing"));
  // Another program's context of that name says nothing.
  EXPECT_OK(ParseResultFile(
      R"({"context": {"dry_run": "no"}, "benchmarks": []})", "a.json"));
}

TEST(ResultFileRowsTest, AggregatesAreKeptApartFromSamples) {
  const ResultFile file = Parsed(Row("A", 0) + R"(,
      {"name": "A_mean", "run_name": "A", "run_type": "aggregate",
       "repetitions": 3, "threads": 1, "aggregate_name": "mean",
       "aggregate_unit": "time", "iterations": 3, "real_time": 2.0,
       "cpu_time": 1.0, "time_unit": "us"},
      {"name": "A_cv", "run_name": "A", "run_type": "aggregate",
       "repetitions": 3, "threads": 1, "aggregate_name": "cv",
       "aggregate_unit": "percentage", "iterations": 3,
       "real_time": 2.49e-02, "cpu_time": 1.5e-02, "time_unit": "us"},
      {"name": "A_cv", "run_name": "A", "run_type": "aggregate",
       "aggregate_name": "cv", "iterations": 3,
       "real_time": 2.49e-02, "cpu_time": 1.5e-02, "time_unit": "us"})");
  EXPECT_THAT(file.measurements, SizeIs(1));
  ASSERT_THAT(file.aggregates, SizeIs(3));
  EXPECT_EQ(file.aggregates[0].row.name, "A");
  EXPECT_EQ(file.aggregates[0].aggregate_name, "mean");
  EXPECT_FALSE(file.aggregates[0].is_ratio);
  EXPECT_EQ(file.aggregates[0].row.real_time_ns, 2000.0);
  // A share of the mean, though the row has a unit of time.
  for (const int i : {1, 2}) {
    EXPECT_EQ(file.aggregates[i].aggregate_name, "cv");
    EXPECT_TRUE(file.aggregates[i].is_ratio);
    EXPECT_EQ(file.aggregates[i].row.real_time_ns, 0.0249);
  }
}

TEST(ResultFileRowsTest, ACounterNamedLikeAFitLeavesItsRowASample) {
  const auto row = [](const std::string& head, const std::string& tail) {
    return absl::StrCat(R"({"name": "A", )", head,
                        R"("iterations": 1000, "real_time": 1.5e+03, )",
                        R"("cpu_time": 1.25e+03, "time_unit": "us", )", tail,
                        "}");
  };
  const ResultFile file = Parsed(
      row(R"("run_name": "A", "run_type": "iteration", )", R"("rms": 0.5)") +
      "," + row("", R"("rms": 0.5, "big_o": 2)") + "," +
      row(R"("run_name": "A", "run_type": "aggregate", )"
          R"("aggregate_name": "mean", )",
          R"("rms": 0.5)"));
  ASSERT_THAT(file.measurements, SizeIs(2));
  EXPECT_THAT(file.measurements[0].counters, ElementsAre(Pair("rms", 0.5)));
  EXPECT_THAT(file.measurements[1].counters,
              ElementsAre(Pair("rms", 0.5), Pair("big_o", 2.0)));
  ASSERT_THAT(file.aggregates, SizeIs(1));
  EXPECT_FALSE(file.aggregates[0].is_ratio);
  EXPECT_EQ(file.aggregates[0].row.real_time_ns, 1.5e6);
}

TEST(ResultFileRowsTest, ARowMaySayWhichVisitWroteIt) {
  const auto row = [](const std::string& visit, int repetition) {
    std::string text = Row("A", repetition);
    text.pop_back();
    return absl::StrCat(text, R"(, "visit_id": )", visit, "}");
  };
  const ResultFile file = Parsed(
      absl::StrCat(row("\"v1\"", 0), ",", row("\"v2\"", 0), ",",
                   row("\"v1\"", 1), ",", row("\"v2\"", 1), ",", Row("B", 0)));
  ASSERT_THAT(file.measurements, SizeIs(5));
  EXPECT_EQ(file.measurements[0].visit_id, "v1");
  EXPECT_EQ(file.measurements[3].visit_id, "v2");
  EXPECT_EQ(file.measurements[3].repetition_index, 1);
  EXPECT_EQ(file.measurements[4].visit_id, "") << "the file's, which has none";
  EXPECT_THAT(file.suspicions, IsEmpty());
  // A number of that name is the user's own counter.
  const ResultFile counter = Parsed(row("7", 0));
  EXPECT_EQ(counter.measurements[0].visit_id, "");
  EXPECT_THAT(counter.measurements[0].counters,
              ElementsAre(Pair("visit_id", 7.0)));
}

TEST(ResultFileRowsTest, OldAggregatesAreToldByTheirShape) {
  const ResultFile file =
      Parsed(OldRow("A", "1000") + "," + OldRow("A", "1000") + "," +
             OldRow("A_mean", "1000", R"(, "nodes": NaN)") + "," +
             OldRow("A_stddev", "0") + "," + OldRow("B_mean", "2000"));
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0),
                          std::tuple("B_mean", 0, 0)));
  ASSERT_THAT(file.aggregates, SizeIs(2));
  EXPECT_EQ(file.aggregates[0].row.name, "A");
  EXPECT_EQ(file.aggregates[0].aggregate_name, "mean");
  EXPECT_EQ(file.aggregates[1].row.name, "A");
  EXPECT_EQ(file.aggregates[1].aggregate_name, "stddev");
  EXPECT_THAT(file.unusable, IsEmpty());
  EXPECT_THAT(file.suspicions, IsEmpty());
}

TEST(ResultFileRowsTest, RepeatedNamesWithoutIndexAreRepetitions) {
  const ResultFile file =
      Parsed(OldRow("A", "1000") + "," + OldRow("A", "1000") + "," +
             OldRow("B", "1000"));
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0),
                          std::tuple("B", 0, 0)));
  EXPECT_THAT(file.suspicions, IsEmpty());
}

// Tools sort rows, by time or by name.
TEST(ResultFileRowsTest, RowsInAnyOrderAreOneBenchmarkWhenTheirIndicesDiffer) {
  const ResultFile file =
      Parsed(Row("A", 2) + "," + Row("A", 0) + "," + Row("B", 1, 1) + "," +
             Row("A", 1) + "," + Row("B", 0, 1));
  EXPECT_THAT(Texts(file.suspicions), IsEmpty());
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 2, 0), std::tuple("A", 0, 0),
                          std::tuple("B", 1, 0), std::tuple("A", 1, 0),
                          std::tuple("B", 0, 0)));
  // Each index twice: two of one name, whatever the order.
  const ResultFile twice = Parsed(Row("A", 1) + "," + Row("A", 1) + "," +
                                  Row("A", 0) + "," + Row("A", 0));
  EXPECT_THAT(Texts(twice.suspicions), SizeIs(1));
  EXPECT_THAT(NamesAndNumbers(twice),
              ElementsAre(std::tuple("A", 1, 0), std::tuple("A", 1, 1),
                          std::tuple("A", 0, 0), std::tuple("A", 0, 1)));
  // Indices beyond any number of repetitions cost no memory.
  EXPECT_THAT(Parsed(Row("A", 2000000000)).measurements, SizeIs(1));
}

TEST(ResultFileRowsTest, AnErroredRepetitionDoesNotDivideTheOthers) {
  const ResultFile file = Parsed(
      OldRow("A", "1000") +
      R"(, {"name": "A", "error_occurred": true, "error_message": "no"},)" +
      OldRow("A", "1000"));
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0)));
  EXPECT_THAT(file.suspicions, IsEmpty());
}

constexpr char kTwice[] =
    "A: repeated_name: the file has more than one benchmark of this name";

TEST(ResultFileRowsTest, ANameRegisteredTwiceIsSaidAndNumbered) {
  // Before 1.5.0: something stands between.
  const ResultFile old =
      Parsed(OldRow("A", "1000") + "," + OldRow("B", "1000") + "," +
             OldRow("A", "1000"));
  EXPECT_THAT(NamesAndNumbers(old),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("B", 0, 0),
                          std::tuple("A", 0, 1)));
  EXPECT_THAT(Texts(old.suspicions), ElementsAre(kTwice));
  // From 1.5.5 on: another instance of its family.
  const ResultFile families =
      Parsed(Row("A", 0, 0) + "," + Row("A", 1, 0) + "," + Row("A", 0, 1) +
             "," + Row("A", 1, 1));
  EXPECT_THAT(NamesAndNumbers(families),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0),
                          std::tuple("A", 0, 1), std::tuple("A", 1, 1)));
  EXPECT_THAT(Texts(families.suspicions), ElementsAre(kTwice));
  // Several runs put in one file: the indices start again.
  const ResultFile runs = Parsed(Row("A", 0) + "," + Row("A", 1) + "," +
                                 Row("A", 0) + "," + Row("A", 1));
  EXPECT_THAT(NamesAndNumbers(runs),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0),
                          std::tuple("A", 0, 1), std::tuple("A", 1, 1)));
  EXPECT_THAT(Texts(runs.suspicions), ElementsAre(kTwice));
}

TEST(ResultFileRowsTest, OldRepetitionsBetweenAggregatesAreRegistrations) {
  const std::string group = OldRow("A", "1000") + "," + OldRow("A", "1000") +
                            "," + OldRow("A_mean", "1000") + "," +
                            OldRow("A_stddev", "1000");
  const ResultFile file = Parsed(group + "," + group);
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("A", 1, 0),
                          std::tuple("A", 0, 1), std::tuple("A", 1, 1)));
  EXPECT_THAT(file.aggregates, SizeIs(4));
}

TEST(ResultFileRowsTest, InterleavedRepetitionsBelongTogether) {
  const ResultFile file =
      Parsed(Row("A", 0, 0) + "," + Row("B", 0, 1) + "," + Row("A", 1, 0) +
             "," + Row("B", 2, 1) + "," + Row("A", 2, 0));
  EXPECT_THAT(NamesAndNumbers(file),
              ElementsAre(std::tuple("A", 0, 0), std::tuple("B", 0, 0),
                          std::tuple("A", 1, 0), std::tuple("B", 2, 0),
                          std::tuple("A", 2, 0)));
  EXPECT_THAT(file.suspicions, IsEmpty());
}

TEST(ResultFileRowsTest, RowsAreCountedWhateverRepetitionsClaims) {
  EXPECT_THAT(Parsed(Row("A", 0) + "," + Row("A", 1)).measurements, SizeIs(2));
}

TEST(ResultFileRowsTest, WholeTimesAreSaidToBeRounded) {
  const auto row = [](const std::string& time) {
    return absl::StrCat(R"({"name": "A", "iterations": 100000, "real_time": )",
                        time, R"(, "cpu_time": 12, "time_unit": "ns"})");
  };
  EXPECT_THAT(Parsed(row("12") + "," + row("13")).warnings,
              ElementsAre("all times are whole numbers, as Google Benchmark "
                          "before 1.3 rounds them: smaller differences are "
                          "lost"));
  EXPECT_THAT(Parsed(row("12") + "," + row("1.3e+01")).warnings, IsEmpty());
}

TEST(ResultFileRowsTest, AFileWithoutBenchmarksIsSaidToBeOne) {
  EXPECT_THAT(Parsed("").warnings, ElementsAre("the file has no benchmarks"));
}

TEST(ResultFileRowsTest, OddBytesAreReadAndSaid) {
  const ResultFile file = Parsed(OldRow("A\xe9\x1b", "1000"));
  EXPECT_EQ(file.measurements.at(0).name, "A\u00e9\x1b");
  EXPECT_THAT(file.warnings,
              ElementsAre("line 1: a control character, or a byte that is not "
                          "UTF-8, inside a string"));
}

TEST(ResultFileRowsTest, CustomContextWithoutCommasIsReadAndSaid) {
  ASSERT_OK_AND_ASSIGN(const ResultFile file, ParseResultFile(R"({
  "context": {
    "library_build_type": "release"
    "compiler": "gcc"
    "flags": "-O2"
  },
  "benchmarks": []
})",
                                                              "a.json"));
  EXPECT_THAT(file.context.custom,
              ElementsAre(Pair("compiler", "gcc"), Pair("flags", "-O2")));
  EXPECT_THAT(file.warnings,
              ElementsAre("context: read as if no comma were missing, as "
                          "Google Benchmark 1.5.4 and 1.5.5 write custom "
                          "context",
                          "the file has no benchmarks"));
}

}  // namespace
}  // namespace autotune
