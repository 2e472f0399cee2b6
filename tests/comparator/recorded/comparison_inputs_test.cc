// Files that tempt a comparison into a wrong answer.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "comparator/statistics/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Files WrittenBy(Files files, const std::string& version) {
  for (ResultFile& file : files) {
    file.context.library_version = version;
    file.context.library_build_type = "release";
  }
  return files;
}

// Six visits of "A" with a counter of these values, times as in `times`.
Files WithCounter(Files files, const std::string& counter,
                  const std::vector<double>& values) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].measurements[0].counters = {{counter, values[i % values.size()]}};
  }
  return files;
}

Policy JudgedBy(const std::string& metric, Direction direction) {
  Policy policy;
  policy.metric = metric;
  policy.direction = direction;
  return policy;
}

// Releases before 1.8.4 do not name themselves.
TEST(CompareInputsTest, ThreadedRealTimeOf171And195IsNotCompared) {
  const Files baseline = WrittenBy(Baseline({{"A/threads:4", 100}}), "");
  const Files contender = WrittenBy(Contender({{"A/threads:4", 90}}), "v1.9.5");
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table),
            "cannot judge: A/threads:4: real time of threads means something "
            "else from Google Benchmark 1.9 on: measure both sides with one "
            "version, or use --metric cpu_time");
  EXPECT_THAT(table.warnings,
              ElementsAre("different Google Benchmark versions: before 1.8.4 "
                          "against v1.9.5"));
  EXPECT_FALSE(table.overall.has_value());
  Policy by_cpu;
  by_cpu.metric = "cpu_time";
  EXPECT_EQ(Said(CompareFiles(baseline, contender, by_cpu)),
            "keep: A/threads:4 improved");
}

TEST(CompareInputsTest, ThreadedRatesOf190To194AreOnlyComparedWithEachOther) {
  const std::string name = "A/threads:4";
  const auto side = [&](Files files, const std::string& version,
                        const std::vector<double>& rates) {
    return WrittenBy(WithCounter(std::move(files), "items_per_second", rates),
                     version);
  };
  const auto said = [&](const std::string& old_version,
                        const std::string& new_version) {
    return Said(CompareFiles(
        side(Baseline({{name, 100}}), old_version, {500, 501, 502}),
        side(Contender({{name, 100}}), new_version, {550, 554, 551}),
        JudgedBy("items_per_second", Direction::kHigherIsBetter)));
  };
  EXPECT_EQ(said("v1.8.4", "v1.9.1"),
            "cannot judge: A/threads:4: rates of threads are per thread in "
            "Google Benchmark 1.9.0 to 1.9.4: measure both sides with one "
            "version, or use --metric cpu_time");
  EXPECT_EQ(said("v1.9.0", "v1.9.4"), "keep: A/threads:4 improved");
  EXPECT_EQ(said("", "v1.9.5"), "keep: A/threads:4 improved");
}

TEST(CompareInputsTest, OneFileGivenSeveralTimesIsNotSeveralVisits) {
  Files baseline = Baseline({{"A", 100}});
  Files contender(6, OneFile("new.json", "A", {90.1})[0]);
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table),
            "inconclusive: needs review: A: new.json and new.json hold the "
            "same numbers: one run given twice");
  EXPECT_FALSE(table.overall.has_value());
}

TEST(CompareInputsTest, TheSameVisitsInAnotherOrderAreTheSameNumbers) {
  const Files baseline = Baseline({{"A", 100}});
  const Files reversed(baseline.rbegin(), baseline.rend());
  EXPECT_EQ(Said(CompareFiles(baseline, reversed, Policy())),
            "inconclusive: needs review: A: both sides hold the same numbers "
            "to the last digit");
}

TEST(CompareInputsTest, HalvedConstantCountersAreNoScaledCopy) {
  const Files baseline =
      WithCounter(Baseline({{"A", 100}}), "allocs_per_iter", {10});
  const Files contender =
      WithCounter(Contender({{"A", 100}}), "allocs_per_iter", {5});
  EXPECT_EQ(Said(CompareFiles(
                baseline, contender,
                JudgedBy("allocs_per_iter", Direction::kLowerIsBetter))),
            "keep: A improved");
}

TEST(CompareInputsTest, VaryingCountersWithOneExactRatioAreACopy) {
  const Files baseline =
      WithCounter(Baseline({{"A", 100}}), "ops", {10, 12, 11, 13, 9, 14});
  const Files contender =
      WithCounter(Contender({{"A", 100}}), "ops", {5, 6, 5.5, 6.5, 4.5, 7});
  EXPECT_EQ(Said(CompareFiles(baseline, contender,
                              JudgedBy("ops", Direction::kLowerIsBetter))),
            "inconclusive: needs review: A: every contender value is the same "
            "multiple of the baseline's: a scaled copy");
}

TEST(CompareInputsTest, AnExactGuardMayBeZero) {
  Policy policy;
  policy.guards.resize(1);
  policy.guards[0].metric = "allocs_per_iter";
  policy.guards[0].mode = GuardMode::kExact;
  const auto compare = [&](double before, double after) {
    return CompareFiles(
        WithCounter(Baseline({{"A", 100}}), "allocs_per_iter", {before}),
        WithCounter(Contender({{"A", 90}}), "allocs_per_iter", {after}),
        policy);
  };
  EXPECT_EQ(Said(compare(0, 0)), "keep: A improved, 1 guard unharmed");
  EXPECT_EQ(Said(compare(2, 0)), "keep: A improved, 1 guard unharmed");
  EXPECT_EQ(Said(compare(0, 1)), "discard: guard A is worse by more than 2 %");
  EXPECT_EQ(compare(0, 1).comparisons[1].estimate, std::nullopt);
}

TEST(CompareInputsTest, FilesOfAnotherKindOfCpuProveNothing) {
  Files baseline = Baseline({{"A", 100}});
  Files contender = Contender({{"A", 90}});
  for (ResultFile& file : baseline) {
    file.visit.environment = {{"cpu_model", "Zen 3"}};
  }
  for (ResultFile& file : contender) {
    file.visit.environment = {{"cpu_model", "Zen 4"}};
  }
  EXPECT_EQ(Said(CompareFiles(baseline, contender, Policy())),
            "cannot judge: context: different CPUs: Zen 3 against Zen 4");
}

TEST(CompareInputsTest, PublishedMediansOfSeveralVisitsAreTested) {
  const auto side = [](const std::string& source, double time,
                       const std::vector<double>& spread) {
    Files files;
    for (const double factor : spread) {
      files.push_back(ResultBuilder(source)
                          .Published("A", "median", time * factor)
                          .Build());
    }
    return files;
  };
  const ComparisonTable table = CompareFiles(
      side("old", 100, Spread()), side("new", 90, OtherSpread()), Policy());
  EXPECT_EQ(Said(table), "keep: A improved");
  EXPECT_THAT(table.comparisons[0].warnings,
              ElementsAre("compared on the published median: the repetitions "
                          "are not in the file"));
}

TEST(CompareInputsTest, HugeAndTinyTimesHaveFiniteRatios) {
  const ComparisonTable table =
      CompareFiles(Baseline({{"A", 1e300}, {"B", 3e-3}}),
                   Contender({{"A", 1e-3}, {"B", 1e300}}), Policy());
  ASSERT_THAT(table.comparisons, SizeIs(2));
  EXPECT_EQ(table.comparisons[0].verdict, Verdict::kImproved);
  EXPECT_EQ(table.comparisons[1].verdict, Verdict::kRegressed);
}

// --- Rows that say which visit wrote them.

std::string VisitRow(const std::string& visit, int repetition, double time) {
  return absl::StrCat(
      R"({"name": "A", "run_name": "A", "run_type": "iteration", )",
      R"("repetitions": 2, "repetition_index": )", repetition,
      R"(, "threads": 1, "iterations": 1000, "real_time": )", time,
      R"(, "cpu_time": )", time, R"(, "time_unit": "us", "visit_id": ")", visit,
      "\"}");
}

// One file of `visits` visits of two repetitions each, which take turns.
Files InterleavedFile(const std::string& source, int visits, double time) {
  std::vector<std::string> rows;
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (int visit = 0; visit < visits; ++visit) {
      const double spread = Spread()[static_cast<std::size_t>(visit) % 6];
      rows.push_back(VisitRow(absl::StrCat(source, visit), repetition,
                              time * spread + 0.01 * repetition));
    }
  }
  std::string text = R"({"benchmarks": [)";
  for (const std::string& row : rows) {
    absl::StrAppend(&text, text.ends_with('[') ? "" : ",\n", row);
  }
  const auto file = ParseResultFile(text + "]}", source);
  EXPECT_OK(file);
  return file.ok() ? Files{*file} : Files{};
}

TEST(CompareInputsTest, VisitsThatTakeTurnsInOneFileAreVisits) {
  const Files baseline = InterleavedFile("old", 6, 100.3);
  const Files contender = InterleavedFile("new", 6, 90.7);
  ASSERT_THAT(baseline, SizeIs(1));
  EXPECT_THAT(baseline[0].suspicions, IsEmpty()) << "not registered twice";
  EXPECT_EQ(baseline[0].measurements[7].visit_id, "old1");
  EXPECT_EQ(baseline[0].measurements[7].repetition_index, 1);
  const ComparisonTable table = CompareFiles(baseline, contender, Policy());
  EXPECT_EQ(Said(table), "keep: A improved");
  const Comparison& comparison = table.comparisons[0];
  EXPECT_EQ(comparison.unit, SamplingUnit::kVisit);
  EXPECT_EQ(comparison.baseline_visits, 6U);
  EXPECT_EQ(comparison.baseline_size, 6U);
}

TEST(CompareInputsTest, OneVisitInOneFileStaysOneRun) {
  EXPECT_THAT(Said(CompareFiles(InterleavedFile("old", 1, 100.3),
                                InterleavedFile("new", 1, 90.7), Policy())),
              HasSubstr(kOneRunEach));
}

}  // namespace
}  // namespace autotune
