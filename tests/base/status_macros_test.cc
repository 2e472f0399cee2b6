#include "base/status_macros.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

absl::StatusOr<std::unique_ptr<int>> Half(int number) {
  if (number % 2 != 0) return absl::InvalidArgumentError("odd");
  return std::make_unique<int>(number / 2);
}

absl::StatusOr<int> Quarter(int number) {
  ASSIGN_OR_RETURN(const std::unique_ptr<int> half, Half(number));
  ASSIGN_OR_RETURN(const std::unique_ptr<int> quarter, Half(*half));
  return *quarter;
}

absl::Status CheckQuarter(int number, bool& reached_end) {
  RETURN_IF_ERROR(Quarter(number).status());
  reached_end = true;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, AssignMovesTheValueOut) {
  EXPECT_THAT(Quarter(12), IsOkAndHolds(3));
}

TEST(StatusMacrosTest, AssignReturnsTheError) {
  EXPECT_THAT(Quarter(6), StatusIs(absl::StatusCode::kInvalidArgument, "odd"));
}

TEST(StatusMacrosTest, ReturnIfErrorStopsOnlyOnErrors) {
  bool reached_end = false;
  EXPECT_FALSE(CheckQuarter(1, reached_end).ok());
  EXPECT_FALSE(reached_end);
  EXPECT_OK(CheckQuarter(4, reached_end));
  EXPECT_TRUE(reached_end);
}

}  // namespace
}  // namespace autotune
