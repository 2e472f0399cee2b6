#ifndef AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_
#define AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace autotune {

// `text` (a task.toml) with KEY ("policy.min_effect", "commands.test") set and
// every other byte, comments included, as it was; a key that is not there yet
// is added to its table. One of `values` is a TOML value where the key can hold
// that, else what the option of `init` takes ("2%", the bare text of a string);
// several, or one for a key that needs a list, make a list.
//
// InvalidArgument, as ParseTaskSettings says it, when none fits or the key is
// unknown, when it names no single value (a [[guard]]), or when it must not
// change during a task: the table [task].
absl::StatusOr<std::string> SetTaskValue(
    std::string_view text, std::string_view source_name, std::string_view key,
    const std::vector<std::string>& values);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_LEDGER_TASK_EDIT_H_
