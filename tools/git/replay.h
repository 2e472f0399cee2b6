#ifndef AUTOTUNE_TOOLS_GIT_REPLAY_H_
#define AUTOTUNE_TOOLS_GIT_REPLAY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/git/repository.h"

namespace autotune {

// What a series of commits became on a new base.
struct Replay {
  std::string commit;  // the new tip; the last one made before a conflict
  std::vector<std::string> made;  // new commits, oldest first
  std::string stopped_at;         // the commit that conflicted; empty: none
  std::vector<std::string> conflicts;
  std::string tree_with_markers;  // of the commit that conflicted

  bool clean() const { return conflicts.empty(); }
};

// Picks the commits of BASE..ATTEMPT onto `onto` by plumbing, oldest first:
// messages and authors kept, no hook, no checkout, no ref moved. Merges inside
// the attempt are picked as the change over their first parent, so what they
// pulled in comes along; commits that change nothing any more are left out.
absl::StatusOr<Replay> ReplayCommits(const Repository& repository,
                                     const std::string& base,
                                     const std::string& attempt,
                                     const std::string& onto);

}  // namespace autotune

#endif  // AUTOTUNE_TOOLS_GIT_REPLAY_H_
