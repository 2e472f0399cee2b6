#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_AUDIT_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_AUDIT_H_

#include "absl/status/statusor.h"
#include "tools/autotune/task/task_context.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct AuditOptions {
  bool repair = false;  // mend a metric.toml that a line-wise merge damaged
};

// `autotune audit`: recomputes every measured decision from its evidence, and
// checks that rows, merges and reverts agree, that every commit named is there,
// that measured trees are the ones in history, and that metric.toml only ever
// grew. Findings end it with exit code 65. Reads only, unless `repair`.
absl::StatusOr<VerbResult> Audit(const TaskContext& context,
                                 const AuditOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_AUDIT_H_
