#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

// One thing worth doing now: what a person reads, and what `loop` does.
struct Suggestion {
  enum class Kind {
    kDecide,   // an open attempt has commits and no decision
    kProfile,  // the code is not profiled, or is no longer the profiled one
    kHarvest,  // start against tip should be measured afresh
    kRaiseHorizon,  // the declared number of decisions is used up
    kRaiseBudget,   // decisions stay inconclusive
    kStart,         // a new attempt
  };
  Kind kind;
  std::string approach;  // kDecide
  NextStep step;
};

// What is worth doing, best first; never empty.
absl::StatusOr<std::vector<Suggestion>> Suggestions(const TaskContext& context);

// `autotune next`: the suggestions, and where the task stands (see `status`).
// Reads only.
absl::StatusOr<VerbResult> Next(const TaskContext& context);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_NEXT_H_
