#ifndef AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_ATTEMPT_CREATION_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_ATTEMPT_CREATION_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/autotune/task/attempt.h"
#include "tools/autotune/task/prompt.h"
#include "tools/autotune/task/session.h"
#include "tools/autotune/task/task.h"
#include "tools/program/verb_result.h"

namespace autotune {

// What an attempt is started from.
struct NewAttempt {
  std::string approach;  // slug
  std::string hypothesis;
  std::string details;
  std::string part;                       // section or function; may be empty
  std::optional<double> share;            // of the target's time, fraction
  std::optional<double> end_to_end;       // expected gain, fraction
  std::vector<std::string> include;       // files of the tip to paste
  std::optional<std::string> no_profile;  // why the task has no profile
  bool preserve = false;                  // paste what was kept
  // The commit its branch starts at, given the commit of its prompt; by default
  // that commit itself.
  std::function<absl::StatusOr<std::string>(const std::string& plan)> head =
      [](const std::string& plan) { return plan; };
};

// The open or decided attempt that has the highest number for `approach`.
absl::StatusOr<std::optional<Attempt>> ExistingAttempt(
    const Repository& repository, const Task& task,
    const std::string& approach);

// Commits <approach>/prompts.md to the working branch unless the tip has it,
// then makes the attempt's branch unless there is one. Each step is redone
// after a crash; nothing is made twice.
absl::StatusOr<Attempt> EnsureAttempt(const Session& session,
                                      const Repository& repository,
                                      const Task& task,
                                      const NewAttempt& wanted);

// Makes a branch for `approach` at `head` under the next free number.
absl::StatusOr<Attempt> CreateAttempt(const Repository& repository,
                                      const Task& task,
                                      const std::string& approach,
                                      const std::string& head);

// FailedPrecondition when `approach` was already decided.
absl::Status CheckNotDecided(const Repository& repository,
                             const TaskState& state,
                             const std::string& approach);

// Everything the attempt's prompt is made of, read from the tip. NotFound for
// a file to include that the tip does not have.
absl::StatusOr<PromptInput> GatherPrompt(const Repository& repository,
                                         const TaskState& state,
                                         const NewAttempt& wanted);

// What `start` and its kin answer.
VerbResult StartedResult(const Task& task, const Attempt& attempt,
                         const std::string& worktree);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_DECIDING_ATTEMPT_CREATION_H_
