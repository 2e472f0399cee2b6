#include "tools/git/replay.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/git/integration.h"
#include "tools/git/repository.h"
#include "tools/git/tree_merge.h"

namespace autotune {
namespace {

// Adds `picked` on top of `replay.commit`, or notes its conflict.
absl::Status Pick(const Repository& repository, const CommitInfo& picked,
                  Replay& replay) {
  ASSIGN_OR_RETURN(TreeMerge merge,
                   MergeTreesOver(repository, picked.parents.front(),
                                  replay.commit, picked.commit));
  if (!merge.clean()) {
    replay.stopped_at = picked.commit;
    replay.conflicts = std::move(merge.conflicts);
    replay.tree_with_markers = std::move(merge.tree_with_markers);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string before, repository.TreeOf(replay.commit));
  if (merge.tree == before) return absl::OkStatus();
  ASSIGN_OR_RETURN(replay.commit,
                   CommitTree(repository, merge.tree, {replay.commit},
                              picked.message, picked));
  replay.made.push_back(replay.commit);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Replay> ReplayCommits(const Repository& repository,
                                     const std::string& base,
                                     const std::string& attempt,
                                     const std::string& onto) {
  ASSIGN_OR_RETURN(
      std::vector<CommitInfo> commits,
      repository.History({"--first-parent", attempt, absl::StrCat("^", base)}));
  std::reverse(commits.begin(), commits.end());
  Replay replay;
  replay.commit = onto;
  for (const CommitInfo& commit : commits) {
    if (commit.parents.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          commit.commit, ": is a root commit and cannot be picked"));
    }
    RETURN_IF_ERROR(Pick(repository, commit, replay));
    if (!replay.clean()) break;
  }
  return replay;
}

}  // namespace autotune
