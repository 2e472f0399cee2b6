#include "tools/system/exit_code.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace autotune {
namespace {

ExitCode CodeFor(absl::StatusCode code) {
  return ExitCodeFor(absl::Status(code, "x"));
}

TEST(ExitCodeTest, EveryStatusHasTheCodeOfTheContract) {
  using absl::StatusCode;
  EXPECT_EQ(ExitCodeFor(absl::OkStatus()), 0);
  EXPECT_EQ(CodeFor(StatusCode::kAborted), 2);
  EXPECT_EQ(CodeFor(StatusCode::kOutOfRange), 64);
  EXPECT_EQ(CodeFor(StatusCode::kInvalidArgument), 65);
  EXPECT_EQ(CodeFor(StatusCode::kDataLoss), 65);
  EXPECT_EQ(CodeFor(StatusCode::kFailedPrecondition), 69);
  EXPECT_EQ(CodeFor(StatusCode::kNotFound), 69);
  EXPECT_EQ(CodeFor(StatusCode::kPermissionDenied), 69);
  EXPECT_EQ(CodeFor(StatusCode::kResourceExhausted), 69);
  EXPECT_EQ(CodeFor(StatusCode::kUnavailable), 75);
  EXPECT_EQ(CodeFor(StatusCode::kCancelled), 130);
  EXPECT_EQ(CodeFor(StatusCode::kInternal), 70);
  EXPECT_EQ(CodeFor(StatusCode::kUnknown), 70);
}

}  // namespace
}  // namespace autotune
