#include "comparator/statistics/metric.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace autotune {
namespace {

std::string MetricOf(const std::string& name) {
  const Metric metric = DefaultMetric(name);
  EXPECT_EQ(metric.direction, Direction::kLowerIsBetter);
  return metric.name;
}

TEST(MetricTest, DefaultMetricIsTheClockTheLibrarySteersBy) {
  EXPECT_EQ(MetricOf("BM_A"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/64"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/64/real_time"), "real_time");
  EXPECT_EQ(MetricOf("BM_A/manual_time"), "real_time");
  EXPECT_EQ(MetricOf("BM_A/process_time"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/process_time/real_time"), "real_time");
  EXPECT_EQ(MetricOf("BM_A/real_time/threads:1"), "real_time");
}

TEST(MetricTest, DefaultMetricOfSeveralThreadsIsRealTime) {
  EXPECT_EQ(MetricOf("BM_A/threads:2"), "real_time");
  EXPECT_EQ(MetricOf("BM_A/iterations:9/threads:16"), "real_time");
  EXPECT_EQ(MetricOf("BM_A/threads:1"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/threads:x"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/threads:"), "cpu_time");
}

TEST(MetricTest, DefaultMetricLooksAtWholePartsAfterTheFirst) {
  EXPECT_EQ(MetricOf("real_time"), "cpu_time");
  EXPECT_EQ(MetricOf("threads:2"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/real_timer"), "cpu_time");
  EXPECT_EQ(MetricOf("BM_A/unreal_time"), "cpu_time");
  EXPECT_EQ(MetricOf(""), "cpu_time");
}

TEST(MetricTest, ThreadsInNameIsOneWithoutThem) {
  EXPECT_EQ(ThreadsInName("BM_A/threads:8"), 8);
  EXPECT_EQ(ThreadsInName("BM_A/8"), 1);
  EXPECT_EQ(ThreadsInName("BM_A/threads:99999999999999999999"), 1);
}

TEST(MetricTest, KnownDirections) {
  for (const char* name :
       {"real_time", "cpu_time", "section/parse", "allocs_per_iter",
        "max_bytes_used", "total_allocated_bytes", "net_heap_growth",
        "peak_rss", "excess_cpu", "binary_size", "CYCLES", "INSTRUCTIONS",
        "CACHE-MISSES", "BRANCH-MISSES"}) {
    EXPECT_EQ(KnownDirection(name), Direction::kLowerIsBetter) << name;
  }
  for (const char* name :
       {"items_per_second", "bytes_per_second", "frames_per_second"}) {
    EXPECT_EQ(KnownDirection(name), Direction::kHigherIsBetter) << name;
  }
  for (const char* name : {"", "nodes", "per_second", "IPC", "section",
                           "items_per_second_total"}) {
    EXPECT_EQ(KnownDirection(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace autotune
