#ifndef AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_
#define AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "tools/system/exit_code.h"

namespace autotune {

// `status` with a one-line way out that ErrorText and ErrorJson show.
absl::Status WithHint(absl::Status status, std::string_view hint);
std::string HintOf(const absl::Status& status);  // empty when it has none

// "PROGRAM: error: MESSAGE" and, when there is a hint, a second line
// "PROGRAM: hint: HINT"; both made printable.
std::string ErrorText(std::string_view program, const absl::Status& status);

// {"schema_version": 1, "ok": false, "error": {"code": EXIT CODE, "message":
// ..., "hint": ...}} and a newline; the hint is "" when there is none.
std::string ErrorJson(const absl::Status& status, ExitCode code);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_REPORT_ERROR_REPORT_H_
