#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RECORD_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RECORD_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct RecordOptions {
  std::string approach;
  std::string evidence;               // file of `bench_compare run --evidence`
  std::optional<std::string> status;  // --claim: keep or discard
  std::string reason;                 // of a claim
};

// `autotune record`: enters an open attempt into history by a decision made
// elsewhere. With an evidence file the decision is recomputed from it and must
// have been made at the task's level for it; without one the row is marked
// claimed and counts for no phase and no error level.
absl::StatusOr<VerbResult> Record(const TaskContext& context,
                                  const RecordOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_RECORD_H_
