#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_

#include <string>
#include <string_view>

#include "tools/autotune/task/task.h"

namespace autotune {

// The self-contained text of <approach>/prompts.md: what to try and why, the
// target, what may be edited, how it is built, tested and judged, and the
// commands that end the attempt. `details` (Markdown, may be empty) is added
// as it is under its own heading. Holdout benchmarks are never named.
std::string PromptText(const TaskState& state, std::string_view approach,
                       std::string_view hypothesis, std::string_view details);

// The hypothesis in a prompt made by PromptText, on one line; empty when the
// text holds none.
std::string HypothesisOf(std::string_view prompt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_
