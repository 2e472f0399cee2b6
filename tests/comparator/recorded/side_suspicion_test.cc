#include "comparator/recorded/side_suspicion.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "comparator/recorded/benchmark_pairs.h"
#include "comparator/recorded/visit_values.h"
#include "comparator/results/measurement.h"
#include "comparator/results/result_file.h"
#include "comparator/results/suspicion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Files = std::vector<ResultFile>;

const Metric kTime = {"cpu_time", Direction::kLowerIsBetter};
const Metric kWall = {"real_time", Direction::kLowerIsBetter};
const Metric kAllocs = {"allocs_per_iter", Direction::kLowerIsBetter};

PairValues ValuesPair(const std::vector<double>& baseline,
                      const std::vector<double>& contender) {
  PairValues values;
  values.baseline.values = baseline;
  values.contender.values = contender;
  return values;
}

bool IsCopy(const std::vector<double>& baseline,
            const std::vector<double>& contender) {
  const PairValues values = ValuesPair(baseline, contender);
  const PairValues* const pairs[] = {&values};
  return IsScaledCopy(pairs);
}

// One file that says something in its context.
template <typename Change>
Files FileWith(const Change& change) {
  ResultFile file = ResultBuilder("a.json").Times("A", {1.5}).Build();
  change(file);
  return {file};
}

TEST(SuspicionOfTest, WhatAFileShowsOfItselfComesFirstWithItsSide) {
  const Suspicion fast = {Suspicion::Kind::kTooFast, "A", "no time at all"};
  const Suspicion debug = {Suspicion::Kind::kDebugBuild, "", "debug",
                           Suspicion::About::kNothing};
  BenchmarkPair pair;
  const PairValues values = ValuesPair({1, 2}, {1, 2});
  pair.contender.suspicions = {&debug, &fast};
  EXPECT_EQ(SuspicionOf(pair, values, kTime), "contender: no time at all");
  pair.baseline.suspicions = {&fast};
  EXPECT_EQ(SuspicionOf(pair, values, kTime), "baseline: no time at all");
}

TEST(SuspicionOfTest, TheSameTimesOnBothSidesAreDoubtedInAnyOrder) {
  constexpr char kSame[] = "both sides hold the same numbers to the last digit";
  const BenchmarkPair pair;
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.5, 2.5}, {1.5, 2.5}), kTime),
            kSame);
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.5, 2.5}, {2.5, 1.5}), kTime),
            kSame);
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.5, 2.5}, {1.5, 2.25}), kTime), "");
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.5, 2.5}, {1.5}), kTime), "");
}

TEST(SuspicionOfTest, ADoubtAboutOneClockIsANoteForTheOther) {
  const Suspicion waits = {Suspicion::Kind::kRealFarAboveCpu, "A", "it waits",
                           Suspicion::About::kCpuTime};
  const Suspicion coarse = {Suspicion::Kind::kCoarseCpuClock, "A", "coarse",
                            Suspicion::About::kCpuTime};
  const Suspicion equal = {Suspicion::Kind::kIdenticalNumbers, "A", "equal",
                           Suspicion::About::kRepetitions};
  BenchmarkPair pair;
  pair.baseline.suspicions = {&waits, &coarse, &equal};
  pair.contender.suspicions = {&waits};
  PairValues values = ValuesPair({1, 2}, {2, 3});
  EXPECT_EQ(SuspicionOf(pair, values, kTime), "baseline: it waits");
  EXPECT_EQ(SuspicionOf(pair, values, kWall), "");
  EXPECT_EQ(SuspicionOf(pair, values, kAllocs), "");
  EXPECT_THAT(NotesOnOtherClock(pair, kWall),
              ElementsAre("it waits", "coarse"));
  EXPECT_THAT(NotesOnOtherClock(pair, kTime), IsEmpty());
  EXPECT_THAT(NotesOnOtherClock(pair, kAllocs), IsEmpty());
  EXPECT_TRUE(HasCoarseCpuClock(pair));
  pair.baseline.suspicions = {&coarse};
  EXPECT_EQ(SuspicionOf(pair, values, kTime),
            "baseline: coarse; use --metric real_time");
  pair.baseline.suspicions = {&equal};
  pair.contender.suspicions = {};
  EXPECT_FALSE(HasCoarseCpuClock(pair));
  EXPECT_EQ(SuspicionOf(pair, values, kWall), "");
  values.unit = SamplingUnit::kRepetition;
  EXPECT_EQ(SuspicionOf(pair, values, kWall), "baseline: equal");
}

// Simulators count what they are told.
TEST(SuspicionOfTest, TimesThatNeverVaryMayWellBeTheSame) {
  BenchmarkPair pair;
  pair.name = "A";
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.1, 1.1}, {1.1, 1.1}), kWall), "");
  EXPECT_NE(SuspicionOf(pair, ValuesPair({1.1}, {1.1}), kWall), "");
  pair.name = "A/manual_time";
  EXPECT_EQ(SuspicionOf(pair, ValuesPair({1.1}, {1.1}), kWall), "");
}

TEST(SuspicionOfTest, CountersMayWellBeTheSame) {
  EXPECT_EQ(SuspicionOf({}, ValuesPair({12, 12}, {12, 12}), kAllocs), "");
}

TEST(IsScaledCopyTest, OneExactRatioOfThreeValuesIsACopy) {
  EXPECT_TRUE(IsCopy({1.5, 2.25, 3.7}, {0.75, 1.125, 1.85}));
  EXPECT_TRUE(IsCopy({1e300, 2e-300, 3}, {9e299, 1.8e-300, 2.7}));
  EXPECT_FALSE(IsCopy({1.5, 2.25, 3.7}, {0.75, 1.125, 1.85 + 1e-9}));
  EXPECT_FALSE(IsCopy({1.5, 2.25, 3.7}, {1.5, 2.25, 3.7})) << "unchanged";
}

TEST(IsScaledCopyTest, FewValuesMayAgreeByChance) {
  EXPECT_FALSE(IsCopy({1.5, 2.25}, {0.75, 1.125}));
  EXPECT_FALSE(IsCopy({1.5, 2.25, 3.7}, {0.75, 1.125}));
  EXPECT_FALSE(IsScaledCopy({}));
}

TEST(CanTellCopiesTest, ConstantNumbersChangeByExactFactors) {
  EXPECT_FALSE(CanTellCopies(ValuesPair({10, 10, 10}, {5, 5, 5}), kAllocs));
  EXPECT_TRUE(CanTellCopies(ValuesPair({10, 11, 10}, {5, 5.5, 5}), kAllocs));
  EXPECT_FALSE(CanTellCopies(ValuesPair({10, 10, 10}, {5, 5, 5}), kTime));
  EXPECT_TRUE(CanTellCopies(ValuesPair({10}, {5}), kTime));
  EXPECT_FALSE(CanTellCopies(ValuesPair({10}, {5}), kAllocs));
}

TEST(RepeatedRunTest, OneFileUnderTwoNamesIsOneRun) {
  const ResultFile first = ResultBuilder("1.json").Times("A", {1.1}).Build();
  ResultFile copy = first;
  copy.source_name = "copy.json";
  const ResultFile other = ResultBuilder("2.json").Times("A", {1.5}).Build();
  EXPECT_EQ(RepeatedRun(Files{first, other, copy}),
            "1.json and copy.json hold the same numbers: one run given twice");
  EXPECT_EQ(RepeatedRun(Files{first, other}), "");
  EXPECT_EQ(RepeatedRun({}), "");
}

TEST(RepeatedRunTest, FewDigitsOfCoarseClocksAreNoRepetition) {
  const ResultFile first = ResultBuilder("1").Times("A", {15625000.5}).Build();
  const ResultFile second = ResultBuilder("2").Times("A", {15625000.5}).Build();
  EXPECT_EQ(RepeatedRun(Files{first, second}), "");
}

TEST(RepeatedRunTest, ExactClocksAgreeWithoutRepetition) {
  const auto file = [](const std::string& name, const std::string& benchmark,
                       const std::vector<double>& times) {
    return ResultBuilder(name).Times(benchmark, times).Build();
  };
  EXPECT_EQ(RepeatedRun(Files{file("1", "A", {1.1, 1.1, 1.1}),
                              file("2", "A", {1.1, 1.1, 1.1})}),
            "");
  EXPECT_NE(RepeatedRun(Files{file("1", "A", {1.1, 1.1, 1.3}),
                              file("2", "A", {1.1, 1.1, 1.3})}),
            "");
  // Manual time is set; the CPU time beside it was measured.
  Files manual = {file("1", "A/manual_time", {1.1}),
                  file("2", "A/manual_time", {1.1})};
  EXPECT_NE(RepeatedRun(manual), "");
  for (ResultFile& one : manual) one.measurements[0].cpu_time_ns = 2.5;
  EXPECT_EQ(RepeatedRun(manual), "");
}

TEST(RepeatedRunTest, RunsOfOtherDatesAreTwo) {
  Files files = {ResultBuilder("1").Times("A", {1.1}).Build(),
                 ResultBuilder("2").Times("A", {1.1}).Build()};
  EXPECT_NE(RepeatedRun(files), "");
  files[0].context.date = "2026-01-31T10:00:00+00:00";
  EXPECT_NE(RepeatedRun(files), "");
  files[1].context.date = files[0].context.date;
  EXPECT_NE(RepeatedRun(files), "");
  files[1].context.date = "2026-01-31T10:00:01+00:00";
  EXPECT_EQ(RepeatedRun(files), "");
}

TEST(RepeatedRunTest, AVisitGivenTwiceIsAlreadyCountedAsOne) {
  const ResultFile first =
      ResultBuilder("1").Times("A", {1.1}).Visit("v").Build();
  EXPECT_EQ(RepeatedRun(Files{first, first}), "");
}

TEST(RepeatedRunTest, FilesWithoutRowsRepeatNothing) {
  EXPECT_EQ(RepeatedRun(Files{ResultFile(), ResultFile()}), "");
}

TEST(CompareContextsTest, OtherMachinesForbidAComparison) {
  const auto host = [](const std::string& name) {
    return FileWith([&](ResultFile& file) { file.context.host_name = name; });
  };
  const auto cpus = [](std::int64_t count) {
    return FileWith([&](ResultFile& file) { file.context.num_cpus = count; });
  };
  const auto model = [](const std::string& name) {
    return FileWith([&](ResultFile& file) {
      file.visit.environment = {{"kernel", "Linux"}, {"cpu_model", name}};
    });
  };
  EXPECT_EQ(CompareContexts(host("ada"), host("bob")).mismatch,
            "different hosts: ada against bob");
  EXPECT_EQ(CompareContexts(cpus(2), cpus(4)).mismatch,
            "different numbers of CPUs: 2 against 4");
  EXPECT_EQ(CompareContexts(model("Zen 3"), model("Zen 4")).mismatch,
            "different CPUs: Zen 3 against Zen 4");
  const auto caches = [](std::int64_t level_1, std::int64_t level_3) {
    return FileWith([&](ResultFile& file) {
      file.context.caches = {{"Data", 1, level_1}, {"Unified", 3, level_3}};
    });
  };
  constexpr std::int64_t kKibi = 1024;
  EXPECT_EQ(CompareContexts(caches(32 * kKibi, 32 * kKibi * kKibi),
                            caches(48 * kKibi, 105 * kKibi * kKibi))
                .mismatch,
            "different CPU caches: L1 Data 32 KiB + L3 Unified 32 MiB against "
            "L1 Data 48 KiB + L3 Unified 105 MiB");
  EXPECT_EQ(CompareContexts(caches(1, 2), caches(1, 2)).mismatch, "");
  EXPECT_EQ(CompareContexts(caches(1, 2), host("")).mismatch, "") << "unknown";
  EXPECT_EQ(CompareContexts(host("ada"), host("ada")).mismatch, "");
  EXPECT_EQ(CompareContexts(host(""), host("bob")).mismatch, "") << "unknown";
  EXPECT_EQ(CompareContexts(model("Zen 3"), host("bob")).mismatch, "");
}

TEST(CompareContextsTest, OtherLibrariesAndSettingsAreSaid) {
  const Files old = FileWith([](ResultFile& file) {
    file.context.library_build_type = "debug";
    file.context.aslr_enabled = true;
    file.context.mhz_per_cpu = 2000;
  });
  const Files recent = FileWith([](ResultFile& file) {
    file.context.library_build_type = "release";
    file.context.library_version = "v1.9.5";
    file.context.json_schema_version = 1;
    file.context.aslr_enabled = false;
    file.context.mhz_per_cpu = 3500;
  });
  EXPECT_THAT(CompareContexts(old, recent).warnings,
              ElementsAre("different Google Benchmark versions: before 1.8.4 "
                          "against v1.9.5",
                          "different builds of the benchmark library: debug "
                          "against release",
                          "address space randomisation differs: on against "
                          "off"));
  EXPECT_EQ(CompareContexts(old, recent).mismatch,
            "different CPU clocks: 2000 MHz against 3500 MHz");
  EXPECT_THAT(CompareContexts(old, old).warnings, IsEmpty());
}

TEST(CompareContextsTest, ClocksMayDifferByATenth) {
  const auto clock = [](std::int64_t mhz) {
    return FileWith([&](ResultFile& file) { file.context.mhz_per_cpu = mhz; });
  };
  EXPECT_EQ(CompareContexts(clock(2000), clock(2200)).mismatch, "");
  EXPECT_EQ(CompareContexts(clock(2201), clock(2000)).mismatch,
            "different CPU clocks: 2201 MHz against 2000 MHz");
  EXPECT_EQ(CompareContexts(clock(0), clock(2000)).mismatch, "");
}

TEST(CompareContextsTest, DoubtsAboutWholeFilesAreGatheredByText) {
  const auto loaded = [](const std::string& name) {
    ResultFile file;
    file.source_name = name;
    file.suspicions = {{Suspicion::Kind::kCpuScaling, "", "scaling was on"},
                       {Suspicion::Kind::kTooFast, "A", "of a benchmark"}};
    return file;
  };
  EXPECT_THAT(CompareContexts(Files{loaded("1"), loaded("2")},
                              Files{loaded("3"), loaded("4"), loaded("5")})
                  .warnings,
              ElementsAre("1, 2, 3 and 2 more: scaling was on"));
}

// 1.7.1 does not name its version; a context of the library without one is
// older than 1.8.4.
TEST(CompareContextsTest, ThreadTimesAndRatesChangedTheirMeaning) {
  const auto version = [](const std::string& text) {
    return FileWith([&](ResultFile& file) {
      file.context.library_build_type = "release";
      file.context.library_version = text;
    });
  };
  const auto times = [&](const std::string& a, const std::string& b) {
    return CompareContexts(version(a), version(b)).threads.real_time;
  };
  const auto rates = [&](const std::string& a, const std::string& b) {
    return CompareContexts(version(a), version(b)).threads.rates;
  };
  constexpr char kTimes[] =
      "real time of threads means something else from Google Benchmark 1.9 on: "
      "measure both sides with one version, or use --metric cpu_time";
  EXPECT_EQ(times("", "v1.9.5"), kTimes);
  EXPECT_EQ(times("v1.8.5", "v1.9.0"), kTimes);
  EXPECT_EQ(times("", "v1.8.5"), "");
  EXPECT_EQ(times("v1.9.1", "v1.10.0"), "");
  EXPECT_EQ(rates("", "v1.9.0"),
            "rates of threads are per thread in Google Benchmark 1.9.0 to "
            "1.9.4: measure both sides with one version, or use --metric "
            "cpu_time");
  EXPECT_NE(rates("v1.9.4", "v1.9.5"), "");
  EXPECT_EQ(rates("", "v1.9.5"), "");
}

// A shallow clone calls itself v0.0.0, a fork what it likes.
TEST(CompareContextsTest, UnknownVersionsMayMeanEither) {
  const auto version = [](const std::string& text) {
    return FileWith([&](ResultFile& file) {
      file.context.library_version = text;
      file.context.json_schema_version = 1;
    });
  };
  for (const std::string unknown : {"v0.0.0", "0.0.0", "mine"}) {
    const std::string said = absl::StrCat(
        "real time of threads means something else from Google Benchmark 1.9 "
        "on, and which of both version ",
        unknown,
        " does is unknown: measure both sides with one version, or use "
        "--metric cpu_time");
    for (const std::string other : {"v1.9.5", "v1.8.4", "v0.0.0"}) {
      EXPECT_NE(
          CompareContexts(version(unknown), version(other)).threads.real_time,
          "")
          << unknown << " against " << other;
    }
    EXPECT_EQ(
        CompareContexts(version(unknown), version("v1.9.5")).threads.real_time,
        said);
    EXPECT_EQ(
        CompareContexts(version("v1.9.5"), version(unknown)).threads.real_time,
        said);
    EXPECT_NE(
        CompareContexts(version(unknown), version("v1.9.5")).threads.rates, "");
  }
  EXPECT_NE(CompareContexts(version(""), version("v1.9.5")).threads.real_time,
            "");
  EXPECT_EQ(CompareContexts(version(""), version("")).threads.real_time, "");
}

}  // namespace
}  // namespace autotune
