// Files that releases of Google Benchmark wrote (see their README.md).

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "comparator/results/library_version.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::string TextOf(const std::string& version) {
  std::ifstream file(std::string(AUTOTUNE_REFERENCE_DIR) +
                     "/google_benchmark/" + version + ".json");
  EXPECT_TRUE(file.is_open()) << version;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ResultFile Parsed(const std::string& version) {
  absl::StatusOr<ResultFile> file = ParseResultFile(TextOf(version), version);
  EXPECT_OK(file);
  return file.ok() ? *std::move(file) : ResultFile();
}

// Number of samples by name.
std::map<std::string, int> Samples(const ResultFile& file) {
  std::map<std::string, int> samples;
  for (const Measurement& row : file.measurements) ++samples[row.name];
  return samples;
}

std::map<std::string, int> Statistics(const ResultFile& file) {
  std::map<std::string, int> statistics;
  for (const Aggregate& row : file.aggregates) ++statistics[row.aggregate_name];
  return statistics;
}

std::vector<std::string> FitsOf(const ResultFile& file) {
  std::vector<std::string> fits;
  for (const Aggregate& fit : file.fits) {
    fits.push_back(fit.row.name + " " + fit.aggregate_name);
  }
  return fits;
}

std::vector<std::string> NamesUnder(const ResultFile& file,
                                    Suspicion::Kind kind) {
  std::vector<std::string> names;
  for (const Suspicion& suspicion : file.suspicions) {
    if (suspicion.kind == kind) names.push_back(suspicion.benchmark);
  }
  return names;
}

class ResultFileVersionsTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Releases, ResultFileVersionsTest,
                         testing::Values("1.3.0", "1.4.1", "1.5.0", "1.5.4",
                                         "1.7.1", "1.8.4", "1.9.5"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

TEST_P(ResultFileVersionsTest, EveryRepetitionIsASample) {
  const ResultFile file = Parsed(GetParam());
  EXPECT_THAT(Samples(file),
              ElementsAre(Pair("BM_Counters", 3), Pair("BM_Fails", 2),
                          Pair("BM_Plain/4096", 3), Pair("BM_Plain/512", 3),
                          Pair("BM_Plain/64", 3),
                          Pair("BM_Threads/real_time/threads:2", 3),
                          Pair("BM_Twin", 6), Pair("BM_arithmetic_mean", 3)));
  for (const Measurement& row : file.measurements) {
    EXPECT_TRUE(row.real_time_ns.has_value() && row.cpu_time_ns.has_value());
    EXPECT_GT(row.iterations, 1);
    EXPECT_EQ(row.threads,
              row.name.find("threads:2") == std::string::npos ? 1 : 2);
  }
}

TEST_P(ResultFileVersionsTest, AggregatesAreNoSamples) {
  const std::map<std::string, int> statistics = Statistics(Parsed(GetParam()));
  for (const char* name : {"mean", "median", "stddev"}) {
    EXPECT_THAT(statistics, Contains(Pair(name, 9))) << name;
  }
  EXPECT_EQ(statistics.size(), GetParam() < "1.7" ? 3U : 4U) << "and cv";
  EXPECT_THAT(FitsOf(Parsed(GetParam())),
              ElementsAre("BM_Plain BigO", "BM_Plain RMS"));
}

TEST_P(ResultFileVersionsTest, TheErroredRepetitionIsListed) {
  const ResultFile file = Parsed(GetParam());
  ASSERT_THAT(file.unusable, SizeIs(1));
  EXPECT_EQ(file.unusable[0].name, "BM_Fails");
  EXPECT_EQ(file.unusable[0].kind, UnusableRow::Kind::kErrored);
  EXPECT_EQ(file.unusable[0].reason, "no data");
}

TEST_P(ResultFileVersionsTest, TwinsAreToldApartAndSaid) {
  const ResultFile file = Parsed(GetParam());
  EXPECT_THAT(NamesUnder(file, Suspicion::Kind::kRepeatedName),
              ElementsAre("BM_Twin"));
  std::map<std::int64_t, int> registrations;
  for (const Measurement& row : file.measurements) {
    if (row.name == "BM_Twin") ++registrations[row.registration];
  }
  EXPECT_THAT(registrations, ElementsAre(Pair(0, 3), Pair(1, 3)));
}

TEST_P(ResultFileVersionsTest, NothingOfItLooksEdited) {
  const ResultFile file = Parsed(GetParam());
  EXPECT_THAT(NamesUnder(file, Suspicion::Kind::kEditedValues), IsEmpty());
  EXPECT_THAT(NamesUnder(file, Suspicion::Kind::kIdenticalNumbers), IsEmpty());
  EXPECT_THAT(NamesUnder(file, Suspicion::Kind::kNotFinite),
              ElementsAre("BM_Counters", "BM_Counters"));
}

TEST_P(ResultFileVersionsTest, ThreadTimesMeanWhatTheReleaseMeans) {
  const ThreadTime meaning = ThreadTimeOf(Parsed(GetParam()).context);
  EXPECT_EQ(meaning, GetParam() == "1.9.5" ? ThreadTime::kMeanWall
                                           : ThreadTime::kWallOverThreads);
}

TEST_P(ResultFileVersionsTest, EveryCutIsRefusedAndReadWhenPartial) {
  const std::string text = TextOf(GetParam());
  const std::size_t whole = Parsed(GetParam()).measurements.size();
  // Primes, so that the cuts fall anywhere.
  for (std::size_t size = 2; size < text.rfind('}'); size += 997) {
    const std::string prefix = text.substr(0, size);
    EXPECT_FALSE(ParseResultFile(prefix, "cut.json").ok()) << size;
    ASSERT_OK_AND_ASSIGN(
        const ResultFile file,
        ParseResultFile(prefix, "cut.json", {.partial = true}));
    EXPECT_FALSE(file.complete);
    EXPECT_LE(file.measurements.size(), whole);
  }
}

TEST(ResultFileOldVersionsTest, Before13TimesAreWholeAndStddevHasNoIterations) {
  const ResultFile file = Parsed("1.1.0");
  EXPECT_THAT(Samples(file),
              ElementsAre(Pair("BM_Fails", 2), Pair("BM_Plain/4k", 3),
                          Pair("BM_Plain/512", 3), Pair("BM_Plain/64", 3),
                          Pair("BM_Threads/real_time/threads:2", 3),
                          Pair("BM_Twin", 6), Pair("BM_arithmetic_mean", 3)));
  EXPECT_THAT(Statistics(file),
              ElementsAre(Pair("mean", 8), Pair("stddev", 8)));
  EXPECT_THAT(FitsOf(file), ElementsAre("BM_Plain BigO", "BM_Plain RMS"));
  EXPECT_THAT(file.warnings,
              ElementsAre("all times are whole numbers, as Google Benchmark "
                          "before 1.3 rounds them: smaller differences are "
                          "lost"));
}

TEST(ResultFileOldVersionsTest, CustomContextIsReadInEveryForm) {
  EXPECT_THAT(Parsed("1.5.4").context.custom,
              Contains(Pair("compiler", "gcc")));
  EXPECT_THAT(Parsed("1.7.1").context.custom,
              Contains(Pair("compiler", "gcc")));
}

}  // namespace
}  // namespace autotune
