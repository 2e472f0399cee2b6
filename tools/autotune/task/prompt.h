#ifndef AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/autotune/task/profile_file.h"
#include "tools/autotune/task/task.h"

namespace autotune {

// An attempt that was decided before, as a prompt tells of it.
struct PastAttempt {
  std::string approach;
  std::string decision;
  std::string reason;
  std::optional<double> ratio;     // contender / baseline, when measured
  std::vector<std::string> files;  // of a keep: what it changed
  std::string change;              // of a keep, when asked for: its diff
};

// Everything that a prompt is made of.
struct PromptInput {
  explicit PromptInput(const TaskState& task_state) : state(task_state) {}

  const TaskState& state;
  std::string approach;
  std::string hypothesis;
  std::string details;                  // Markdown, added as it is
  std::string target_part;              // section or function; may be empty
  std::optional<double> share;          // of the target's time
  std::optional<double> expected_gain;  // end to end, fraction
  std::optional<TaskProfile> profile;
  std::vector<PastAttempt> past;      // oldest first
  std::vector<std::string> findings;  // of log.md, oldest first
  // Files of the tip to paste: path and text.
  std::vector<std::pair<std::string, std::string>> included;
};

// The self-contained text of <approach>/prompts.md, for an implementer who
// knows nothing else: what to try and why, the target and its profile, what may
// be edited, what is known and what did not work, the commands and the rules.
// What the host does with the work is no part of it. Holdout benchmarks are
// never named: what tells of one is left out. At most about 64 KiB: the oldest
// attempts and findings are shortened first, then left out, and said so.
std::string PromptText(const PromptInput& input);

// The hypothesis in a prompt made by PromptText, on one line; empty when the
// text holds none.
std::string HypothesisOf(std::string_view prompt);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_TASK_PROMPT_H_
