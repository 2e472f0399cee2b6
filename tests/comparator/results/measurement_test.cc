#include "comparator/results/measurement.h"

#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace autotune {
namespace {

TEST(MeasurementTest, MetricValueIsATimeOrACounterAndFinite) {
  Measurement row;
  row.real_time_ns = 2.0;
  row.counters = {{"nodes", 7.0},
                  {"nan", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(MetricValue(row, "real_time"), 2.0);
  EXPECT_EQ(MetricValue(row, "cpu_time"), std::nullopt);
  EXPECT_EQ(MetricValue(row, "nodes"), 7.0);
  EXPECT_EQ(MetricValue(row, "nan"), std::nullopt);
  EXPECT_EQ(MetricValue(row, "node"), std::nullopt);
}

}  // namespace
}  // namespace autotune
