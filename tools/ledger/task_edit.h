#ifndef AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_
#define AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace autotune {

// `text` (a task.toml) with KEY ("policy.min_effect", "commands.test") set to
// `value` and every other byte, comments included, as it was; a key that is not
// there yet is added to its table. `value` is a TOML value, or the bare text of
// a string, or per cent for a fraction ("2%"): whichever the key can hold.
//
// InvalidArgument, as ParseTaskSettings says it, when none fits or the key is
// unknown, when it names no single value (a [[guard]]), or when it must not
// change during a task: the table [task].
absl::StatusOr<std::string> SetTaskValue(std::string_view text,
                                         std::string_view source_name,
                                         std::string_view key,
                                         std::string_view value);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_
