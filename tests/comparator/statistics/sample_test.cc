#include "comparator/statistics/sample.h"

#include <limits>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;

TEST(SampleTest, KeepsTheMeasuredOrderAndSortsACopy) {
  ASSERT_OK_AND_ASSIGN(const Sample sample, Sample::Create({3.0, -1.0, 2.0}));
  EXPECT_THAT(sample.values(), ElementsAre(3.0, -1.0, 2.0));
  EXPECT_THAT(sample.sorted(), ElementsAre(-1.0, 2.0, 3.0));
  EXPECT_EQ(sample.size(), 3u);
}

TEST(SampleTest, RefusesAnEmptyList) {
  EXPECT_THAT(Sample::Create({}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a sample needs at least one value"));
}

TEST(SampleTest, RefusesWhatIsNotFiniteAndNamesItsPosition) {
  EXPECT_THAT(Sample::Create({1.0, std::numeric_limits<double>::quiet_NaN()}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "values[1]: expected a finite number, got NaN"));
  EXPECT_THAT(Sample::Create({std::numeric_limits<double>::infinity()}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "values[0]: expected a finite number, got infinity"));
  EXPECT_THAT(Sample::Create({1, 2, -std::numeric_limits<double>::infinity()}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "values[2]: expected a finite number, got -infinity"));
}

}  // namespace
}  // namespace autotune
