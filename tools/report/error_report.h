#ifndef AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "tools/report/next_step.h"
#include "tools/system/exit_code.h"

namespace autotune {

// A one-line way out: words, and commands that the user can type, one after
// the other. Who finds an error does not know where its reader stands: the
// options that lead a command there are added last.
using Hint = std::vector<std::variant<std::string, Command>>;
std::string HintText(const Hint& hint);

// `status` with a way out that ErrorText and ErrorJson show.
absl::Status WithHint(absl::Status status, const Hint& hint);
absl::Status WithHint(absl::Status status, std::string_view words);
Hint HintOf(const absl::Status& status);  // empty when it has none

// "PROGRAM: error: MESSAGE" and, when there is a hint, a second line
// "PROGRAM: hint: HINT"; both made printable.
std::string ErrorText(std::string_view program, const absl::Status& status);

// {"schema_version": 1, "ok": false, "error": {"code": EXIT CODE, "message":
// ..., "hint": ...}} and a newline; the hint is "" when there is none.
std::string ErrorJson(const absl::Status& status, ExitCode code);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_
