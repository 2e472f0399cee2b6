#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tools/autotune/task/task.h"
#include "tools/autotune/task/task_context.h"
#include "tools/ledger/metric_file.h"
#include "tools/program/verb_result.h"

namespace autotune {

struct HarvestOptions {
  std::int64_t rounds = 30;   // fixed before the first one
  bool branch = true;         // make a branch for review
  bool split = false;         // and one for each group that shares no file
  bool pull_request = false;  // open a draft with `gh`
};

// `autotune harvest`: measures the task's start against its tip afresh, with a
// fixed number of rounds, and records it as a "baseline" row beside the product
// of what the keeps claimed: claims of selected winners flatter, this number
// does not. A tip that was harvested already is not measured again.
//
// Then makes a branch for review, autotune-harvest/<task>-<n>: one commit a
// keep on the start branch as it is now, built and tested; on the task's base
// when they conflict with it, saying where. The text of a pull request is
// written to harvest.md of the task. Without new keeps nothing is made.
absl::StatusOr<VerbResult> Harvest(const TaskContext& context,
                                   const HarvestOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_HARVEST_H_
