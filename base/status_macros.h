#ifndef AUTOTUNE_BASE_STATUS_MACROS_H_
#define AUTOTUNE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function when `expression` (an absl::Status) is
// not OK.
#define RETURN_IF_ERROR(expression)                                         \
  do {                                                                      \
    if (absl::Status autotune_status = (expression); !autotune_status.ok()) \
      return autotune_status;                                               \
  } while (false)

// Evaluates `expression` (an absl::StatusOr<T>), returns its status when it is
// not OK, else moves its value into `left`, which may declare a variable.
#define ASSIGN_OR_RETURN(left, expression)                          \
  AUTOTUNE_ASSIGN_OR_RETURN_IMPL_(                                  \
      AUTOTUNE_STATUS_CONCAT_(autotune_status_or_, __LINE__), left, \
      expression)

// `left` may be a declaration, which parentheses would make an expression.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define AUTOTUNE_ASSIGN_OR_RETURN_IMPL_(temporary, left, expression) \
  auto temporary = (expression);                                     \
  if (!temporary.ok()) return std::move(temporary).status();         \
  left = *std::move(temporary)
// NOLINTEND(bugprone-macro-parentheses)

#define AUTOTUNE_STATUS_CONCAT_(a, b) AUTOTUNE_STATUS_CONCAT_INNER_(a, b)
#define AUTOTUNE_STATUS_CONCAT_INNER_(a, b) a##b

#endif  // AUTOTUNE_BASE_STATUS_MACROS_H_
