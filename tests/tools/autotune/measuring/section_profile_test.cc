// Where the time of benchmarks goes, from the counters of section timers.

#include "tools/autotune/measuring/section_profile.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

using testing::DoubleNear;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

Measurement Row(const std::string& name, double real_time_ns,
                std::vector<std::pair<std::string, double>> counters) {
  Measurement row;
  row.name = name;
  row.real_time_ns = real_time_ns;
  row.counters = std::move(counters);
  return row;
}

TEST(SectionProfileTest, LongestSectionComesFirstWithShareAndCalls) {
  const auto profiles = ProfileSections({Row("BM_A", 1000.0,
                                             {{"items_per_second", 5.0},
                                              {"section/(rest)", 100e-9},
                                              {"section/parse", 250e-9},
                                              {"section/parse/calls", 2.0},
                                              {"section/write", 600e-9},
                                              {"section/write/calls", 1.5}})});
  ASSERT_THAT(profiles, SizeIs(1));
  EXPECT_EQ(profiles[0].name, "BM_A");
  EXPECT_EQ(profiles[0].nanoseconds, 1000.0);
  ASSERT_THAT(profiles[0].parts, SizeIs(3));
  EXPECT_EQ(profiles[0].parts[0].name, "write");
  EXPECT_THAT(profiles[0].parts[0].share, Optional(DoubleNear(0.6, 1e-12)));
  EXPECT_THAT(profiles[0].parts[0].calls, Optional(1.5));
  EXPECT_EQ(profiles[0].parts[1].name, "parse");
  EXPECT_NEAR(*profiles[0].parts[1].nanoseconds, 250.0, 1e-9);
  EXPECT_EQ(profiles[0].parts[2].name, "(rest)");
  EXPECT_EQ(profiles[0].parts[2].calls, std::nullopt);
}

TEST(SectionProfileTest, RowsOfOneBenchmarkGiveTheirMedian) {
  const auto profiles = ProfileSections(
      {Row("BM_A", 100.0, {{"section/x", 10e-9}}), Row("BM_B", 7.0, {}),
       Row("BM_A", 900.0, {{"section/x", 90e-9}}),
       Row("BM_A", 200.0, {{"section/x", 20e-9}})});
  ASSERT_THAT(profiles, SizeIs(2));
  EXPECT_EQ(profiles[0].nanoseconds, 200.0);
  EXPECT_NEAR(*profiles[0].parts.at(0).nanoseconds, 20.0, 1e-9);
  EXPECT_EQ(profiles[1].name, "BM_B");
  EXPECT_THAT(profiles[1].parts, IsEmpty());
}

// Two threads of 1000 ns each: Google Benchmark says 500 ns of real time an
// iteration, the section counter the mean of the threads.
TEST(SectionProfileTest, ThreadsShareTheirSummedTime) {
  Measurement row = Row("BM_A/threads:2", 500.0, {{"section/x", 750e-9}});
  row.threads = 2;
  const auto profiles = ProfileSections({row});
  EXPECT_THAT(profiles.at(0).parts.at(0).share,
              Optional(DoubleNear(0.75, 1e-12)));
}

TEST(SectionProfileTest, ManualTimeHasNoShare) {
  const auto profiles = ProfileSections(
      {Row("BM_A/manual_time", 500.0, {{"section/x", 750e-9}})});
  EXPECT_EQ(profiles.at(0).parts.at(0).share, std::nullopt);
}

TEST(SectionProfileTest, ZeroTimeHasNoShareAndNoTimeNoProfile) {
  Measurement without = Row("BM_B", 1.0, {});
  without.real_time_ns.reset();
  const auto profiles =
      ProfileSections({Row("BM_A", 0.0, {{"section/x", 1e-9}}), without});
  ASSERT_THAT(profiles, SizeIs(1));
  EXPECT_EQ(profiles[0].parts.at(0).share, std::nullopt);
}

TEST(SectionProfileTest, NameWithASlashIsOneSection) {
  const auto profiles = ProfileSections(
      {Row("BM_A", 10.0, {{"section/a/b", 5e-9}, {"section/a/b/calls", 1.0}})});
  ASSERT_THAT(profiles.at(0).parts, SizeIs(1));
  EXPECT_EQ(profiles[0].parts[0].name, "a/b");
}

}  // namespace
}  // namespace autotune
