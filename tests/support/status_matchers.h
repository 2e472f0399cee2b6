#ifndef AUTOTUNE_TESTS_SUPPORT_STATUS_MATCHERS_H_
#define AUTOTUNE_TESTS_SUPPORT_STATUS_MATCHERS_H_

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace autotune {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// Matches an OK absl::Status or absl::StatusOr.
MATCHER(IsOk, negation ? "is an error" : "is OK") {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).ok();
}

// Matches an error with this code and a message that `message` (a string, for
// the whole message, or a matcher) matches.
MATCHER_P2(StatusIs, code, message, "is an error with that code and message") {
  const absl::Status& status = StatusOf(arg);
  *result_listener << status.ToString();
  return status.code() == code &&
         testing::Matches(message)(std::string(status.message()));
}

// Matches an OK StatusOr whose value `value` matches.
MATCHER_P(IsOkAndHolds, value, "is OK and holds that value") {
  if (!arg.ok()) {
    *result_listener << arg.status().ToString();
    return false;
  }
  return testing::ExplainMatchResult(value, *arg, result_listener);
}

}  // namespace autotune

#define ASSERT_OK(expression) ASSERT_THAT(expression, ::autotune::IsOk())
#define EXPECT_OK(expression) EXPECT_THAT(expression, ::autotune::IsOk())

// Moves the value of a StatusOr into `left`, or fails the test.
#define ASSERT_OK_AND_ASSIGN(left, expression)                         \
  AUTOTUNE_ASSERT_OK_AND_ASSIGN_IMPL_(                                 \
      AUTOTUNE_TEST_CONCAT_(autotune_test_status_or_, __LINE__), left, \
      expression)
#define AUTOTUNE_ASSERT_OK_AND_ASSIGN_IMPL_(temporary, left, expression) \
  auto temporary = (expression);                                         \
  ASSERT_THAT(temporary, ::autotune::IsOk());                            \
  left = *std::move(temporary)
#define AUTOTUNE_TEST_CONCAT_(a, b) AUTOTUNE_TEST_CONCAT_INNER_(a, b)
#define AUTOTUNE_TEST_CONCAT_INNER_(a, b) a##b

#endif  // AUTOTUNE_TESTS_SUPPORT_STATUS_MATCHERS_H_
