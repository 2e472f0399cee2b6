#include "comparator/results/result_suspicions.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "comparator/results/result_file.h"
#include "comparator/results/suspicion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> SuspicionsOf(const std::string& rows,
                                      const std::string& context = "") {
  const absl::StatusOr<ResultFile> file =
      ParseResultFile(absl::StrCat("{\"context\": {", context,
                                   "}, \"benchmarks\": [", rows, "]}"),
                      "a.json");
  EXPECT_OK(file);
  std::vector<std::string> texts;
  if (!file.ok()) return texts;
  for (const Suspicion& suspicion : file->suspicions) {
    texts.push_back(absl::StrCat(suspicion.benchmark, ": ",
                                 std::string(SuspicionName(suspicion.kind)),
                                 ": ", suspicion.text));
  }
  return texts;
}

ResultFile Parsed(const std::string& rows) {
  absl::StatusOr<ResultFile> file =
      ParseResultFile("{\"benchmarks\": [" + rows + "]}", "a.json");
  EXPECT_OK(file);
  return file.ok() ? *std::move(file) : ResultFile();
}

std::string Row(const std::string& name, const std::string& iterations,
                const std::string& real, const std::string& cpu) {
  return absl::StrCat(R"({"name": ")", name, R"(", "iterations": )", iterations,
                      R"(, "real_time": )", real, R"(, "cpu_time": )", cpu,
                      R"(, "time_unit": "ns"})");
}

constexpr char kDebug[] =
    ": debug_build: the Google Benchmark library is a debug build, or says so "
    "as Debian's does: its own part of each iteration may be slow";

TEST(ResultSuspicionsTest, TheContextTellsOfTheMachine) {
  EXPECT_THAT(SuspicionsOf("", R"("library_build_type": "debug")"),
              ElementsAre(kDebug));
  EXPECT_THAT(SuspicionsOf("", R"("library_build_type": "release",
                                  "cpu_scaling_enabled": false,
                                  "num_cpus": 4, "load_avg": [4.0, 9.0])"),
              IsEmpty());
  EXPECT_THAT(SuspicionsOf("", R"("cpu_scaling_enabled": true)"),
              ElementsAre(": cpu_scaling: CPU frequency scaling was on"));
  EXPECT_THAT(SuspicionsOf("", R"("num_cpus": 4, "load_avg": [4.01, 1.0])"),
              ElementsAre(": load_above_cpus: load 4.01 on 4 CPUs"));
  EXPECT_THAT(SuspicionsOf("", R"("num_cpus": 4, "load_avg": [])"), IsEmpty());
}

TEST(ResultSuspicionsTest, TimesThatNoClockResolves) {
  EXPECT_THAT(
      SuspicionsOf(Row("A", "1000000000", "9.9e-04", "9.9e-04")),
      ElementsAre("A: no_op: 0.00099 ns an iteration over 1000000000 "
                  "iterations: below what a clock resolves, or the compiler "
                  "removed the loop"));
  EXPECT_THAT(SuspicionsOf(Row("A", "100000000", "1e-03", "1e-03")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(Row("A", "1000000000000", "0.25", "0.25")),
              ElementsAre("A: no_op: 0.25 ns an iteration over "
                          "1000000000000 iterations: below what a clock "
                          "resolves, or the compiler removed the loop"));
  EXPECT_THAT(SuspicionsOf(Row("A", "999999999999", "0.25", "0.25")),
              IsEmpty());
}

TEST(ResultSuspicionsTest, EachClockResolvesForItself) {
  const ResultFile file = Parsed(Row("A", "1000", "0.5", "250.5") + "," +
                                 Row("B", "1000", "250.5", "0.5"));
  ASSERT_EQ(file.suspicions.size(), 4U);
  EXPECT_EQ(file.suspicions[0].text,
            "only 500 ns measured in all: too short to time");
  EXPECT_EQ(file.suspicions[0].about, Suspicion::About::kRealTime);
  EXPECT_EQ(file.suspicions[1].kind, Suspicion::Kind::kRealBelowCpu);
  EXPECT_EQ(file.suspicions[2].kind, Suspicion::Kind::kTooFast);
  EXPECT_EQ(file.suspicions[2].about, Suspicion::About::kCpuTime);
  EXPECT_EQ(file.suspicions[3].kind, Suspicion::Kind::kRealFarAboveCpu);
}

// No accusation: no loop was removed, and no thread broke a law.
TEST(ResultSuspicionsTest, ACpuClockThatDidNotCount) {
  constexpr char kNoClock[] =
      "A: no_cpu_clock: CPU time is 0: its clock did "
      "not count";
  EXPECT_THAT(SuspicionsOf(Row("A", "1000", "250.5", "0.0")),
              ElementsAre(kNoClock));
  EXPECT_THAT(SuspicionsOf(Row("A", "1000", "250.5", "0")),
              ElementsAre(kNoClock));
  // Not where nothing took time at all.
  EXPECT_THAT(SuspicionsOf(Row("A", "1000", "0", "0")),
              ElementsAre("A: no_op: 0 ns an iteration over 1000 "
                          "iterations: below what a clock resolves, or the "
                          "compiler removed the loop"));
}

TEST(ResultSuspicionsTest, ACpuClockOfCoarseSteps) {
  constexpr char kCoarse[] =
      "A: coarse_cpu_clock: CPU time was counted in steps of 15.6 ms, too "
      "coarse to compare";
  const auto rows = [](const std::vector<std::string>& cpu_times) {
    std::string text;
    for (const std::string& cpu : cpu_times) {
      absl::StrAppend(&text, text.empty() ? "" : ",",
                      Row("A", "1000", "46107.5", cpu));
    }
    return text;
  };
  EXPECT_THAT(SuspicionsOf(rows({"46875.0"})), ElementsAre(kCoarse));
  EXPECT_THAT(SuspicionsOf(rows({"46875.0", "62500", "0"})),
              ElementsAre(kCoarse));
  EXPECT_THAT(SuspicionsOf(rows({"46800.3"})), ElementsAre(kCoarse));
  EXPECT_THAT(SuspicionsOf(rows({"46875.0", "46876.5"})), IsEmpty());
  // So many steps that one of them does not show.
  EXPECT_THAT(SuspicionsOf(Row("A", "201000", "15625.5", "15625")), IsEmpty());
}

TEST(ResultSuspicionsTest, SoLittleInAllThatTheClockShows) {
  EXPECT_THAT(SuspicionsOf(Row("A", "99", "100.5", "100.5")),
              ElementsAre("A: too_fast: only 9950 ns measured in all: too "
                          "short to time"));
  EXPECT_THAT(SuspicionsOf(Row("A", "100", "100.5", "100.5")), IsEmpty());
}

TEST(ResultSuspicionsTest, RealTimeFarAboveCpuTimeInMostRepetitions) {
  const std::string busy = Row("A", "1000", "1001.5", "250.25");
  const std::string quiet = Row("A", "1000", "260.5", "250.25");
  EXPECT_THAT(SuspicionsOf(busy + "," + busy + "," + quiet),
              ElementsAre("A: real_far_above_cpu: real time is more than four "
                          "times CPU time: it waits, or did not have the CPU"));
  EXPECT_THAT(SuspicionsOf(busy + "," + quiet), IsEmpty());
  EXPECT_THAT(SuspicionsOf(Row("A", "1000", "1001.0", "250.25")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(Row("A/real_time", "1000", "1001.5", "250.25")),
              IsEmpty());
}

TEST(ResultSuspicionsTest, RealTimeBelowCpuTimeInOneThread) {
  const auto row = [](const std::string& name) {
    return Row(name, "1000", "240.5", "250.25");
  };
  EXPECT_THAT(SuspicionsOf(row("A")),
              ElementsAre("A: real_below_cpu: real time is below CPU time, "
                          "which one thread cannot do"));
  EXPECT_THAT(SuspicionsOf(row("A/threads:2")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(row("A/process_time")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(row("A/manual_time")), IsEmpty());
  // Two clocks read one after the other: within 2 %, or 2 us in all.
  EXPECT_THAT(SuspicionsOf(Row("A", "1000", "245.5", "250.25")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(Row("A", "200", "240.5", "250.25")), IsEmpty());
}

TEST(ResultSuspicionsTest, RepetitionsEqualToTheLastDigit) {
  const std::string row = Row("A", "1000", "260.5", "250.25");
  EXPECT_THAT(SuspicionsOf(row + "," + row + "," + row),
              ElementsAre("A: identical_numbers: all 3 repetitions are equal "
                          "to the last digit"));
  EXPECT_THAT(SuspicionsOf(row + "," + row), IsEmpty());
  EXPECT_THAT(
      SuspicionsOf(row + "," + row + "," + Row("A", "1000", "260.5", "250.26")),
      IsEmpty());
  EXPECT_THAT(
      SuspicionsOf(row + "," + row + "," + Row("A", "1000", "260.6", "250.25")),
      IsEmpty());
  // Whole nanoseconds, as before 1.3, are equal by rounding.
  const std::string whole = Row("A", "1000", "260", "250");
  EXPECT_THAT(SuspicionsOf(whole + "," + whole + "," + whole), IsEmpty());
}

TEST(ResultSuspicionsTest, TimesInAnotherFormThanTheFilesOthers) {
  const std::string written =
      Row("A", "1000", "2.6050000000000000e+02", "2.5025000000000000e+02");
  const std::string edited = Row("B", "1000", "200.5", "200.25");
  EXPECT_THAT(SuspicionsOf(written + "," + edited),
              ElementsAre("B: edited_values: its times are not written as the "
                          "file's others are: edited by hand?"));
  EXPECT_THAT(SuspicionsOf(written), IsEmpty());
  // A converter writes all in its own form.
  EXPECT_THAT(SuspicionsOf(edited), IsEmpty());
}

// Python, JavaScript and the like: small and large numbers with an exponent,
// which may have as many digits as the library's.
TEST(ResultSuspicionsTest, ConvertersMayHitTheLibrarysFormByChance) {
  for (const std::string small :
       {"2.0199999999999998e-04", "2.0199999999999998e-07"}) {
    const std::string noop = Row("Noop", "1000000000", small, small);
    EXPECT_THAT(SuspicionsOf(noop + "," +
                             Row("A", "1000", "200.5", "995.6644369311603")),
                Not(Contains(HasSubstr("edited"))))
        << small;
  }
  EXPECT_THAT(SuspicionsOf(Row("A", "1", "1.2345678901234567e+16",
                               "1.2345678901234567e+16") +
                           "," + Row("B", "1000", "200.5", "199.5")),
              IsEmpty());
}

// Three repetitions and the mean that the file publishes of them.
std::string WithMean(const std::string& real, const std::string& cpu,
                     const std::string& more = "") {
  return absl::StrCat(
      Row("A", "1000", "2.6050000000000000e+02", "2.5050000000000000e+02"), ",",
      Row("A", "1000", "2.6150000000000000e+02", "2.5150000000000000e+02"), ",",
      Row("A", "1000", "2.6500000000000000e+02", "2.5275000000000000e+02"),
      more,
      R"(, {"name": "A_mean", "run_name": "A", "run_type": "aggregate",
            "aggregate_name": "mean", "iterations": 3, "time_unit": "ns",
            "real_time": )",
      real, R"(, "cpu_time": )", cpu, "}");
}

TEST(ResultSuspicionsTest, AMeanThatIsNotOfItsRepetitions) {
  constexpr char kEdited[] =
      "A: edited_values: the file's mean is not the mean of its repetitions: "
      "edited by hand?";
  const std::string real = "2.6233333333333331e+02";
  const std::string cpu = "2.5158333333333334e+02";
  EXPECT_THAT(SuspicionsOf(WithMean(real, cpu)), IsEmpty());
  EXPECT_THAT(SuspicionsOf(WithMean("2.6234e+02", cpu)), ElementsAre(kEdited));
  EXPECT_THAT(SuspicionsOf(WithMean(real, "2.51e+02")), ElementsAre(kEdited));
  // Not when a repetition is missing, or ran another number of iterations.
  EXPECT_THAT(SuspicionsOf(WithMean("2.7e+02", cpu,
                                    "," + Row("A", "1", "300.5", "300.5"))),
              IsEmpty());
  EXPECT_THAT(
      SuspicionsOf(WithMean("2.7e+02", cpu,
                            "," + Row("A", "999", "3.0050000000000000e+02",
                                      "3.0050000000000000e+02"))),
      IsEmpty());
}

// As a tool rounds the repetitions, it rounds their mean.
TEST(ResultSuspicionsTest, RoundedRepetitionsHaveARoundedMean) {
  const auto rows = [](const std::string& a, const std::string& b,
                       const std::string& mean) {
    return absl::StrCat(
        Row("A", "1000", a, a), ",", Row("A", "1000", b, b),
        R"(, {"name": "A_mean", "run_name": "A", "run_type": "aggregate",
              "aggregate_name": "mean", "iterations": 2, "time_unit": "ns",
              "real_time": )",
        mean, R"(, "cpu_time": )", mean, "}");
  };
  EXPECT_THAT(SuspicionsOf(rows("995.66", "997.13", "996.4")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(rows("995.664", "1003.12", "999.394")), IsEmpty());
  EXPECT_THAT(SuspicionsOf(rows("9.9566e+02", "9.971e+02", "9.963e+02")),
              IsEmpty());
  EXPECT_THAT(SuspicionsOf(rows("995.66", "997.13", "990.4")),
              ElementsAre("A: edited_values: the file's mean is not the mean "
                          "of its repetitions: edited by hand?"));
}

TEST(ResultSuspicionsTest, EachIsSaidOnceAndAllAreNamed) {
  const std::string row = Row("A", "1000", "1e-09", "1e-09");
  EXPECT_THAT(SuspicionsOf(row + "," + row).size(), 1U);
  const std::vector<std::pair<Suspicion::Kind, std::string>> names = {
      {Suspicion::Kind::kDebugBuild, "debug_build"},
      {Suspicion::Kind::kCpuScaling, "cpu_scaling"},
      {Suspicion::Kind::kLoadAboveCpus, "load_above_cpus"},
      {Suspicion::Kind::kDryRun, "dry_run"},
      {Suspicion::Kind::kNoOp, "no_op"},
      {Suspicion::Kind::kTooFast, "too_fast"},
      {Suspicion::Kind::kCoarseCpuClock, "coarse_cpu_clock"},
      {Suspicion::Kind::kNoCpuClock, "no_cpu_clock"},
      {Suspicion::Kind::kRealFarAboveCpu, "real_far_above_cpu"},
      {Suspicion::Kind::kRealBelowCpu, "real_below_cpu"},
      {Suspicion::Kind::kIdenticalNumbers, "identical_numbers"},
      {Suspicion::Kind::kEditedValues, "edited_values"},
      {Suspicion::Kind::kRepeatedName, "repeated_name"},
      {Suspicion::Kind::kNotFinite, "not_finite"},
  };
  for (const auto& [kind, name] : names) EXPECT_EQ(SuspicionName(kind), name);
}

TEST(ResultSuspicionsTest, ADoubtVetoesOnlyTheMetricItIsAbout) {
  using About = Suspicion::About;
  const struct {
    About about;
    std::string doubted;  // r(eal), c(pu), i(tems), a(llocs); by repetition: R
  } cases[] = {{About::kEverything, "r c i a"}, {About::kTimes, "r c i"},
               {About::kRealTime, "r"},         {About::kCpuTime, "c i"},
               {About::kRepetitions, ""},       {About::kNothing, ""}};
  for (const auto& one : cases) {
    const Suspicion suspicion = {Suspicion::Kind::kTooFast, "A", "", one.about};
    std::vector<std::string> doubted;
    for (const std::string metric :
         {"real_time", "cpu_time", "items_per_second", "allocs"}) {
      if (Doubts(suspicion, metric, false)) {
        doubted.push_back(metric.substr(0, 1));
      }
    }
    EXPECT_EQ(absl::StrJoin(doubted, " "), one.doubted);
    EXPECT_EQ(
        Doubts(suspicion, "allocs", true),
        one.about == About::kEverything || one.about == About::kRepetitions);
  }
  // Rates are made of the clock that the benchmark is timed by.
  const Suspicion real = {Suspicion::Kind::kTooFast, "A/real_time", "",
                          About::kRealTime};
  EXPECT_TRUE(Doubts(real, "bytes_per_second", false));
}

}  // namespace
}  // namespace autotune
