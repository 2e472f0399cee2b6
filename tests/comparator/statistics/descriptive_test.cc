#include "comparator/statistics/descriptive.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/reference_csv.h"
#include "tests/support/samples.h"

namespace autotune {
namespace {

TEST(DescriptiveTest, AgreesWithR) {
  for (const ReferenceRow& row : ReadReferenceCsv("median.csv")) {
    const Sample sample = SampleOf(row.Numbers("values"));
    const std::string where = std::to_string(sample.size());
    EXPECT_NEAR(Median(sample), *row.Number("median"), 1e-13) << where;
    ExpectNearOrBothAbsent(StandardDeviation(sample), row.Number("sd"), 1e-13,
                           where);
  }
}

TEST(DescriptiveTest, OneValueHasNoSpread) {
  EXPECT_EQ(StandardDeviation(SampleOf({3.0})), std::nullopt);
}

TEST(DescriptiveTest, HugeAndTinyValuesNeitherOverflowNorVanish) {
  const Sample huge = SampleOf({1e308, 1.5e308, 1.2e308});
  EXPECT_NEAR(*StandardDeviation(huge) / 1e307, 2.516611478, 1e-8);
  const Sample tiny = SampleOf({1e-310, 1.5e-310, 1.2e-310});
  EXPECT_NEAR(*StandardDeviation(tiny) / 1e-311, 2.516611478, 1e-4);
  EXPECT_EQ(Median(SampleOf({1.7e308, 1.7e308})), 1.7e308);
  EXPECT_EQ(*StandardDeviation(SampleOf({0.0, 0.0})), 0.0);
}

TEST(DescriptiveTest, ScalingByPowersOfTwoScalesExactly) {
  const std::vector<double> values = {1.1, 2.7, 0.3, 9.4, 5.5};
  const auto times = [](double v) { return 1024.0 * v; };
  const Sample once = SampleOf(values);
  const Sample scaled = SampleOf(Mapped(values, times));
  EXPECT_EQ(*StandardDeviation(scaled), 1024.0 * *StandardDeviation(once));
}

TEST(DescriptiveTest, TheMedianOfPlainValuesNeedsNoOrder) {
  EXPECT_EQ(Median(std::vector<double>{9.0, 1.0, 4.0}), 4.0);
  EXPECT_EQ(Median(std::vector<double>{9.0, 1.0, 4.0, 2.0}), 3.0);
}

}  // namespace
}  // namespace autotune
