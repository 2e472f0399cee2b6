#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_AGREEMENT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_AGREEMENT_H_

#include <string>

#include "absl/status/status.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/task/task_setup.h"
#include "tools/ledger/task_settings.h"

namespace autotune {

// OK when what `options` and the settings file say (its text; "" for none) is
// what the task has already; what they leave out counts for nothing. Else
// OutOfRange (usage) with each key of task.toml that differs, what was found
// and what which option expects. Errors of the options themselves are those of
// SettingsFor.
absl::Status CheckAgreement(const Task& task, const TaskSettings& existing,
                            const InitOptions& options,
                            const std::string& settings_text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_TASK_AGREEMENT_H_
