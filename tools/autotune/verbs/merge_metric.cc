#include "tools/autotune/verbs/merge_metric.h"

#include "base/status_macros.h"
#include "tools/ledger/metric_merge.h"

namespace autotune {

absl::StatusOr<VerbResult> MergeMetric(const Session& session,
                                       const MergeMetricOptions& options) {
  FileSystem& files = session.seams.files;
  const std::string ours_path = JoinPath(session.directory, options.ours);
  ASSIGN_OR_RETURN(const std::string base,
                   files.ReadFile(JoinPath(session.directory, options.base)));
  ASSIGN_OR_RETURN(const std::string ours, files.ReadFile(ours_path));
  ASSIGN_OR_RETURN(const std::string theirs,
                   files.ReadFile(JoinPath(session.directory, options.theirs)));
  RETURN_IF_ERROR(
      files.WriteFile(ours_path, MergeMetricFiles(base, ours, theirs)));
  return VerbResult();
}

}  // namespace autotune
