// Rows that are no samples: fits of complexity, and rows that say why they are
// none.

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "comparator/results/result_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

ResultFile Parsed(const std::string& rows) {
  absl::StatusOr<ResultFile> file =
      ParseResultFile("{\"benchmarks\": [" + rows + "]}", "a.json");
  EXPECT_OK(file);
  return file.ok() ? *std::move(file) : ResultFile();
}

TEST(ResultFileNoSampleTest, FitsOfComplexityAreNeitherSampleNorCrash) {
  const ResultFile file = Parsed(
      R"({"name": "A_BigO", "run_name": "A", "run_type": "aggregate",
          "aggregate_name": "BigO", "cpu_coefficient": 1.5,
          "real_coefficient": 2.5, "big_o": "N", "time_unit": "ns"},
         {"name": "A_RMS", "run_name": "A", "run_type": "aggregate",
          "aggregate_name": "RMS", "rms": 3.5e-02},
         {"name": "B_BigO", "cpu_coefficient": 1, "real_coefficient": 2,
          "big_o": "NlgN", "time_unit": "us"},
         {"name": "B_RMS", "rms": 4})");
  EXPECT_THAT(file.measurements, IsEmpty());
  EXPECT_THAT(file.aggregates, IsEmpty());
  ASSERT_THAT(file.fits, SizeIs(4));
  EXPECT_EQ(file.fits[0].aggregate_name, "BigO");
  EXPECT_EQ(file.fits[0].row.real_time_ns, std::nullopt);
  EXPECT_THAT(
      file.fits[0].row.counters,
      ElementsAre(Pair("cpu_coefficient", 1.5), Pair("real_coefficient", 2.5)));
  EXPECT_EQ(file.fits[1].aggregate_name, "RMS");
  EXPECT_TRUE(file.fits[1].is_ratio);
  EXPECT_EQ(file.fits[2].row.name, "B");
  EXPECT_EQ(file.fits[2].aggregate_name, "BigO");
  EXPECT_EQ(file.fits[3].row.name, "B");
  EXPECT_EQ(file.fits[3].aggregate_name, "RMS");
}

// Tools that make tables of rows fill every column of every row.
TEST(ResultFileNoSampleTest, FitsWithEveryColumnOfATableAreFits) {
  const ResultFile file = Parsed(
      R"({"name": "A_BigO", "run_name": "A", "run_type": "aggregate",
          "aggregate_name": "BigO", "cpu_coefficient": 1.5, "big_o": "N",
          "rms": null, "real_time": null, "cpu_time": NaN, "time_unit": "ns",
          "iterations": null, "error_occurred": null, "error_message": null},
         {"name": "A_RMS", "run_name": "A", "run_type": "aggregate",
          "aggregate_name": "RMS", "aggregate_unit": "percentage",
          "rms": 0.5, "cpu_coefficient": null, "error_message": "",
          "error_occurred": false})");
  ASSERT_THAT(file.fits, SizeIs(2));
  EXPECT_FALSE(file.fits[0].is_ratio);
  EXPECT_TRUE(file.fits[1].is_ratio);
  EXPECT_THAT(file.aggregates, IsEmpty());
  EXPECT_THAT(file.unusable, IsEmpty());
}

TEST(ResultFileNoSampleTest, AUsersStatisticNamedLikeAFitIsAnAggregate) {
  const ResultFile file = Parsed(
      R"({"name": "A_RMS", "run_name": "A", "run_type": "aggregate",
          "aggregate_name": "RMS", "iterations": 3, "real_time": 1.5,
          "cpu_time": 1.25, "time_unit": "ns"})");
  EXPECT_THAT(file.fits, IsEmpty());
  ASSERT_THAT(file.aggregates, SizeIs(1));
  EXPECT_EQ(file.aggregates[0].aggregate_name, "RMS");
}

// Who says why a row is no sample says that it is none.
TEST(ResultFileNoSampleTest, AMessageIsAFailureWithOrWithoutItsFlag) {
  using Kind = UnusableRow::Kind;
  const struct {
    std::string keys;
    std::optional<Kind> kind;
  } cases[] = {
      {R"("error_message": "boom")", Kind::kErrored},
      {R"("error_occurred": true, "error_message": "boom")", Kind::kErrored},
      {R"("error_message": "boom", "error_occurred": false)", Kind::kErrored},
      {R"("error_occurred": true)", Kind::kErrored},
      {R"("skip_message": "boom")", Kind::kSkipped},
      {R"("skipped": true, "skip_message": "boom")", Kind::kSkipped},
      {R"("error_message": "", "error_occurred": false)", std::nullopt},
      {R"("error_message": null, "error_occurred": null)", std::nullopt},
      {R"("skip_message": null, "skipped": null)", std::nullopt},
  };
  for (const auto& one : cases) {
    for (const std::string type : {R"("run_type": "iteration", )", ""}) {
      const ResultFile file = Parsed(absl::StrCat(
          R"({"name": "A", )", type, one.keys,
          R"(, "iterations": 1000000, "real_time": 15, "cpu_time": 15})"));
      EXPECT_EQ(file.measurements.empty(), one.kind.has_value()) << one.keys;
      ASSERT_EQ(file.unusable.size(), one.kind.has_value()) << one.keys;
      if (!one.kind.has_value()) continue;
      EXPECT_EQ(file.unusable[0].kind, *one.kind);
    }
  }
}

}  // namespace
}  // namespace autotune
