#include "base/annotate.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace autotune {
namespace {

TEST(AnnotateTest, PutsTheNounBeforeTheMessageAndKeepsTheCode) {
  EXPECT_THAT(Annotate(absl::DataLossError("torn"), "new.json"),
              StatusIs(absl::StatusCode::kDataLoss, "new.json: torn"));
}

TEST(AnnotateTest, LeavesOkAlone) {
  EXPECT_OK(Annotate(absl::OkStatus(), "x"));
}

TEST(AnnotateTest, KeepsPayloads) {
  absl::Status status = absl::NotFoundError("gone");
  status.SetPayload("hint", absl::Cord("look elsewhere"));
  EXPECT_EQ(Annotate(status, "file").GetPayload("hint"), "look elsewhere");
}

}  // namespace
}  // namespace autotune
