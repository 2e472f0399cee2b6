// Runs recorded on several hosts, both sides on each.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "comparator/policy/policy.h"
#include "comparator/recorded/comparison.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/comparator/recorded/comparison_fixture.h"
#include "tests/support/result_builder.h"

namespace autotune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// One run on each of `hosts` hosts, each slower than the one before, of
// benchmarks that take the same times `scale`.
Files OnHosts(std::size_t hosts, double scale,
              const std::vector<double>& spread) {
  Files files;
  for (std::size_t i = 0; i < hosts; ++i) {
    const double time = (100.0 + 15.0 * static_cast<double>(i)) * scale *
                        spread[i % spread.size()];
    ResultBuilder builder("run" + std::to_string(i));
    builder.Times("A", {time}).Times("B", {7.0 * time});
    builder.file().context.host_name = "runner-" + std::to_string(i);
    files.push_back(builder.Build());
  }
  return files;
}

TEST(CompareHostsTest, AreComparedWithinEachHost) {
  const ComparisonTable table = CompareFiles(
      OnHosts(6, 1.0, Spread()), OnHosts(6, 0.9, OtherSpread()), Policy());
  EXPECT_EQ(Said(table), "keep: geometric mean of 2 benchmarks improved");
  EXPECT_THAT(table.warnings,
              Contains("both sides were recorded on 6 hosts: compared within "
                       "each host"));
  EXPECT_NEAR(table.comparisons[0].estimate->ratio, 0.9, 0.003);
  EXPECT_NEAR(*table.comparisons[0].p_value, 2.0 / 64, 1e-12);
}

TEST(CompareHostsTest, SwappedSidesAndOtherUnitsMirrorTheAnswer) {
  const Files before = OnHosts(6, 1.0, Spread());
  const Files after = OnHosts(6, 1.25, OtherSpread());
  const ComparisonTable forth = CompareFiles(before, after, GatePolicy());
  EXPECT_EQ(Said(forth), "regression: A and 1 more are worse by more than 2 %");
  const ComparisonTable back = CompareFiles(after, before, GatePolicy());
  EXPECT_EQ(Said(back), "pass: 2 benchmarks proven within the margins");
  EXPECT_NEAR(forth.comparisons[0].estimate->ratio *
                  back.comparisons[0].estimate->ratio,
              1.0, 1e-12);
  EXPECT_DOUBLE_EQ(*forth.comparisons[0].p_value, *back.comparisons[0].p_value);
  Files scaled = after;
  Files scaled_before = before;
  for (Files* files : {&scaled, &scaled_before}) {
    for (ResultFile& file : *files) {
      for (Measurement& row : file.measurements) {
        row.cpu_time_ns = 1024.0 * *row.cpu_time_ns;
        row.real_time_ns = 1024.0 * *row.real_time_ns;
      }
    }
  }
  const ComparisonTable other =
      CompareFiles(scaled_before, scaled, GatePolicy());
  EXPECT_EQ(Said(other), Said(forth));
  EXPECT_NEAR(other.comparisons[0].estimate->ratio,
              forth.comparisons[0].estimate->ratio, 1e-12);
}

TEST(CompareHostsTest, TooFewHostsSayHowManyWouldDo) {
  const ComparisonTable table = CompareFiles(
      OnHosts(3, 1.0, Spread()), OnHosts(3, 0.9, OtherSpread()), Policy());
  EXPECT_EQ(Said(table),
            "inconclusive: too few visits: 3 against 3 cannot decide whatever "
            "the numbers; 4 a side can");
}

TEST(CompareHostsTest, MachinesOfOneNameAreToldApartByTheirHardware) {
  const auto with_caches = [](Files files) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      files[i].context.host_name = "runner";
      files[i].context.caches = {
          {"Data", 1, static_cast<std::int64_t>(1024 * (32 + i))}};
    }
    return files;
  };
  const ComparisonTable table =
      CompareFiles(with_caches(OnHosts(6, 1.0, Spread())),
                   with_caches(OnHosts(6, 0.9, OtherSpread())), Policy());
  EXPECT_EQ(Said(table), "keep: geometric mean of 2 benchmarks improved");
  EXPECT_THAT(table.warnings, Contains(HasSubstr("on 6 hosts")));
}

TEST(CompareHostsTest, HostsOfOneSideOnlyWithholdTheVerdict) {
  const ComparisonTable table = CompareFiles(
      OnHosts(6, 1.0, Spread()), OnHosts(5, 0.9, OtherSpread()), Policy());
  EXPECT_THAT(table.reason, HasSubstr("context: different hosts: runner-0, "
                                      "runner-1"));
}

TEST(CompareHostsTest, OneHostIsComparedAsOne) {
  Files before = OnHosts(6, 1.0, Spread());
  Files after = OnHosts(6, 0.9, OtherSpread());
  for (Files* files : {&before, &after}) {
    for (ResultFile& file : *files) file.context.host_name = "runner";
  }
  const ComparisonTable table = CompareFiles(before, after, Policy());
  EXPECT_THAT(table.warnings, Not(Contains(HasSubstr("hosts"))));
  EXPECT_EQ(table.decision, Decision::kInconclusive);
}

}  // namespace
}  // namespace autotune
