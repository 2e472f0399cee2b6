#ifndef AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MERGE_METRIC_H_
#define AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MERGE_METRIC_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/autotune/task/session.h"
#include "tools/program/verb_result.h"

namespace autotune {

// The three files git gives a merge driver (%O %A %B).
struct MergeMetricOptions {
  std::string base;
  std::string ours;  // receives the result
  std::string theirs;
};

// `autotune merge-metric`: git's merge driver for metric.toml: whole entries of
// both sides, one after the other. `autotune doctor --install` sets it up.
absl::StatusOr<VerbResult> MergeMetric(const Session& session,
                                       const MergeMetricOptions& options);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_AUTOTUNE_VERBS_MERGE_METRIC_H_
