#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct LoopOptions {
  std::string implementer;             // a recipe's name, or a command
  std::optional<std::string> planner;  // a command
  std::optional<std::string> ideas;    // a file, one JSON object a line
  std::optional<std::string> time;     // "8h"
  std::optional<std::int64_t> attempts;
  std::int64_t max_failures = 5;  // in a row
  std::optional<double> max_usd;
  std::optional<std::int64_t> max_tokens;
  std::int64_t jobs = 1;        // implementers at once, 1 to 16
  std::string timeout = "30m";  // of one implementer
};

// `autotune loop`: attempt after attempt without a person. An idea comes from
// the planner (it gets what `next --json` says on standard input and answers
// {"approach", "hypothesis", "targets"?, "expect"?, "details"?}) or from the
// next line of a file of such objects. The implementer gets the attempt's
// prompt and its worktree; what it changes there counts, what it says and its
// exit code do not. Then the attempt is decided. A failed build or test is
// given back once, then recorded as a crash. In between: a profile and a
// harvest when they are due. No implementer runs while anything is measured.
//
// It ends, with the reason, when the ideas or a budget are used up, after
// `max_failures` attempts in a row that could not be measured, by `stop`, or by
// Ctrl-C; the same command goes on where it stopped. Events go to loop.jsonl in
// the task's state folder.
absl::StatusOr<VerbResult> Loop(const TaskContext& context,
                                const LoopOptions& options);

// `autotune stop`: the loop ends after the attempt it is at.
absl::StatusOr<VerbResult> StopLoop(const TaskContext& context);

// `autotune steer`: `text` stands in the prompts of later attempts.
absl::StatusOr<VerbResult> Steer(const TaskContext& context,
                                 const std::string& text);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_LOOP_H_
